#pragma once
#include <cstdint>
#include <utility>

namespace filch::sched {

/// What becomes due at a point of time: lies in the frame of who waits for it. Guarded by the lock of the queue that it is in.
struct timer {
  static constexpr std::uint64_t never = ~std::uint64_t{0};

  std::uint64_t due_ns = never;  ///< On the clock of `base::now_ns`. Not changed while it is in a queue.
  std::uint64_t order = 0;       ///< Among those that are due at the same time: as they were added.
  timer* child = nullptr;        ///< The first of those below it.
  timer* next = nullptr;         ///< Beside it, below the same one.
  timer* before = nullptr;       ///< The one beside it, or above it if it is the first there.
  bool runs_its_waiter =
      false;  ///< `go_on` may take long, wait for those behind it, or end them; else it makes at most one job ready.
  void (*expire)(timer&) = nullptr;  ///< Its time has come. Under the lock of the queue.
  void (*go_on)(timer&) = nullptr;   ///< Afterwards, without the lock. It may be gone on return.
};

/// Timers by time, equal ones as they were added: a pairing heap of links in the timers themselves, so that nothing is allocated.
///
/// Cost:   `add` one comparison; `take_first` O(log n) amortised, O(n) after n additions; `remove` the same, and of one that has nothing
///         below it, as of most that are cancelled before others were taken, two stores.
/// Source: Fredman, Sedgewick, Sleator and Tarjan, Algorithmica 1986, the two-pass variant.
class timer_heap {
 public:
  bool is_empty() const noexcept { return root_ == nullptr; }
  timer* first() const noexcept { return root_; }

  void add(timer& added) noexcept {
    added.order = ++added_count_;
    added.child = added.next = added.before = nullptr;
    root_ = root_ == nullptr ? &added : meld(*root_, added);
  }
  timer* take_first() noexcept {
    timer* const taken = root_;
    if (taken != nullptr) root_ = meld_all(std::exchange(taken->child, nullptr));
    return taken;
  }
  void remove(timer& listed) noexcept {
    if (&listed == root_) {
      take_first();
      return;
    }
    cut(listed);
    if (timer* const below = meld_all(std::exchange(listed.child, nullptr))) root_ = meld(*root_, *below);
  }

 private:
  static bool is_earlier(const timer& left, const timer& right) noexcept {
    return left.due_ns != right.due_ns ? left.due_ns < right.due_ns : left.order < right.order;
  }
  // Two heaps become one: the later one goes below the earlier.
  static timer* meld(timer& left, timer& right) noexcept {
    timer& above = is_earlier(left, right) ? left : right;
    timer& below = &above == &left ? right : left;
    below.before = &above;
    below.next = above.child;
    if (above.child != nullptr) above.child->before = &below;
    above.child = &below;
    above.next = above.before = nullptr;
    return &above;
  }
  static void cut(timer& below) noexcept {
    (below.before->child == &below ? below.before->child : below.before->next) = below.next;
    if (below.next != nullptr) below.next->before = below.before;
    below.next = below.before = nullptr;
  }
  // First in pairs, then from the last pair to the first.
  static timer* meld_all(timer* first) noexcept {
    timer* pairs = nullptr;
    while (first != nullptr) {
      timer& left = *first;
      timer* const right = std::exchange(left.next, nullptr);
      first = right == nullptr ? nullptr : std::exchange(right->next, nullptr);
      timer* const pair = right == nullptr ? &left : meld(left, *right);
      pair->next = pairs;
      pairs = pair;
    }
    timer* all = nullptr;
    while (pairs != nullptr) {
      timer* const pair = std::exchange(pairs, pairs->next);
      pair->next = pair->before = nullptr;
      all = all == nullptr ? pair : meld(*all, *pair);
    }
    return all;
  }

  timer* root_ = nullptr;
  std::uint64_t added_count_ = 0;
};

}  // namespace filch::sched
