#pragma once
#include <filch/base/mutex.hpp>
#include <filch/policy/tuning.hpp>
#include <filch/sched/external_source.hpp>
#include <filch/sched/index_table.hpp>
#include <filch/sched/slot_allocator.hpp>
#include <filch/sched/worker.hpp>

#include <memory>

namespace filch::sched {

class scheduler;
class parking_lot;
using slot_allocator = basic_slot_allocator<parking_lot, base::real_sync, slot, base::parker>;

/// Parking: which worker holds a slot, and which is parked. This is the slow half, under one lock
/// that is held for short sections only; `idle_state` is the fast half.
/// Threads: any, for all functions.
class parking_lot : public slot_allocator {
 public:
  /// Has no places for workers until `make_room`.
  parking_lot(scheduler& core, unsigned slot_count);
  void make_room(unsigned worker_capacity) {
    places_ = std::make_unique<index_table>(worker_capacity);
  }

  /// A worker that an external thread has left, with a slot, under one lock. Null, with nothing
  /// taken, if there is none.
  worker* enter() noexcept;
  /// Gives slot and worker back.
  void leave(worker& visitor) noexcept;

  /// After a job became visible: wakes a worker if no other would find the job.
  void job_published(worker* by) noexcept {
    if (policy::wakes_somebody(idle_.announce_work())) [[unlikely]]
      wake_one(by);
  }
  /// The same for an arrival, which can wait for the backup poller if there is one.
  void job_published_to_poller(worker* by) noexcept;
  /// Makes one more worker search, if there is a free slot and a thread for it.
  void wake_one(worker* by) noexcept;
  /// Reports whether a worker that a fork had woken found a job.
  void judge_wake(bool came_in_time) noexcept;
  /// Parks a worker that holds a slot and counts as searching, or a new one without a slot. On
  /// return it has a slot and searches, or the pool ends.
  void sleep(worker& me) noexcept;

  /// After `due_ns` became the time of a first timer: wakes a worker if none would be awake by
  /// then.
  void ensure_timer_driver(std::uint64_t due_ns, worker* by) noexcept;
  /// True when a timer is due, or is due before the driver wakes.
  bool timer_lacks_driver() const noexcept;
  /// Ensures a driver if all slots are taken, and timers are pending or a source is attached: tells
  /// a parked worker to look, or starts a thread.
  void ensure_driver() noexcept;
  /// True when a slot is free and the source has no poller, nor both an active poller and a backup
  /// poller.
  bool source_lacks_poller() noexcept;
  /// `me`, on an ordinary slot, has taken arrivals: it is the active poller, as it polls again when
  /// these have run.
  void note_event(const worker& me) noexcept {
    last_event_ticks_.store(base::ticks(), base::relaxed);  // relaxed, both: hints
    active_poller_.store(&me, base::relaxed);
  }
  /// It parks or blocks: it is no longer the active poller.
  void stop_polling(const worker& me) noexcept;

  /// A worker that an external thread has left, or null.
  worker* take_place() noexcept;
  void return_place(worker& unused) noexcept;
  /// Call once for each new worker.
  void note_use(const worker& made) noexcept;
  /// All workers that may have forks have indices below it.
  unsigned worker_bound() const noexcept { return places_->bound(); }

  /// Wakes all sleepers; no worker parks from now on.
  void shut_down() noexcept;

 private:
  friend slot_allocator;

