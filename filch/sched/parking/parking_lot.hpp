#pragma once
#include <filch/base/mutex.hpp>
#include <filch/base/simulation.hpp>
#include <filch/policy/tuning.hpp>
#include <filch/sched/external_source.hpp>
#include <filch/sched/parking/index_table.hpp>
#include <filch/sched/parking/sleeper.hpp>
#include <filch/sched/parking/slot_allocator.hpp>
#include <filch/sched/slot_timers.hpp>

#include <memory>

namespace filch::inline v0_2::sched {

class driver;
class parking_lot;
using slot_allocator = basic_slot_allocator<parking_lot, base::real_sync, slot, base::parker>;

/// What parking asks of the scheduler that it belongs to. Threads: any, for all functions.
class parking_host {
 public:
  /// True when a thief would find a job without a request.
  virtual bool work_visible() const noexcept = 0;
  /// True when a submitted job has not begun.
  virtual bool detached_waits() const noexcept = 0;
  /// Leaves a standing request with all workers, and returns whether forks wait, also private ones.
  virtual bool request_forks() noexcept = 0;
  /// Starts a thread that searches with the slot given. Returns false when the system refuses one
  /// or there are enough.
  virtual bool try_start_thread(slot* to_search_with) noexcept = 0;
  /// Starts a thread that parks first, as the driver. Also if there are enough threads, as all of
  /// these may compute or block.
  virtual bool try_start_driver() noexcept = 0;
  /// A slot was taken, in a pool that may have been idle.
  virtual void note_use() noexcept = 0;
  /// No thread could be started for a queued job.
  virtual void note_shortage() noexcept = 0;

 protected:
  ~parking_host() = default;
};

/// Parking: which worker holds a slot, and which is parked. This is the slow half, under one lock
/// that is held for short sections only; `idle_state` is the fast half. Which sleeper has a duty of
/// the driver is kept here, as a wake chooses by it. What a parked worker does is the business of
/// `driver`.
/// Threads: any, for all functions.
class FILCH_EXPORT parking_lot : public slot_allocator {
 public:
  parking_lot(parking_host& host, unsigned slot_count);
  /// For so many workers. Call before any is added.
  void make_room(unsigned worker_capacity);

  // -----------------------------------------------------------------------------------------------
  // workers
  /// Call once for each new worker, in the order of their indices.
  void add(sleeper& made) noexcept;
  /// A worker that an external thread has left, with a slot, under one lock. Null, with nothing
  /// taken, if there is none.
  sleeper* enter() noexcept;
  /// Gives slot and worker back.
  void leave(sleeper& external) noexcept;
  /// A worker that an external thread has left, or null.
  sleeper* take_worker() noexcept;
  void return_worker(sleeper& unused) noexcept;
  /// All workers that may have forks have indices below it.
  unsigned worker_bound() const noexcept { return free_workers_->bound(); }

  // -----------------------------------------------------------------------------------------------
  // wakes
  /// After a job became visible: wakes a worker if no other would find the job.
  void job_published(sleeper* by) noexcept {
    if (policy::wakes_somebody(idle_.announce_work())) [[unlikely]]
      wake_one(by);
  }
  /// The same for an arrival, which can wait for the backup poller if there is one.
  void job_published_to_poller(sleeper* by) noexcept;
  /// Makes one more worker search, if there is a free slot and a thread for it.
  void wake_one(sleeper* by) noexcept;
  /// Call after a thread took a slot.
  void note_use() noexcept { host_.note_use(); }
  /// True: a slot is free for forks. So each worker that begins a job places a request with itself,
  /// and its first fork becomes public and wakes a worker.
  void set_wanted(bool wanted) noexcept { wanted_.store(wanted, base::relaxed); }
  bool is_wanted() const noexcept {
    if (const base::simulation* const sim = base::current_simulation();
        sim != nullptr && sim->steals_everything)
      return true;
    return wanted_.load(base::relaxed);  // relaxed: seen by the next root at the latest
  }
  /// Wakes all sleepers; no worker parks from now on.
  void shut_down() noexcept;

