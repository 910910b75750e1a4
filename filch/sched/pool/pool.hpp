#pragma once
#include <filch/sched/current.hpp>
#include <filch/sched/detached_job.hpp>
#include <filch/sched/options.hpp>
#include <filch/sched/pool/held_callable.hpp>
#include <filch/sched/pool/with.hpp>
#include <filch/sched/worker/external_scope.hpp>

#include <cstdint>
#include <exception>
#include <type_traits>
#include <utility>

namespace filch::inline v0_2 {

struct metrics_snapshot;
struct stop_report;
namespace sched {
class pool_state;
}

/// A set of workers that run a program's parallel work. Threads start on first demand.
///
/// Threads: every member may be called from any thread, also from jobs of this or another pool,
/// except the destructor.
/// Lifetime: the destructor finishes all submitted jobs, then joins the threads. If one of the
///           pool's own jobs calls it, it cannot wait for itself: it asks the pool to stop and
///           leaves its memory and threads to the process. After fork() the child has fresh pools:
///           no threads, nothing submitted.
///
/// Its threads compute in the floating-point mode (rounding, denormals, traps) of the thread that
/// made it. A stolen job runs in the mode that its thread had when it made the job public. Sticky
/// flags stay on the thread that computed. If a thread ends by `pthread_exit` or `pthread_cancel`
/// inside a job, or with a fork under way, the process ends: other threads use what lies on its
/// stack.
class FILCH_EXPORT thread_pool {
 public:
  /// Throws: `std::invalid_argument` naming the option that makes no sense; `std::bad_alloc`.
  explicit thread_pool(pool_options options = {});
  ~thread_pool();
  thread_pool(const thread_pool&) = delete;
  thread_pool& operator=(const thread_pool&) = delete;

  /// Runs `f` here and now as part of the pool and returns its result: forks inside it belong to
  /// this pool.
  ///
  /// Cost:    two uncontended locks from outside (about 40 ns); a plain call if this thread is in
  ///          the pool already.
  /// Blocks:  never: the calling thread brought its own processor time, so it begins at once, also
  ///          if all workers are busy. Workers help when slots are free.
  /// Threads: `f` runs on the calling thread. Beside 1,024 other external threads it runs alone:
  ///          its forks run as plain calls, and `worker_index()` is `no_worker`.
  /// Throws:  what `f` throws; `pool_stopped` after `request_stop`, except to a thread that is in
  ///          the pool already, also inside `blocking`; `std::bad_alloc` or `std::system_error`
  ///          when memory for a worker is refused; then `f` has not run.
  template <class F>
  decltype(auto) run(F&& f) {
    if constexpr (sched::check_jobs<F>()) {
      require_running();
      if (is_current()) return std::forward<F>(f)();
      const sched::external_scope stay{core()};
      return std::forward<F>(f)();
    }
  }

  /// Hands `f` to the pool and returns. Jobs of one submitter and one priority start in order,
  /// first in first out.
  ///
  /// Cost:   one allocation and 10 to 20 ns; 1 to 2 us more when a sleeping worker must be woken.
  /// Throws: `pool_stopped`; `std::bad_alloc`; `std::system_error` when the pool has no thread and
  ///         the system refuses one. An exception that leaves `f` goes to
  ///         `pool_options::on_escaped_exception`.
  /// Lifetime: `f` is moved or copied in and destroyed right after it ran, or unrun after
  ///         `request_stop`. The default pool is not waited for when `main` ends: jobs that have
  ///         not begun by then are lost, and a line on stderr says so. Wait for them (`task_group`,
  ///         `spawn`).
  ///
  /// `f` runs in the floating-point mode of the pool, not of the caller. A job before it may have
  /// left another mode: a worker restores it when it runs out of work.
  template <class F>
  void submit(F&& f, priority urgency = priority::normal);

  /// Starts all threads now instead of on demand.
  /// Blocks: until they run, on the CPUs that they are pinned to.
  /// Throws: `std::system_error` naming the thread that the system refused.
  void warm_up();
  /// Lets running jobs finish and discards submitted ones that have not started. Later `run` and
  /// `submit` throw `pool_stopped`.
  void request_stop() noexcept;
  /// Ends the pool's work by `deadline`, a `steady_clock::time_point` or a duration from now, and
  /// reports what did not end: include `<filch/stop.hpp>`. Until then the pool takes no more work
  /// from outside, and finishes what it has and what that begins. At the deadline it is asked to
  /// stop as by `request_stop`. So is each task that waits for something that can be cancelled, or
  /// has asked for its stop token, then or later. They have `grace` to end, by default a second.
  ///
  /// A task is asked with its scope: tasks of another pool that share the scope are asked, too.
  /// Abandoned jobs go on, and the destructor still waits for them: a program that will not wait
  /// leaves by `std::_Exit`. Threads inside `run` are not waited for. A submission at the same time
  /// may come too late to be reported: it is freed unrun.
  ///
  /// Cost: as `request_stop`, and 1 to 2 us; from then on each end of a job costs some 5 ns more.
  /// Blocks: until all has ended, or the time is over. A second caller waits for the first. A
  /// worker of another pool gives its slot away meanwhile.
  /// Threads: none of this pool's jobs. Stop callbacks of tasks run on this thread.
  /// Throws: `std::logic_error` if one of the pool's own jobs calls, which would wait for itself;
  /// `std::bad_alloc` when all is done but the report.
  template <class When>
  stop_report stop(When deadline);
  template <class When, class Duration>
  stop_report stop(When deadline, Duration grace);

