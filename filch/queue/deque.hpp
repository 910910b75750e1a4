#pragma once
// The Chase-Lev work-stealing deque: one owner at the bottom, any number of thieves at the top.
// README.md is the argument.
#include <filch/base/cache_line.hpp>
#include <filch/base/sync.hpp>
#include <filch/queue/edges.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <type_traits>

namespace filch::inline v0_2::queue {

enum class [[nodiscard]] steal_outcome{got_job, was_empty, lost_race};

/// What a steal returns. `item` is valid only after `got_job`.
template <class T>
struct [[nodiscard]] stolen {
  steal_outcome outcome;
  T item{};
  explicit operator bool() const noexcept { return outcome == steal_outcome::got_job; }
};

/// What a steal of many returns: `got_job` if it moved any, else why it moved none.
struct [[nodiscard]] batch_steal_result {
  steal_outcome outcome;
  std::size_t moved_count;
};

struct deque_options {
  std::size_t capacity = 64;  ///< Items before the first growth; rounded up to a power of two.
  /// The first index. For tests; above the smallest value, because `pop` looks one below.
  std::int64_t first_index = 0;
};

/// A double-ended queue of words. Its owner pushes and pops at the bottom; thieves steal the oldest
/// from the top.
///
/// Cost: push a store, pop a locked instruction, steal a compare-and-swap (see deque_bench.cpp).
/// Memory: up to twice the largest array.
/// Threads: `push`, `pop`, `take_oldest` and the target of `steal_half_into` belong to the owner,
/// one thread at a time; the rest is for all threads.
/// Lifetime: outlives every call. Items still inside are dropped.
/// Source: Chase & Lev, SPAA 2005; Lê, Pop, Cohen & Zappa Nardelli, PPoPP 2013. We differ: no
/// fences (README, Sources).
template <class T, class Sync = base::real_sync>
class deque {
  static_assert(std::is_trivially_copyable_v<T>,
                "a slot is read by thieves that then lose: no constructor may notice");

 public:
  explicit deque(deque_options options = {})
      : top_{options.first_index},
        bottom_{options.first_index},
        newest_{std::make_unique<array>(std::bit_ceil(options.capacity), nullptr)},
        array_{newest_.get()} {}
  deque(const deque&) = delete;
  deque& operator=(const deque&) = delete;

  /// Adds `item` at the bottom. Threads: owner. Throws: `std::bad_alloc` if it cannot grow, with
  /// nothing changed.
  void push(T item) {
    if (push_into_room(item)) [[likely]]
      return;
    const std::int64_t b = bottom_.load(relaxed);  // relaxed: only the owner writes it
    grow(b, 1);
    put(b, item);
  }
  /// The same without growing. Returns false if it would have to grow, with nothing changed.
  /// Threads: owner.
  [[nodiscard]] bool push_into_room(T item) noexcept {
    const std::int64_t b = bottom_.load(relaxed);  // relaxed: only the owner writes it
    if (!has_room(b, 1)) [[unlikely]]
      return false;
    put(b, item);
    return true;
  }

  /// Takes the youngest item. Threads: owner.
  [[nodiscard]] std::optional<T> pop() noexcept {
    const std::int64_t b = bottom_.load(relaxed) - 1;
    // From here either a thief sees that item `b` is taken, or we see its top. (edge::last_item)
    bottom_.store(b, both(release<edge::publish>, seq_cst<edge::last_item>));
    std::int64_t t = top_.load(both(seq_cst<edge::last_item>, seq_cst<edge::claim>));
    if (t < b) return newest_->get(b);
    const T item = newest_->get(b);
    const bool won = t == b && claim(t);
    // Relaxed: no thief can claim anything below this bottom any more.
    bottom_.store(b + 1, relaxed);
    return won ? std::optional<T>{item} : std::nullopt;
  }

  /// Takes the oldest item, as a thief would, but never loses a race: if it returns nothing, the
  /// deque was empty. Threads: owner.
  [[nodiscard]] std::optional<T> take_oldest() noexcept {
    const std::int64_t b = bottom_.load(relaxed);  // relaxed: only the owner writes it
    // Relaxed: an old top costs one failed exchange, which returns the true one
    std::int64_t t = top_.load(relaxed);
    while (t < b) {
      const T item = newest_->get(t);
      if (claim(t)) return item;
    }
    return std::nullopt;
  }

  /// Takes the oldest item. `was_empty` and `lost_race` are true statements about a moment during
  /// the call. Threads: any.
  stolen<T> steal() noexcept {
    std::int64_t t = top_.load(both(seq_cst<edge::last_item>, seq_cst<edge::claim>));
    const std::int64_t b = bottom_.load(both(acquire<edge::publish>, seq_cst<edge::last_item>));
    if (t >= b) return {steal_outcome::was_empty};
    // Read before the claim: after it the owner may overwrite the slot.
    const T item = array_.load(acquire<edge::grow>)->get(t);
    if (!claim(t)) return {steal_outcome::lost_race};
    return {steal_outcome::got_job, item};
  }

