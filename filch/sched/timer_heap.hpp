#pragma once
#include <filch/base/language.hpp>

#include <cstdint>
#include <utility>

namespace filch::inline v0_2::sched {

/// A point of time that a thread or task waits for. Lies in the waiter's frame. Guarded by the lock
/// of the queue that it is in.
struct timer {
  static constexpr std::uint64_t never = ~std::uint64_t{0};

  /// On the clock of `base::now_ns`. Not changed while it is in a queue.
  std::uint64_t due_ns = never;
  std::uint64_t order = 0;  ///< Among timers due at the same time: as they were added.
  timer* behind = nullptr;  ///< The next of its run.
  /// The previous timer of its run. For the first of a run: its previous sibling, or its parent if
  /// it is the first child.
  timer* before = nullptr;
  timer* child = nullptr;  ///< For the first of a run: its first child,
  timer* next = nullptr;   ///< and its next sibling.
  /// True: `go_on` may take long, wait for timers behind it, or end them. False: it makes at most
  /// one job ready.
  bool runs_its_waiter = false;
  void (*expire)(timer&) = nullptr;  ///< Called when it is due, under the lock of the queue.
  void (*go_on)(timer&) = nullptr;   ///< Called afterwards, without the lock. May free the timer.
};

/// Timers by time, equal ones as they were added: a pairing heap of links in the timers themselves,
/// so that nothing is allocated. Its nodes are runs: a timer that is not due before the one added
/// last is appended to that one's run. So timers started for the same length of time, as most are,
/// are a queue.
///
/// Cost: `add` one comparison, two if a run begins; `take_first` and `remove` O(log r) amortized
/// for r runs, O(r) after r of them were begun; O(1) inside a run, and if the run goes on.
/// Source: Fredman, Sedgewick, Sleator and Tarjan, Algorithmica 1986, the two-pass variant. We
/// differ: runs.
class timer_heap {
 public:
  bool is_empty() const noexcept { return root_ == nullptr; }
  timer* first() const noexcept { return root_; }

  void add(timer& added) noexcept {
    added.order = ++added_count_;
    added.behind = added.before = nullptr;
    if (last_added_ != nullptr && !is_earlier(added, *last_added_)) {
      added.before = last_added_;
      last_added_->behind = &added;
    } else {
      put_in(added);
    }
    last_added_ = &added;
  }
  timer* take_first() noexcept {
    timer* const taken = root_;
    if (taken != nullptr) remove(*taken);
    return taken;
  }
  void remove(timer& listed) noexcept {
    if (last_added_ == &listed) last_added_ = is_in_run(listed) ? listed.before : nullptr;
    is_in_run(listed) ? leave_run(listed) : take_out(listed);
  }

 private:
  static bool is_earlier(const timer& left, const timer& right) noexcept {
    return left.due_ns != right.due_ns ? left.due_ns < right.due_ns : left.order < right.order;
  }
  /// True unless it is the first of its run.
  static bool is_in_run(const timer& listed) noexcept {
    return listed.before != nullptr && listed.before->behind == &listed;
  }
  static void leave_run(timer& listed) noexcept {
    listed.before->behind = listed.behind;
    if (listed.behind != nullptr) listed.behind->before = listed.before;
  }
  void put_in(timer& first_of_run) noexcept {
    first_of_run.child = first_of_run.next = first_of_run.before = nullptr;
    root_ = root_ == nullptr ? &first_of_run : meld(*root_, first_of_run);
  }
  void take_out(timer& first_of_run) noexcept {
    if (&first_of_run == root_) {
      root_ = nullptr;
    } else {
      cut(first_of_run);
    }
    if (timer* const below = meld_all(first_of_run.child))
      root_ = root_ == nullptr ? below : meld(*root_, *below);
    if (first_of_run.behind != nullptr) put_in(*first_of_run.behind);
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
  timer* last_added_ = nullptr;  ///< The last of the run that grows; null if that has gone.
  std::uint64_t added_count_ = 0;
};

}  // namespace filch::sched