  void wake_for_visible_work() noexcept;
  void return_unused(slot* given, worker* by) noexcept;
  worker* pop_place() noexcept FILCH_REQUIRES(lock_);
  void push_sleeper(worker& me, bool watches) noexcept FILCH_REQUIRES(lock_);
  worker* pop_sleeper() noexcept FILCH_REQUIRES(lock_);
  void remove_sleeper(worker& me) noexcept FILCH_REQUIRES(lock_);
  bool timed_park(worker& me) noexcept;
  enum class wake_cause : unsigned char {
    by_somebody,
    by_source,
    by_clock,
    by_time,  ///< It has not slept: a timer was due.
  };
  wake_cause sleep_for(worker& me, std::uint64_t nanoseconds) noexcept;
  enum class role : unsigned char { none, poller, backup_poller };
  struct role_change {
    bool was_backup_poller = false;
    role now = role::none;
    std::uint64_t looks_again_ns = external_source::no_deadline;  ///< As the backup poller.
  };
  role_change take_role(worker& me) noexcept;
  wake_cause block_in_source(worker& me, std::uint64_t nanoseconds) noexcept;
  bool has_active_poller() const noexcept FILCH_REQUIRES(lock_);
  bool had_event_within(std::uint64_t microseconds) const noexcept;
  void stop_backing_up(const worker& me) noexcept FILCH_REQUIRES(lock_);
  void leave_role(const worker& me) noexcept FILCH_REQUIRES(lock_);
  void unpark(worker& woken, bool sits) noexcept;
  bool keeps_timed_parks(std::uint64_t& last_active, std::uint64_t& seen_entries) noexcept
      FILCH_REQUIRES(lock_);
  bool wake_self(worker& me) noexcept;
  bool wake_self_beside(worker& me) noexcept;
  void take_wake(worker& me, slot* taken) noexcept FILCH_REQUIRES(lock_);
  void end_timed_parks(worker& me) noexcept;
  bool driver_is_missing() const noexcept FILCH_REQUIRES(lock_);
  bool was_told_to_drive(worker& me) noexcept;
  std::uint64_t drive_timers(worker& me) noexcept FILCH_REQUIRES(lock_);
  std::uint64_t drive_timers_unless_all_work(worker& me) noexcept;
  void stop_driving(const worker& me) noexcept FILCH_REQUIRES(lock_);
  void sleep_on(worker& me) noexcept;
  bool wait_for_slot(worker& me) noexcept;

  alignas(base::cache_line_bytes) scheduler& core_;  // read without the lock, so not beside it
  std::unique_ptr<index_table> places_;
  alignas(base::cache_line_bytes) bool is_shut_down_ FILCH_GUARDED_BY(lock_) = false;
  /// How often a thread took a slot without a wake.
  std::uint64_t entries_ FILCH_GUARDED_BY(lock_) = 0;
  /// Last in, first out: the warmest wakes first.
  worker* sleepers_ FILCH_GUARDED_BY(lock_) = nullptr;
  // The driver: each duty is held by one sleeper, or by none.
  worker* timed_sleeper_ FILCH_GUARDED_BY(lock_) =
      nullptr;  ///< Looks for private forks now and then.
  /// The poller: blocks in the event source.
  worker* poller_ FILCH_GUARDED_BY(lock_) = nullptr;
  /// The backup poller: looks now and then whether it must poll.
  worker* backup_poller_ FILCH_GUARDED_BY(lock_) = nullptr;
  /// Wakes for the first timer.
  worker* timer_driver_ FILCH_GUARDED_BY(lock_) = nullptr;
  /// A worker was told to look, or a thread was started, and has yet to come to the list.
  bool driver_comes_ FILCH_GUARDED_BY(lock_) = false;
  /// When `timer_driver_` wakes. Writers: under `lock_`. Readers: threads that start timers.
  base::atomic<std::uint64_t> driven_until_ns_{timer::never};
  /// Writers: workers that take arrivals. Readers: sleepers.
  base::atomic<std::uint64_t> last_event_ticks_{0};
  /// The active poller, while it is awake. Writers: workers. Readers: sleepers.
  base::atomic<const worker*> active_poller_{nullptr};
  policy::timer_backoff timer_backoff_
      FILCH_GUARDED_BY(lock_);  ///< Of `timer_driver_`, whichever worker that is.
  policy::wake_record wakes_ FILCH_GUARDED_BY(lock_);
  policy::poll_interval poll_interval_ FILCH_GUARDED_BY(lock_);  ///< How long a poller is active.
};

extern template class basic_slot_allocator<parking_lot, base::real_sync, slot, base::parker>;

}  // namespace filch::sched