  /// Moves up to half of the items, rounded up, oldest first, into `mine`. Each is claimed by
  /// itself, so the owner may pop meanwhile.
  ///
  /// Threads: the owner of `mine`, which is another deque.
  /// Throws: `std::bad_alloc` if `mine` cannot grow, before anything is moved.
  batch_steal_result steal_half_into(deque& mine) {
    const std::size_t wanted_count = std::max<std::size_t>(1, (size_hint() + 1) / 2);
    mine.make_room(mine.bottom_.load(relaxed), static_cast<std::int64_t>(wanted_count));
    for (std::size_t moved_count = 0; moved_count < wanted_count; ++moved_count) {
      const stolen<T> loot = steal();
      if (!loot) return {moved_count > 0 ? steal_outcome::got_job : loot.outcome, moved_count};
      mine.push(loot.item);
    }
    return {steal_outcome::got_job, wanted_count};
  }

  /// A recent index of the oldest item. It grows by one with each item taken at the top. Threads:
  /// any.
  // Relaxed: a hint, as below
  [[nodiscard]] std::int64_t oldest_hint() const noexcept { return top_.load(relaxed); }

  /// A recent number of items, never below zero. Exact for the owner while no thief steals.
  /// Threads: any.
  [[nodiscard]] std::size_t size_hint() const noexcept {
    const std::int64_t b = bottom_.load(relaxed);  // relaxed: a hint promises no order
    const std::int64_t t = top_.load(relaxed);
    return static_cast<std::size_t>(std::max<std::int64_t>(0, b - t));
  }

 private:
  using slot = typename Sync::template atomic<T>;

  struct array {
    array(std::size_t capacity, std::unique_ptr<array> smaller)
        : mask{static_cast<std::int64_t>(capacity) - 1},
          cells{std::make_unique<slot[]>(capacity)},
          older{std::move(smaller)} {}

    std::int64_t capacity() const noexcept { return mask.read() + 1; }
    // Relaxed: a slot's contents travel with `edge::publish` and `edge::grow`. A thief that read
    // too late loses its claim.
    T get(std::int64_t index) const noexcept {
      return cells[static_cast<std::size_t>(index & mask.read())].load(relaxed);
    }
    void put(std::int64_t index, T item) noexcept {
      cells[static_cast<std::size_t>(index & mask.read())].store(item, relaxed);
    }

    typename Sync::template plain<std::int64_t> mask;
    std::unique_ptr<slot[]> cells;
    std::unique_ptr<array> older;  ///< Retired, not freed: a thief may still be reading it.
  };

  /// Takes item `t` off the top, unless another thread was faster; then `t` becomes the present
  /// top.
  bool claim(std::int64_t& t) noexcept {
    return top_.compare_exchange(t, t + 1, both(release<edge::reuse>, seq_cst<edge::claim>));
  }

  void put(std::int64_t b, T item) noexcept {
    newest_->put(b, item);
    bottom_.store(b + 1, release<edge::publish>);
  }

  bool has_room(std::int64_t b, std::int64_t item_count) const noexcept {
    return b - top_.load(acquire<edge::reuse>) + item_count <= newest_->capacity();
  }

  void make_room(std::int64_t b, std::int64_t item_count) {
    if (!has_room(b, item_count)) [[unlikely]]
      grow(b, item_count);
  }

  void grow(std::int64_t b, std::int64_t item_count) {
    const std::int64_t t = top_.load(acquire<edge::reuse>);
    const auto needed =
        static_cast<std::size_t>((std::max)(2 * newest_->capacity(), b - t + item_count));
    auto larger = std::make_unique<array>(std::bit_ceil(needed), nullptr);
    for (std::int64_t i = t; i < b; ++i) larger->put(i, newest_->get(i));
    larger->older = std::move(newest_);
    newest_ = std::move(larger);
    array_.store(newest_.get(), release<edge::grow>);
  }

  using index = typename Sync::template atomic<std::int64_t>;

  // One line: owner and thieves read both ends each time, so two lines would move together.
  /// Writers: thieves; owner for the last or the oldest item. Only grows.
  alignas(base::cache_line_bytes) index top_;
  index bottom_;                   ///< Writer: owner. Readers: thieves.
  std::unique_ptr<array> newest_;  ///< Owner only.
  /// Writer: owner, when growing. Readers: thieves.
  typename Sync::template atomic<array*> array_;
};

}  // namespace filch::queue
