#pragma once
#include <filch/base/float_mode.hpp>
#include <filch/sched/driver/driver.hpp>
#include <filch/sched/options.hpp>
#include <filch/sched/parking/parking_lot.hpp>
#include <filch/sched/worker/admission.hpp>
#include <filch/sched/worker/cpu_budget.hpp>
#include <filch/sched/worker/demand.hpp>
#include <filch/sched/worker/injectors.hpp>
#include <filch/sched/worker/roots.hpp>
#include <filch/sched/worker/thread_table.hpp>
#include <filch/sched/worker/unfinished_jobs.hpp>

#include <exception>
#include <memory>
#include <string>

namespace filch::inline v0_2::sched {

using escaped_exception_handler = decltype(pool_options::on_escaped_exception);
/// Gives `handler`, a pool's, an exception that no caller will see. Null ends the process.
void handle_escaped(escaped_exception_handler handler, std::exception_ptr escaped) noexcept;

/// The scheduler of one pool: its workers, its slots, and its jobs that have not ended. Its life
/// cycle and reports are those of `pool_state`.
class scheduler : private parking_host {
  const std::string thread_name_;  ///< `options.thread_name` points here.

 public:
  /// `slot_count` zero: as many as the CPU budget allows, now and later.
  scheduler(const pool_options& options, unsigned slot_count);
  scheduler(const scheduler&) = delete;
  scheduler& operator=(const scheduler&) = delete;

  const pool_options options;
  const std::uint32_t number = trace::recorder_handle::next_pool();  ///< In recordings.
  /// Of its threads when they begin: the mode of the thread that made the pool.
  const base::float_mode float_mode = base::current_float_mode();

  // -----------------------------------------------------------------------------------------------
  // what it is made of
  parking_lot& parking() const noexcept { return parking_; }
  driver& sleeping() noexcept { return driver_; }
  thread_table& threads() noexcept { return threads_; }
  const thread_table& threads() const noexcept { return threads_; }
  injectors& injected() noexcept { return injected_; }
  unfinished_jobs& jobs() noexcept { return jobs_; }
  demand& wants() noexcept { return demand_; }
  const demand& wants() const noexcept { return demand_; }
  admission& admits() noexcept { return admission_; }
  const pool_clock& clock() const noexcept { return clock_; }

  // -----------------------------------------------------------------------------------------------
  // jobs. All ways in, each through the next:
  // - `submit`: a user's job. `admit` may refuse it.
  // - `submit_always`, `submit_always_by`: a job that was admitted or must run: a spawned task, a
  //   task group's ticket. These count the job as unfinished.
  // - `enqueue`: a job that is counted already: a resumed task, a job that `run_next` gives back.
  // - `enqueue_by`: the same on a worker. Inlined for the usual case, a push to the ready queue.
  // - `enqueue_slowly`: all else: `run_next`, the injectors, arrivals, recordings.
  /// The worker that this thread is in this pool, or null.
  worker* worker_here() const noexcept {
    return is_outside() || &current_worker().core != this ? nullptr : &current_worker();
  }
  /// Runs `job` in the order of submission relative to other submissions of this thread. Takes
  /// ownership.
  /// Throws: `pool_stopped`; `std::system_error` when the pool has no thread and cannot start one.
  FILCH_EXPORT void submit(detached_job* job);
  /// What `submit` does before it takes the job: refuses it, or starts a thread if there is none.
  /// Throws: the same.
  FILCH_EXPORT void admit();
  /// True when `admit` has nothing to do.
  bool admits_at_once() const noexcept {
    return !admission_.refuses_outsiders() && !is_submission_watched() &&
           threads_.thread_count() != 0;
  }
  /// As `submit`, also after `request_stop`, and without a thread if there can be none: for jobs
  /// whose waiter can run them itself.
  void submit_always(detached_job* job) noexcept {
    worker* const here = worker_here();
    jobs_.begin(here);
    enqueue(job, here);
  }
  /// The same if this thread is the worker `here` of this pool. Inlined: once per spawned task.
  [[gnu::always_inline]] void submit_always_by(worker& here, detached_job* job) noexcept {
    here.jobs.begin();
    enqueue_by(here, job);
  }
  /// Makes `job` visible, in the ready queue of the calling worker `here`, or else in an injector,
  /// and wakes a worker if no other would find it.
  FILCH_EXPORT void enqueue(detached_job* job, worker* here) noexcept;

  // -----------------------------------------------------------------------------------------------
  // external threads
  /// Gives an external thread a worker and a slot, at once. Null, with nothing taken, when
  /// the table has no room for one more.
  /// Throws: `std::bad_alloc`, `std::system_error`.
  worker* enter();
  void leave(worker& external) noexcept;

  // -----------------------------------------------------------------------------------------------
  // what a pool is extended by
  /// From now on one idle worker blocks in `added`, and all poll it. At most once per pool.
  /// Throws: `std::system_error` as `thread_table::start`.
  FILCH_EXPORT void attach(external_source& added);
  /// An attachment: what another room keeps with a pool.
  class attachment {
   public:
    virtual ~attachment() = default;
  };
  /// The only one. Made by the first call, destroyed with the pool. Throws: what `make` throws.
  attachment& attachment_made_by(std::unique_ptr<attachment> (*make)(const scheduler&));
  /// Reads the CPU budget, at most once a second for all callers, and hands out more or fewer slots
  /// accordingly. In a pool with a fixed number of workers it only measures the clock.
  /// Cost: about 50 us when it reads.
  void review_budget() noexcept;

 protected:
  ~scheduler() = default;

 private:
  bool work_visible() const noexcept final { return demand_.is_visible(); }
  bool detached_waits() const noexcept final { return demand_.detached_waits(); }
  bool request_forks() noexcept final {
    demand_.request_from_all();
    return demand_.forks_wait();
  }
  bool try_start_thread(slot* given) noexcept final { return threads_.try_start(given); }
  bool try_start_driver() noexcept final { return threads_.try_start_driver(); }

  // In a pool of one slot, its holder runs the jobs that it queues, or finds them when it gives the
  // slot away (`parking_lot::put_back`): no wake is needed.
  [[gnu::always_inline]] void enqueue_by(worker& here, detached_job* job) noexcept {
    if (!here.push_ready_quickly(job)) [[unlikely]]
      return enqueue_slowly(job, &here);
    if (threads_.slot_count() != 1) parking_.job_published(&here.waiter);
  }
  FILCH_EXPORT void enqueue_slowly(detached_job* job, worker* here) noexcept;

  mutable parking_lot parking_;
  driver driver_{parking_};
  alignas(base::cache_line_bytes) thread_table threads_;  // read for each job
  injectors injected_;
  demand demand_{parking_, injected_, threads_};
  unfinished_jobs jobs_{threads_, injected_};
  admission admission_;
  pool_clock clock_;
  cpu_budget budget_;
  base::mutex attaching_;
  std::unique_ptr<attachment> attachment_ FILCH_GUARDED_BY(attaching_);
};

/// A keep-alive: while it lives the destructor of the pool waits. For a thread outside the pool
/// that makes a coroutine ready there, or ends the last thing that the pool waits for. It must
/// begin while the pool still waits for a job, and its end is that thread's last access to the
/// pool.
class keep_alive {
 public:
  explicit keep_alive(scheduler& of) noexcept : of_{of.jobs()} { of_.begin_use(); }
  keep_alive(const keep_alive&) = delete;
  keep_alive& operator=(const keep_alive&) = delete;
  ~keep_alive() { of_.end_use(); }

 private:
  unfinished_jobs& of_;
};

}  // namespace filch::sched
