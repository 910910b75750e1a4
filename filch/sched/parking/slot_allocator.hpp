#pragma once
#include <filch/base/mutex.hpp>
#include <filch/sched/parking/idle_state.hpp>
#include <filch/sched/slot_waiter.hpp>

#include <vector>

namespace filch::inline v0_2::sched {

/// The slot allocator (README.md, "Slots admit new jobs"). Which thread sleeps is the business of
/// its host, the parking lot.
///
/// A slot admits new jobs. A begun job never waits for one: a waiter that finds all slots taken is
/// granted its own, the overcommit slot. For each of these one regular slot is withheld as soon as
/// its holder comes between two jobs, so that the number of threads at work returns to the limit.
/// If two slots or more are allowed, external threads leave the last regular slot to the pool's own
/// threads, and it is not withheld on their account. So jobs begin however many of them compute
/// here.
///
/// A template, so that the model checkers read the text that ships, which is in
/// `slot_allocator_steps.hpp`. `Host` derives from it and answers as a friend. Under the lock:
/// `driver_is_missing()` returns whether a driver is missing while all slots are taken, and
/// `timer_lacks_driver()` whether a timer is due before the driver wakes. Without the lock:
/// `ensure_driver()` ensures a driver, and `wake_for_visible_work()` looks for work that was left
/// to the next thread that frees a slot. A `Slot` has `has_jobs()`, `has_timers()` and `next`.
/// Threads: any, for all public functions.
template <class Host, class Sync, class Slot, class Parker>
class FILCH_EXPORT basic_slot_allocator {
 public:
  using waiter_type = basic_slot_waiter<Slot, Parker>;

  /// Adds one slot beyond `slot_count`, the driver's, unless that is 1.
  explicit basic_slot_allocator(unsigned slot_count);

  /// Takes a free slot, or else the waiter's own. Never waits.
  void acquire(waiter_type& waiter) noexcept;
  /// Gives the slot back.
  void release(waiter_type& waiter) noexcept;
  /// Gives the slot back until `resume`. Returns false, and keeps the slot, if `resume` was called
  /// already.
  bool suspend(waiter_type& waiter) noexcept;
  /// Ends a suspension: grants a slot as `acquire` does, and wakes the waiter's thread.
  void resume(waiter_type& waiter) noexcept;
  /// Exchanges an overcommit slot for a regular one. Returns false if none is free or withheld.
  bool regularize(waiter_type& waiter) noexcept;

  /// From now on grants at most `slot_count` slots, at least one. Slots in use beyond that are
  /// withheld when they come back.
  void allow(unsigned slot_count) noexcept;
  // Relaxed: a report
  unsigned allowed_count() const noexcept { return allowed_count_.load(base::relaxed); }
  /// More threads compute than are allowed to: a worker between two jobs gives its slot up.
  // Relaxed: seen between the next two jobs
  bool is_over_limit() const noexcept { return is_over_limit_.load(base::relaxed); }
  /// The driver's slot: for timers and arrivals while all regular ones are taken. A pool of one has
  /// none. It is no overcommit slot: it has queues, and no regular slot is withheld for it.
  bool is_driver_slot(const Slot* held) const noexcept { return held == driver_slot_; }
  /// A thread computes on a slot that the idle word does not count.
  bool works_beside() const noexcept {
    // Relaxed: as `is_over_limit`
    return overcommitted_count_.load(base::relaxed) != 0 ||
           (driver_slot_ != nullptr && !has_free_driver_slot());
  }
  /// Whether a thread holds a slot, given that the idle word was `seen`.
  bool is_in_use(policy::idle_view seen) const noexcept {
    return seen.free_slots < allowed_count() || works_beside();
  }
  basic_idle_state<Sync>& idle() noexcept { return idle_; }
  /// The regular slots, then the driver's.
  std::vector<Slot>& all_slots() noexcept { return slots_; }

