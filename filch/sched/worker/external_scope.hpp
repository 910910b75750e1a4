#pragma once
#include <filch/sched/poll_scope.hpp>

namespace filch::inline v0_2::sched {

class root_watcher;
class worker;
enum class strand_doing : unsigned char;

/// A blocking region: gives this thread's slot away while it does not compute, and takes one again
/// at its end. Meanwhile the thread is outside every pool. If it forks, it comes back by an
/// `external_scope`. Does nothing on a thread that is outside already.
class blocking_region : left_slot {
 public:
  FILCH_EXPORT blocking_region() noexcept;
  FILCH_EXPORT ~blocking_region();
  blocking_region(const blocking_region&) = delete;
  blocking_region& operator=(const blocking_region&) = delete;

  /// The worker of `pool` that this thread is, or left in an outer call; null if there is none.
  static worker* find(const scheduler& pool) noexcept;
  /// Whether this thread runs a job of `pool`, also one that has left its slot, or a callback of
  /// its event source.
  static bool is_inside(const scheduler& pool) noexcept;
  /// The worker that this thread is or was last, or null. Forks made now belong to its pool.
  static pool_stack* nearest() noexcept;
  /// Whether this thread has left a slot in an outer call.
  static bool is_under_way() noexcept;
  /// In the child of a fork(): this thread is outside every pool, whatever it was doing.
  static void forget_all() noexcept;

 private:
  worker& me() const noexcept;

  unsigned generation_;
  strand_doing before_{};
};

/// An external scope: a thread's stay in a pool. Construction takes a slot there, destruction takes
/// the thread back to where it was. No worker is woken: the first fork does that, if requests
/// stand.
///
/// A thread that comes from a job of another pool gives that pool's slot away meanwhile, so that it
/// never holds two. Stays nest like the calls that make them; the outermost is a root, which may
/// be watched. If the pool has no worker left for it, the thread runs alone: its forks run as plain
/// calls.
class external_scope {
 public:
  FILCH_EXPORT explicit external_scope(scheduler& pool);
  FILCH_EXPORT ~external_scope();
  external_scope(const external_scope&) = delete;
  external_scope& operator=(const external_scope&) = delete;

  bool is_alone() const noexcept { return worker_ == nullptr; }
  /// Whether this thread runs alone now. False while it is in another pool or in `blocking`.
  static bool runs_alone() noexcept;

 private:
  void begin_alone() noexcept;
  // First: the old slot is given away before another is taken, and taken again last
  blocking_region left_;
  worker* worker_;
  unsigned generation_;
  strand_doing before_;
  root_watcher* root_ = nullptr;  ///< Watches it, if not null.
  bool began_alone_ = false;
  bool is_return_;  ///< Back in a pool in which this thread is a worker already.
};

}  // namespace filch::sched