  // -----------------------------------------------------------------------------------------------
  // the driver
  /// Ensures a driver if all slots are taken, and timers are pending or a source is attached: tells
  /// a parked worker to look, or starts a thread.
  void ensure_driver() noexcept;
  slot_timers& timers() noexcept { return timers_; }
  const slot_timers& timers() const noexcept { return timers_; }
  /// Call after a timer became the first of its queue (it may have expired since). Wakes a worker
  /// if no thread would be awake by then. `by`: the calling worker, or null.
  void timer_added(std::uint64_t due_ns, sleeper* by) noexcept;
  /// True when a timer is due, or is due before the driver wakes.
  bool timer_lacks_driver() const noexcept;
  /// From now on one idle worker blocks in `added`, and all poll it. At most once.
  void attach(external_source& added) noexcept;
  external_source* source() const noexcept { return source_.load(base::acquire<edge::enlist>); }
  /// True when work may come by itself: a timer or an arrival.
  bool awaits_something() const noexcept { return timers_.are_used() || source() != nullptr; }
  /// True when a slot is free and the source has no poller, nor both an active poller and a backup
  /// poller.
  bool source_lacks_poller() noexcept;
  /// `me`, on an ordinary slot, has taken arrivals: it is the active poller, as it polls again when
  /// these have run.
  void note_event(const sleeper& me) noexcept {
    last_event_ticks_.store(base::ticks(), base::relaxed);  // relaxed, both: hints
    active_poller_.store(&me, base::relaxed);
  }
  /// It parks or blocks: it is no longer the active poller.
  void stop_polling(const sleeper& me) noexcept;

 private:
  friend slot_allocator;
  friend driver;

  void start_driving(std::uint64_t due_ns, sleeper* by) noexcept;
  void wake_for_visible_work() noexcept;
  void return_unused(slot* given, sleeper* by) noexcept;
  sleeper* pop_worker() noexcept FILCH_REQUIRES(lock_);
  void push_sleeper(sleeper& me) noexcept FILCH_REQUIRES(lock_);
  sleeper* pop_sleeper() noexcept FILCH_REQUIRES(lock_);
  void remove_sleeper(sleeper& me) noexcept FILCH_REQUIRES(lock_);
  void unpark(sleeper& woken, bool is_poller) noexcept;
  bool wake_self(sleeper& me) noexcept;
  bool wake_self_with_driver_slot(sleeper& me) noexcept;
  void take_wake(sleeper& me, slot* taken) noexcept FILCH_REQUIRES(lock_);
  bool driver_is_missing() const noexcept FILCH_REQUIRES(lock_);
  bool was_told_to_drive(sleeper& me) noexcept;
  bool has_active_poller() const noexcept FILCH_REQUIRES(lock_);
  bool had_event_within(std::uint64_t microseconds) const noexcept;
  void stop_driving(const sleeper& me) noexcept FILCH_REQUIRES(lock_);
  void stop_backing_up(const sleeper& me) noexcept FILCH_REQUIRES(lock_);
  void leave_duties(const sleeper& me) noexcept FILCH_REQUIRES(lock_);

  alignas(base::cache_line_bytes) parking_host& host_;  // read without the lock, so not beside it
  std::unique_ptr<index_table> free_workers_;
  std::unique_ptr<sleeper*[]> workers_;  ///< By index. Writer: `add`, before it is in use.
  slot_timers timers_{all_slots()};
  base::atomic<external_source*> source_{nullptr};  ///< Writer: `attach`. Readers: all.
  /// Writers: idle workers and the threads that wake them. Readers: workers that begin a job.
  base::atomic<bool> wanted_;
  alignas(base::cache_line_bytes) bool is_shut_down_ FILCH_GUARDED_BY(lock_) = false;
  /// Last in, first out: the warmest wakes first.
  sleeper* sleepers_ FILCH_GUARDED_BY(lock_) = nullptr;
  // The driver: one sleeper has each duty, or none has it. One may have several.
  /// Looks for private forks now and then.
  sleeper* timed_sleeper_ FILCH_GUARDED_BY(lock_) = nullptr;
  /// The poller: blocks in the event source.
  sleeper* poller_ FILCH_GUARDED_BY(lock_) = nullptr;
  /// The backup poller: looks now and then whether it must poll.
  sleeper* backup_poller_ FILCH_GUARDED_BY(lock_) = nullptr;
  /// Wakes for the first timer.
  sleeper* timer_driver_ FILCH_GUARDED_BY(lock_) = nullptr;
  /// A worker was told to look, or a thread was started, and has yet to come to the list.
  bool driver_comes_ FILCH_GUARDED_BY(lock_) = false;
  /// When `timer_driver_` wakes. Writers: under `lock_`. Readers: threads that start timers.
  alignas(base::cache_line_bytes) base::atomic<std::uint64_t> driven_until_ns_{timer::never};
  /// Writers: workers that take arrivals. Readers: sleepers.
  base::atomic<std::uint64_t> last_event_ticks_{0};
  /// The active poller, while it is awake. Writers: workers. Readers: sleepers.
  base::atomic<const sleeper*> active_poller_{nullptr};
  policy::poll_interval poll_interval_ FILCH_GUARDED_BY(lock_);  ///< How long a poller is active.
};

extern template class basic_slot_allocator<parking_lot, base::real_sync, slot, base::parker>;

}  // namespace filch::sched