 protected:
  /// What remains to do after the lock when a slot came back.
  struct after_unlock {
    bool work_waits = false;
    bool lacks_driver = false;  ///< The driver's slot is back, and there is no driver.
  };
  /// Takes the slot from `waiter`.
  // Unchecked: it calls the host, and the analysis does not see that they share the lock
  after_unlock put_back(waiter_type& waiter) noexcept FILCH_REQUIRES(lock_) FILCH_UNCHECKED;
  /// Puts back a regular slot that no waiter holds.
  after_unlock put_back_regular(Slot* freed) noexcept FILCH_REQUIRES(lock_);
  after_unlock grant(waiter_type& waiter) noexcept FILCH_REQUIRES(lock_);
  /// Call without the lock.
  void finish(after_unlock rest) noexcept;
  Slot* take_free_slot() noexcept FILCH_REQUIRES(lock_);
  Slot* take_driver_slot() noexcept FILCH_REQUIRES(lock_);
  bool has_free_slot() const noexcept FILCH_REQUIRES(lock_) { return free_slots_ != nullptr; }
  // Relaxed: a hint without the lock
  bool has_free_driver_slot() const noexcept { return driver_slot_is_free_.load(base::relaxed); }
  bool free_driver_slot_has_jobs() const noexcept {
    return has_free_driver_slot() && driver_slot_->has_jobs();
  }
  bool can_be_had() const noexcept FILCH_REQUIRES(lock_) {
    return has_free_slot() || has_free_driver_slot();
  }
  /// Call after a slot was taken, which may have been the last one.
  // Unchecked: it calls the host, and the analysis does not see that they share the lock
  void unlock_and_ensure_driver() noexcept FILCH_RELEASE(lock_) FILCH_UNCHECKED;

 private:
  Host& host() noexcept { return static_cast<Host&>(*this); }
  unsigned regular_count() const noexcept {
    return static_cast<unsigned>(slots_.size()) - (driver_slot_ == nullptr ? 0 : 1);
  }
  /// The last slot is for the pool's own threads, if two or more are allowed.
  bool may_hold_regular(const waiter_type& waiter) const noexcept FILCH_REQUIRES(lock_);
  unsigned count_to_withhold() const noexcept FILCH_REQUIRES(lock_);
  void begin_overcommit(waiter_type& waiter) noexcept FILCH_REQUIRES(lock_);
  void end_overcommit(waiter_type& waiter) noexcept FILCH_REQUIRES(lock_);
  after_unlock give_back_withheld() noexcept FILCH_REQUIRES(lock_);
  Slot* take_withheld() noexcept FILCH_REQUIRES(lock_);
  void withhold(Slot* taken) noexcept FILCH_REQUIRES(lock_);
  void look_at_limit() noexcept FILCH_REQUIRES(lock_);
  after_unlock free(Slot* freed) noexcept FILCH_REQUIRES(lock_);

  // Read by searchers all the time, and rarely written.
  std::vector<Slot> slots_;  ///< The driver's, if there is one, comes last.
  Slot* const driver_slot_;
  /// Writer: `allow`, under `lock_`. Readers: all.
  typename Sync::template atomic<unsigned> allowed_count_;
  /// Writers: under `lock_`. Readers: all.
  typename Sync::template atomic<unsigned> overcommitted_count_{0};
  /// Writers: under `lock_`. Readers: workers.
  typename Sync::template atomic<bool> is_over_limit_{false};
  /// Writers: under `lock_`. Readers: all.
  typename Sync::template atomic<bool> driver_slot_is_free_;

 protected:
  basic_idle_state<Sync> idle_;
  alignas(base::cache_line_bytes) typename Sync::mutex lock_;

 private:
  // Written whenever a thread takes or gives back a slot.
  Slot* free_slots_ FILCH_GUARDED_BY(lock_) = nullptr;
  /// Withheld for the CPU budget and for overcommitted waiters.
  Slot* withheld_slots_ FILCH_GUARDED_BY(lock_) = nullptr;
  unsigned withheld_count_ FILCH_GUARDED_BY(lock_) = 0;
  /// Regular slots that external threads hold.
  unsigned held_outside_ FILCH_GUARDED_BY(lock_) = 0;
  /// Overcommitted waiters of the pool's own threads.
  unsigned overcommitted_workers_ FILCH_GUARDED_BY(lock_) = 0;
};

}  // namespace filch::sched
