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

/// Which worker holds a slot, and which sleeps: the slow half of parking, under one lock that
/// nobody holds for long. The fast half is `idle_state`. Threads: all functions may be called by
/// any thread.
class parking_lot : public slot_allocator {
 public:
  /// Without places for workers until `make_room`.
  parking_lot(scheduler& core, unsigned slot_count);
  void make_room(unsigned worker_capacity) {
    places_ = std::make_unique<index_table>(worker_capacity);
  }

  /// One of the places that visitors have left, with a slot, under one lock. Null, with nothing
  /// taken, if there is no place.
  worker* enter() noexcept;
  /// Gives slot and place back.
  void leave(worker& visitor) noexcept;

  /// After a job became visible: wakes somebody if nobody else would find it.
  void job_published(worker* by) noexcept {
    if (policy::wakes_somebody(idle_.announce_work())) [[unlikely]]
      wake_one(by);
  }
  /// The same of a job that can wait for the next look of a guard, if there is one.
  void job_published_to_poller(worker* by) noexcept;
  /// Puts one more worker on the search, if there is a slot and a thread for it.
  void wake_one(worker* by) noexcept;
  /// Says of a worker that a fork had woken whether it found anything to do.
  void judge_wake(bool came_in_time) noexcept;
  /// A worker that holds a slot and counts as searching, or a new one without a slot, goes to
  /// sleep. On return it has a slot and searches, or the pool ends.
  void sleep(worker& me) noexcept;

  /// After `due_ns` became the time of a first timer: wakes somebody if nobody would be awake by
  /// then.
  void ensure_timer_driver(std::uint64_t due_ns, worker* by) noexcept;
  /// True when there is a timer before whose time nobody who sleeps gets up: a due one, or one that
  /// nobody has seen yet.
  bool timer_lacks_driver() const noexcept;
  /// Where all slots are taken, and timers are pending or a source is attached: sees to it that
  /// somebody sleeps who minds them.
  void ensure_driver() noexcept;
  /// True when there is an external source and nobody sleeps in it, though a slot is free, nor soon
  /// looks whether somebody should.
  bool source_lacks_poller() noexcept;
  /// A worker with an ordinary slot has taken what had arrived there, and looks there again when
  /// that has run.
  void note_event(const worker& me) noexcept {
    last_event_ticks_.store(base::ticks(), base::relaxed);  // relaxed, both: hints
    active_poller_.store(&me, base::relaxed);
  }
  /// It sleeps or blocks.
  void stop_polling(const worker& me) noexcept;

  /// One of the places that visitors have left, or null.
  worker* take_place() noexcept;
  void return_place(worker& unused) noexcept;
  /// Of a worker that has just been made.
  void note_use(const worker& made) noexcept;
  /// All workers that may have forks have indices below it.
  unsigned worker_bound() const noexcept { return places_->bound(); }

  /// Wakes every sleeper for good.
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
  enum class woken : unsigned char {
    by_somebody,
    by_source,
    by_clock,
    by_time,  ///< It has not slept: something was due.
  };
  woken sleep_for(worker& me, std::uint64_t nanoseconds) noexcept;
  enum class role : unsigned char { none, poller, backup_poller };
  struct role_change {
    bool was_guard = false;
    role now = role::none;
    std::uint64_t looks_again_ns = external_source::no_deadline;  ///< As the guard.
  };
  role_change take_role(worker& me) noexcept;
  woken block_in_source(worker& me, std::uint64_t nanoseconds) noexcept;
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

  alignas(base::cache_line_bytes) scheduler& core_;  // not beside the lock: it is read without
  std::unique_ptr<index_table> places_;
  alignas(base::cache_line_bytes) bool is_shut_down_ FILCH_GUARDED_BY(lock_) = false;
  /// How often somebody took a slot without being woken for it.
  std::uint64_t entries_ FILCH_GUARDED_BY(lock_) = 0;
  /// Last in, first out: the warmest wakes first.
  worker* sleepers_ FILCH_GUARDED_BY(lock_) = nullptr;
  worker* timed_sleeper_ FILCH_GUARDED_BY(lock_) = nullptr;  ///< The only sleeper with a timeout.
  /// The one that sleeps in the external source.
  worker* poller_ FILCH_GUARDED_BY(lock_) = nullptr;
  /// The one that looks now and then whether it should sit there.
  worker* backup_poller_ FILCH_GUARDED_BY(lock_) = nullptr;
  /// The one that gets up for the first timer.
  worker* timer_driver_ FILCH_GUARDED_BY(lock_) = nullptr;
  /// Somebody was told or started, and has yet to come to the list.
  bool driver_comes_ FILCH_GUARDED_BY(lock_) = false;
  /// When. Writers: under `lock_`. Readers: who starts timers.
  base::atomic<std::uint64_t> driven_until_ns_{timer::never};
  /// Writers: who takes what has arrived. Readers: who sleeps.
  base::atomic<std::uint64_t> last_event_ticks_{0};
  /// Who took it last, if it is up. Writers: workers. Readers: who sleeps.
  base::atomic<const worker*> active_poller_{nullptr};
  policy::timer_backoff timer_backoff_
      FILCH_GUARDED_BY(lock_);  ///< Of the keeper, whoever that is.
  policy::wake_record wakes_ FILCH_GUARDED_BY(lock_);
  policy::poll_interval poll_interval_ FILCH_GUARDED_BY(lock_);  ///< In who takes what arrives.
};

extern template class basic_slot_allocator<parking_lot, base::real_sync, slot, base::parker>;

}  // namespace filch::sched
