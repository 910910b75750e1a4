#pragma once
// A single-pass scan: a pass over chunks, each of which needs what the chunks before it left
// behind. Scans and packing are built on it. README.md, "Single-pass scans".
#include <filch/algo/settings.hpp>
#include <filch/base/clock.hpp>
#include <filch/base/mutex.hpp>
#include <filch/fork/join.hpp>
#include <filch/policy/grain.hpp>

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace filch::inline v0_2::algo {

/// Takes a carry from left to right through all chunks of [0, count), and lets thieves work ahead.
///
/// The *front* is how far the carry has come. A worker that takes the chunk at the front goes
/// through it once, as a serial loop would. A worker that takes a chunk beyond makes its aggregate
/// (`aggregate`). The front passes while the chunk is still in the worker's cache, and the worker
/// finishes it. No thread waits. A front that meets a chunk without an aggregate stops there; the
/// worker that makes the aggregate moves it on, and the worker that had it takes another chunk.
/// `Kernel` has:
///
///   `carry`, `aggregate`                types. A carry can be copied unless `behind` is absent.
///   `carry through(from, to, carry)` does a chunk at the front.
///   `aggregate ahead(from, to)`         does a chunk beyond the front.
///   `carry past(carry&, aggregate&)`    gives the carry behind such a chunk, from the carry before
///                                    it. Called for one chunk after the other.
///   `void behind(from, to, carry, aggregate&)`
///                                    does the rest of such a chunk. Absent if `past` does all,
///                                    in order.
///   `bool is_bracketed()`            whether the result depends on where chunks end, so that this
///                                    must follow from `count`. May be absent.
///
/// Cost: alone, two locks and a clock for every 4 us or more of `through`, and no allocation. A
/// chunk beyond the front adds an allocation, `ahead` and `behind`. Span: `past` of all chunks.
/// Throws: what the kernel throws; if it throws more than once, one of these. No chunk begins after
/// it.
/// Source: Merrill and Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", 2016.
/// We differ: no worker looks back or spins, since the worker that has the carry moves it on; and
/// chunks are as long as the clock says.
template <class Kernel>
class single_pass_scan {
 public:
  using carry = typename Kernel::carry;
  using aggregate = typename Kernel::aggregate;

  single_pass_scan(const settings& how, Kernel& kernel) noexcept : how_{how}, kernel_{kernel} {}
  single_pass_scan(const single_pass_scan&) = delete;
  single_pass_scan& operator=(const single_pass_scan&) = delete;
  ~single_pass_scan() {
    while (left_.first != nullptr) delete left_.pop();
  }

  /// Goes from `from` to `count` and returns the carry behind all. Call once.
  carry run(std::uint64_t from, std::uint64_t count, carry start) {
    cursor_ = from;
    count_ = count;
    fixed_items_ = is_bracketed() ? policy::fixed_chunk(count, longest_fixed()) : how_.grain;
    if (how_.grain == 0) start = lead_in(std::move(start));
    if (count_ - cursor_ <= fixed_items_) start = go_alone(count_, std::move(start));
    if (cursor_ == count_) return start;
    if (sched::is_watched()) [[unlikely]]
      return run_watched(std::move(start));
    at_cursor_.emplace(std::move(start));
    do {
      share();
    } while (left_.first != nullptr);
    return *std::move(at_cursor_);
  }

 private:
  /// The longest chunk of fixed length; it stays in the cache.
  static constexpr std::uint64_t longest_fixed() noexcept {
    if constexpr (requires { Kernel::longest_chunk; }) return Kernel::longest_chunk;
    return 4096;
  }

  struct chunk {
    std::uint64_t from;
    std::uint64_t to;
    chunk* next;                    ///< The chunk to its right, once that is taken.
    chunk* later = nullptr;         ///< The next chunk in its queue.
    std::optional<carry> before;    ///< Set once the front is here, or has passed.
    std::optional<aggregate> made;  ///< Of a chunk beyond the front.
  };

  struct queue {
    chunk* first = nullptr;
    chunk* last = nullptr;

    void push(chunk* one) noexcept { append({one, one}); }
    void append(queue more) noexcept {
      if (more.first == nullptr) return;
      (first == nullptr ? first : last->later) = more.first;
      last = more.last;
    }
    chunk* pop() noexcept {
      chunk* const one = first;
      first = std::exchange(one->later, nullptr);
      return one;
    }
  };

  /// One worker in the pass. When it leaves, it gives the chunks that the front has not passed to
  /// others.
  struct runner {
    single_pass_scan& pass;
    policy::grain grain = pass.grain_;
    std::uint64_t now = base::ticks();
    chunk at_front{};
    std::unique_ptr<chunk> fresh{};
    queue waiting{};

    ~runner() {
      const base::lock_guard hold(pass.lock_);
      pass.left_.append(waiting);
    }
  };

  bool is_bracketed() const noexcept {
    if constexpr (requires { kernel_.is_bracketed(); }) return kernel_.is_bracketed();
    return false;
  }

  /// Goes on alone until the elements are expensive enough to share, or until nothing is left.
  carry lead_in(carry at) {
    std::uint64_t items = std::max<std::uint64_t>(fixed_items_, 1);
    std::uint64_t now = base::ticks();
    for (bool is_short = true; is_short;) {
      at = go_alone(cursor_ + (std::min)(items, count_ - cursor_), std::move(at));
      if (cursor_ == count_) return at;  // the clock would cost as much as ten elements
      const std::uint64_t began = std::exchange(now, base::ticks());
      is_short = now - began < base::ticks_per_us();
      if (is_short) items *= 16;  // at most 16 us, as a leaf
    }
    grain_ = policy::grain{items};
    return at;
  }
  carry go_alone(std::uint64_t to, carry at) {
    while (cursor_ != to) {
      how_.check_stop();
      const std::uint64_t from = cursor_;
      cursor_ += fixed_items_ != 0 ? (std::min)(fixed_items_, to - from) : to - from;
      at = kernel_.through(from, cursor_, std::move(at));
    }
    return at;
  }

  /// What an analysis should see: a worker for every chunk. The first chunk is gone through while
  /// all others get their aggregates; the carry passes them one by one; then all are finished side
  /// by side.
  carry run_watched(carry at) {
    if (fixed_items_ == 0) at = find_pace(std::move(at));
    if (cursor_ == count_) return at;
    const std::uint64_t items = fixed_items_ != 0 ? fixed_items_ : grain_.items();
    std::vector<chunk> all((count_ - cursor_ - 1) / items + 1);
    for (chunk& one : all) {
      one.from = cursor_;
      one.to = cursor_ += (std::min)(items, count_ - cursor_);
    }
    side_by_side(all, [&](chunk& one) {
      if (&one == &all.front()) return void(at = kernel_.through(one.from, one.to, std::move(at)));
      one.made.emplace(kernel_.ahead(one.from, one.to));
    });
    const auto beyond = std::span(all).subspan(1);
    for (chunk& one : beyond) {
      carry after = kernel_.past(at, *one.made);
      one.before.emplace(std::exchange(at, std::move(after)));
    }
    side_by_side(beyond, [&](chunk& one) { finish(one); });
    return at;
  }

  /// Goes on alone until chunks have reached their length. It takes several, because a single long
  /// chunk may have been interrupted.
  carry find_pace(carry at) {
    constexpr unsigned enough = 3;
    for (unsigned in_a_row = 0; in_a_row != enough && cursor_ != count_;) {
      const std::uint64_t from = cursor_, began = base::ticks();
      at = go_alone(from + (std::min)(grain_.items(), count_ - from), std::move(at));
      const std::uint64_t took = base::ticks() - began;
      grain_.observe(cursor_ - from, took, base::ticks_per_us());
      in_a_row = took < policy::grain::short_leaf_us * base::ticks_per_us() ? 0 : in_a_row + 1;
    }
    return at;
  }

  template <class Visit>
  void side_by_side(std::span<chunk> some, const Visit& visit) {
    if (some.empty()) return;
    if (some.size() == 1) {
      how_.check_stop();
      return visit(some.front());
    }
    const std::size_t half = some.size() / 2;
    join_within(
        how_, [&] { side_by_side(some.first(half), visit); },
        [&] { side_by_side(some.subspan(half), visit); });
  }

  /// Works here, and wherever a thief takes the other side, which then does the same.
  void share() {
    join_within(
        how_, [this] { work(); },
        [this] {
          if (has_work()) share();
        });
  }
  bool has_work() noexcept {
    const base::lock_guard hold(lock_);
    return !has_failed_ && (cursor_ != count_ || is_due(left_));
  }
  static bool is_due(const queue& some) noexcept {
    return some.first != nullptr && some.first->before && some.first->made;
  }

  void work() {
    runner me{*this};
    FILCH_TRY {
      while (do_next(me)) {
      }
    }
    FILCH_CATCH_ALL {
      const base::lock_guard hold(lock_);
      // Otherwise the other side of the join would share chunks that no worker may finish
      has_failed_ = true;
      cursor_ = count_;
      FILCH_RETHROW;
    }
  }

  bool do_next(runner& me) {
    how_.check_stop();
    if (std::unique_ptr<chunk> due{take_due(me.waiting)}) {
      finish(*due);
      me.now = base::ticks();
    } else if (chunk* const mine = take(me)) {
      mine == &me.at_front ? go_through(*mine) : go_ahead(me, mine);
      const std::uint64_t began = std::exchange(me.now, base::ticks());
      me.grain.observe(mine->to - mine->from, me.now - began, base::ticks_per_us());
    } else if ((due = std::unique_ptr<chunk>{take_due(left_)})) {
      finish(*due);
    } else {
      return false;
    }
    return true;
  }

  /// Takes the first chunk of `some` if the front has passed it, else returns null.
  chunk* take_due(queue& some) noexcept {
    const base::lock_guard hold(lock_);
    return is_due(some) && !has_failed_ ? some.pop() : nullptr;
  }

  /// Takes the next free chunk: `at_front` with the carry, or a fresh one, or null. Throws:
  /// `std::bad_alloc`.
  chunk* take(runner& me) {
    for (;; me.fresh = std::make_unique<chunk>()) {
      const base::lock_guard hold(lock_);
      if (cursor_ == count_) return nullptr;
      if (at_cursor_) {
        me.at_front.before = std::exchange(at_cursor_, std::nullopt);
        return claim(me, &me.at_front);
      }
      if (me.fresh) return claim(me, me.fresh.release());
    }
  }
  chunk* claim(const runner& me, chunk* one) noexcept {
    const std::uint64_t items = fixed_items_ != 0 ? fixed_items_ : me.grain.items();
    one->from = cursor_;
    one->to = cursor_ += (std::min)(items, count_ - cursor_);
    one->next = nullptr;
    if (last_ != nullptr) last_->next = one;
    last_ = one;
    return one;
  }

  void go_through(chunk& mine) {
    hand_on(&mine, kernel_.through(mine.from, mine.to, *std::move(mine.before)));
  }

  void go_ahead(runner& me, chunk* mine) {
    me.waiting.push(mine);
    auto made = kernel_.ahead(mine->from, mine->to);
    {
      const base::lock_guard hold(lock_);
      mine->made.emplace(std::move(made));
      if (!mine->before) return;
    }
    hand_on(mine, kernel_.past(*mine->before, *mine->made));  // the front stopped here
  }

  /// Moves the front on from behind `at`, over chunks that have an aggregate.
  void hand_on(chunk* at, carry now) {
    std::optional<carry> before;  // the carry before `at`, while that must not be finished
    while (chunk* const next = step_past(at, before, now)) {
      how_.check_stop();  // there may be many chunks, and `past` may move all elements
      carry after = kernel_.past(now, *next->made);
      before.emplace(std::exchange(now, std::move(after)));
      at = next;
    }
  }
  /// Leaves `at` behind. Returns the chunk after it if that has an aggregate; otherwise the front
  /// stops there.
  chunk* step_past(chunk* at, std::optional<carry>& before, carry& now) {
    const base::lock_guard hold(lock_);
    chunk* const next = at->next;
    // From now on the worker that made the aggregate may finish the chunk, and destroys it
    if (before) at->before = std::move(before);
    if (has_failed_) return nullptr;
    if (next == nullptr) {
      last_ = nullptr;
      at_cursor_.emplace(std::move(now));
      return nullptr;
    }
    if (next->made) return next;
    next->before.emplace(std::move(now));
    return nullptr;
  }

  void finish(chunk& due) {
    if constexpr (requires { &Kernel::behind; })
      kernel_.behind(due.from, due.to, *std::move(due.before), *due.made);
  }

  const settings& how_;
  Kernel& kernel_;
  std::uint64_t count_ = 0;
  std::uint64_t fixed_items_ = 0;  ///< 0: chunks are as long as a grain.
  policy::grain grain_;
  base::mutex lock_;  ///< Guards all below, and the links of chunks.
  bool has_failed_ = false;
  std::uint64_t cursor_ = 0;        ///< The first element that no worker has taken.
  std::optional<carry> at_cursor_;  ///< Set while the front is at the cursor.
  /// The chunk that ends at the cursor, while the front is before it.
  chunk* last_ = nullptr;
  queue left_;  ///< Left by runners that found nothing else to do.
};

}  // namespace filch::algo