  /// How many jobs run at once: the number of slots, or what the CPU budget leaves of them now,
  /// which is followed within a second or two. External threads and jobs that come back from
  /// waiting go on beyond it; then fewer new jobs begin. While all slots run long jobs, one more
  /// thread runs timers and arrivals (Asio). A pool of one has no such thread, so that its jobs
  /// never run side by side. Time limits are kept there, too.
  unsigned concurrency() const noexcept;
  /// An upper bound of every `worker_index()` in this pool, for tables indexed by it.
  unsigned worker_capacity() const noexcept;
  /// What the workers did since the pool began: include `<filch/metrics.hpp>`.
  metrics_snapshot metrics() const;

  /// True when the calling thread works in this pool right now.
  bool is_current() const noexcept {
    return !sched::is_outside() && &sched::current_pool_stack().core == core_;
  }
  /// The scheduler's side of the pool, for filch's own parts.
  sched::scheduler& core() const noexcept { return *core_; }

 private:
  explicit thread_pool(sched::scheduler& lasts) noexcept : core_{&lasts} {}
  sched::pool_state& state() const noexcept;
  void require_running() const;
  void submit_job(sched::detached_job* job);
  stop_report stop_by(std::uint64_t deadline_ns, std::uint64_t grace_ns);

  sched::scheduler* core_;
  friend class pool_registry;
  friend sched::pool_state;
};

/// The pool that filch functions use on threads outside every pool. Made on first use, from
/// FILCH_WORKERS and the CPU budget; never destroyed, so that it works in static destructors too.
/// Throws: `std::invalid_argument` naming the environment variable that makes no sense.
FILCH_EXPORT thread_pool& default_pool();
/// Makes the default pool with `options` instead: at the start of `main`, say from `--threads`.
/// Threads still start on demand.
/// Throws: `std::logic_error` if the default pool has been made; as the constructor of a pool.
FILCH_EXPORT void configure_default_pool(const pool_options& options);

/// The pool whose job the calling thread runs, also inside `blocking`; or null. It is the object
/// that the program made, which must not end meanwhile. If one of the pool's own jobs has destroyed
/// that, it is another object for the same pool, which was asked to stop, as long as jobs are left.
/// Example: examples/pool_reports.cpp
FILCH_EXPORT thread_pool* this_pool() noexcept;

/// `this_pool()`, or `default_pool()` if that is null: the pool that forks made here belong to.
FILCH_EXPORT thread_pool& pool_here();

/// What `worker_index` returns outside every pool.
inline constexpr unsigned no_worker = ~0u;
/// As it was called in 0.1.
[[deprecated("use no_worker")]] inline constexpr unsigned npos = no_worker;

/// The calling worker's index in its pool: stable while a job runs, below `worker_capacity()`,
/// unique among running workers. `no_worker` outside every pool, and on a thread that runs alone
/// (`thread_pool::run`).
inline unsigned worker_index() noexcept {
  return sched::is_outside() ? no_worker : sched::current_pool_stack().index;
}

/// Runs `f`, which waits in the kernel or for another thread, and lets another worker have the slot
/// meanwhile.
///
/// Cost:   giving and taking the slot, about 40 ns, plus a wake if there is work to do. A plain
///         call outside every pool.
/// Blocks: as `f` does; then it goes on at once. If all `pool_options::max_spares` are in use, `f`
///         is still called at once, and no thread takes the slot until one of the pool's threads
///         comes back. Only a coroutine can wait for its turn without a thread (`co::blocking`).
///         So if all workers and spares of a pool may wait in `blocking`, `f` must not wait for a
///         job or a task of this pool.
/// Throws: what `f` throws.
template <class F>
decltype(auto) blocking(F&& f) {
  if constexpr (sched::check_jobs<F>()) {
    const sched::blocking_region leave;
    return std::forward<F>(f)();
  }
}

namespace sched {

/// Gives an exception that left a submitted job to the pool's handler.
FILCH_EXPORT void report_escaped(scheduler& core, std::exception_ptr escaped) noexcept;

/// A submitted callable and the memory it lives in.
template <class F>
struct submitted final : detached_job {
  template <class G>
  submitted(scheduler& home, priority how_urgent, G&& g) : body(std::forward<G>(g)), core{home} {
    urgency = how_urgent;
    finish = [](detached_job* self, fate end) {
      submitted* const mine = static_cast<submitted*>(self);
      std::exception_ptr escaped = end == fate::run ? mine->body.run() : mine->body.destroy();
      if (escaped) report_escaped(mine->core, std::move(escaped));
      delete mine;
    };
  }
  held_callable<F> body;
  scheduler& core;
};

}  // namespace sched

template <class F>
void thread_pool::submit(F&& f, priority urgency) {
  if constexpr (sched::check_jobs<std::decay_t<F>>()) {
    submit_job(new sched::submitted<std::decay_t<F>>(core(), urgency, std::forward<F>(f)));
  }
}

}  // namespace filch
