#pragma once
// The ring that one thread writes while other threads, of this process or another, read it.
// README.md is the argument.
#include <filch/base/sync.hpp>
#include <filch/trace/edges.hpp>

#include <algorithm>
#include <array>
#include <cstdint>

namespace filch::inline v0_2::trace {

/// One entry of a ring: two words, which belong together.
using item = std::array<std::uint64_t, 2>;

/// Items by the order in which they were written: [first, end).
struct item_range {
  std::uint64_t first = 0;
  std::uint64_t end = 0;
  constexpr std::uint64_t size() const noexcept { return end - first; }
  friend constexpr bool operator==(const item_range&, const item_range&) = default;
};

/// The last `capacity()` items of one writer; older ones are overwritten. A view: head and places
/// lie in shared memory.
///
/// Cost:    to write, three stores and no locked instruction. To read, a load for each word and for
///          each look at the head.
/// Threads: one writer; any number of readers, also of other processes, which only need to read the
///          memory.
/// Source:  Lamport's reader of a changing value, CACM 1977, and H. Boehm, "Can Seqlocks Get Along
///          With Programming Language Memory Models?", MSPC 2012. We differ: the order stands at
///          the words, not in fences, and one counter serves all places.
template <class Sync>
class basic_ring {
 public:
  using word = typename Sync::template atomic<std::uint64_t>;

  /// `words` has two for each place; `capacity`, the number of places, is a power of two and at
  /// least two.
  basic_ring(word& head, word* words, std::uint64_t capacity) noexcept
      : head_{&head}, words_{words}, capacity_{capacity} {}

  std::uint64_t capacity() const noexcept { return capacity_; }
  /// How many items were ever written; other threads than the writer may see an old number.
  // relaxed: a reader of items uses `copy`
  std::uint64_t written() const noexcept { return head_->load(base::relaxed); }

  /// The place of item `first`; the next ones follow up to the last place. Threads: the writer.
  const word* place_of(std::uint64_t first) const noexcept {
    return &words_[2 * (first & (capacity_ - 1))];
  }

  /// Adds an item, which overwrites the oldest one if all places are taken. Returns how many were
  /// written, this one included. Threads: the writer.
  std::uint64_t push(const item& added) noexcept {
    // A local, as a compiler would read the member anew after each release.
    word& head = *head_;
    const std::uint64_t at = head.load(base::relaxed);  // our own
    word* const place = &words_[2 * (at & (capacity_ - 1))];
    place[0].store(added[0], base::release<edge::overwrite>);
    place[1].store(added[1], base::release<edge::overwrite>);
    head.store(at + 1, base::release<edge::publish>);
    return at + 1;
  }

  /// Copies the items from `first` on to `copies`, which has room for `capacity()`: item `i` to
  /// `copies[i % capacity()]`. Returns those that were not overwritten meanwhile, without a gap up
  /// to the last one written when it was called.
  item_range copy(std::uint64_t first, item* copies) const noexcept {
    const std::uint64_t end = head_->load(base::acquire<edge::publish>);
    const std::uint64_t begin = (std::max)(first, end > capacity_ ? end - capacity_ : 0);
    for (std::uint64_t i = begin; i < end; ++i) {
      const word* const place = &words_[2 * (i & (capacity_ - 1))];
      copies[i & (capacity_ - 1)] = {place[0].load(base::acquire<edge::overwrite>),
                                     place[1].load(base::acquire<edge::overwrite>)};
    }
    // relaxed: a reader that saw a word of item `j` in some place sees `j` or more here.
    // (edge::overwrite)
    const std::uint64_t now = head_->load(base::relaxed);
    // The next item may be half written.
    const std::uint64_t whole = now >= capacity_ ? now - capacity_ + 1 : 0;
    return {(std::max)(begin, (std::min)(whole, end)), (std::max)(begin, end)};
  }

 private:
  word* head_;
  word* words_;
  std::uint64_t capacity_;
};

/// The present owner of a ring: its items from `first` on are that owner's. For readers that must
/// not mix up two owners.
///
/// Threads: `hand_to`: the recorder, while neither the old owner nor the new one writes; `copy_of`:
///          any.
template <class Sync>
class basic_ownership {
 public:
  static constexpr std::uint64_t nobody = 0;

  std::uint64_t owner() const noexcept { return owner_.load(base::acquire<edge::change_hands>); }
  // relaxed: came with the owner
  std::uint64_t first() const noexcept { return first_.load(base::relaxed); }

  void hand_to(std::uint64_t owner, std::uint64_t first) noexcept {
    owner_.store(nobody, base::release<edge::change_hands>);
    first_.store(first, base::release<edge::change_hands>);
    owner_.store(owner, base::release<edge::change_hands>);
  }
  /// The items of `owner`, as `basic_ring::copy` gives them; none if the ring has changed hands.
  item_range copy_of(std::uint64_t owner, const basic_ring<Sync>& ring,
                     item* copies) const noexcept {
    const std::uint64_t from = first_.load(base::acquire<edge::change_hands>);
    if (owner == nobody || owner_.load(base::acquire<edge::change_hands>) != owner) return {};
    const item_range copied = ring.copy(from, copies);
    // relaxed: a reader that saw an item of the next owner sees that owner here. (edge::overwrite
    // carries it, as it does the head)
    return owner_.load(base::relaxed) == owner ? copied : item_range{};
  }

 private:
  /// Writer: the recorder. Readers: all.
  typename Sync::template atomic<std::uint64_t> owner_{nobody};
  /// Writer: the recorder. Readers: all.
  typename Sync::template atomic<std::uint64_t> first_{0};
};

/// The `ring_writer` of a worker while recording is on; null while it is off. An event then costs
/// only this load.
template <class Sync, class Writer>
class basic_switch {
 public:
  void on(Writer& prepared) noexcept { writer_.store(&prepared, base::release<edge::switch_on>); }
  // relaxed: one record more does no harm
  void off() noexcept { writer_.store(nullptr, base::relaxed); }
  Writer* get() const noexcept { return writer_.load(base::acquire<edge::switch_on>); }

 private:
  /// Writer: the recorder. Reader: the worker.
  typename Sync::template atomic<Writer*> writer_{nullptr};
};

}  // namespace filch::trace
