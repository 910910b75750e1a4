#pragma once
#include <filch/sched/current.hpp>
#include <filch/sched/detached_job.hpp>
#include <filch/sched/external_scope.hpp>
#include <filch/sched/held_callable.hpp>
#include <filch/sched/options.hpp>

#include <cstdint>
#include <exception>
#include <type_traits>
#include <utility>

namespace filch {

struct metrics_snapshot;
struct stop_report;

/// A set of workers that run everything a program wants to do in parallel. Threads start on first
/// demand.
///
/// Threads: every member may be called from any thread, also from jobs of this or another pool,
/// except the destructor.
/// Lifetime: the destructor finishes what was submitted, then joins the threads. Called from one of
/// the pool's own jobs it
///           cannot wait for itself: it asks the pool to stop and leaves it, memory and threads, to
///           the process. After fork() the child has fresh pools: no threads, nothing submitted.
///
/// Its threads compute in the floating-point mode (rounding, denormals, traps) of the thread that
/// made it. A job that they steal runs in the mode that its thread had when it made the job public.
/// Sticky flags stay on the thread that computed. A thread must not end inside of a job, or with a
/// fork under way, by `pthread_exit` or `pthread_cancel`: it ends the process, as others use what
/// lies on its stack.
class thread_pool {
 public:
  /// Throws: `std::invalid_argument` naming the option that makes no sense; `std::bad_alloc`.
  explicit thread_pool(pool_options options = {});
  ~thread_pool();
  thread_pool(const thread_pool&) = delete;
  thread_pool& operator=(const thread_pool&) = delete;

  /// Runs `f` here and now as part of the pool and returns its result: forks inside it belong to
  /// this pool.
  ///
  /// Cost: two uncontended locks from outside (about 40 ns); a plain call where this thread is in
  /// the pool already.
  /// Blocks: never: the calling thread brought its own processor time, so it begins at once, also
  /// beside as many as the pool has
  ///          workers. Others help when slots are free.
  /// Threads: `f` runs on the calling thread. Beside 1,024 other threads from outside it runs
  /// alone: what it forks runs as plain
  ///          calls, and `worker_index()` is `npos`.
  /// Throws: what `f` throws; `pool_stopped` after `request_stop`, except to a thread that is in
  /// the pool already, also inside `blocking`;
  ///          `std::bad_alloc` or `std::system_error` when memory for a worker is refused; then `f`
  ///          has not run.
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
  /// the system refuses one.
  ///         What escapes from `f` goes to `pool_options::on_escaped_exception`.
  /// Lifetime: `f` is moved or copied in and destroyed right after it ran, or unrun after
  /// `request_stop`. The default pool is not waited for when `main` ends. What it has not begun by
  /// then is lost, and a line on stderr says so. Wait for it (`task_group`, `spawn`). `f` runs in
  /// the floating-point mode of the pool, not of the caller, unless a job before it has left
  /// another one behind: a worker puts it back when it runs out of work.
  template <class F>
  void submit(F&& f, priority urgency = priority::normal);

  /// Starts all threads now instead of on demand. Blocks: until they run, where they are pinned to.
  /// Throws: `std::system_error` naming the one that the system refused.
  void warm_up();
  /// Lets running jobs finish and discards submitted ones that have not started. Later `run` and
  /// `submit` throw `pool_stopped`.
  void request_stop() noexcept;
  /// Ends the pool's work by `deadline`, a `steady_clock::time_point` or a duration from now, and
  /// says what would not end: include `<filch/stop.hpp>`. Until then it takes nothing more from
  /// outside, and finishes what it has with all that this begins. At the deadline it is asked to
  /// stop as by `request_stop`, and so is each task that waits for something that can be cancelled,
  /// or has asked for its stop token, then or later; they have `grace` to end in, by default a
  /// second. A task is asked with its scope: who shares that in another pool is asked, too. What is
  /// abandoned goes on: the destructor waits for it still, so a program that will not wait leaves
  /// by `std::_Exit`. Threads inside `run` are not waited for, and a submission at the same time
  /// may come too late to be told of: it is freed unrun.
  /// Cost: as `request_stop`, and a microsecond or two; from then on each job that ends costs some
  /// 5 ns more.
  /// Blocks: until all has ended, or so long. A second caller waits for the first. A worker of
  /// another pool gives its slot away meanwhile.
  /// Threads: none of this pool's jobs. What tasks do when they are asked runs on this thread.
  /// Throws: `std::logic_error` to one of the pool's own jobs, which would wait for itself;
  /// `std::bad_alloc` when all is over but the report.
  template <class When>
  stop_report stop(When deadline);
  template <class When, class Duration>
  stop_report stop(When deadline, Duration grace);

  /// How many jobs run at once: the number of slots, or what the CPU budget leaves of them now,
  /// which is followed within a second or two. Threads from outside and jobs that come back from
  /// waiting go on beyond it; then fewer new jobs begin. While all slots run long jobs, what comes
  /// at its time (timers, Asio) is run by one more thread. A pool of one has none, so that its jobs
  /// never run side by side; what has a time limit is asked to stop in time there, too.
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
  void require_running() const;
  void submit_job(sched::detached_job* job);
  stop_report stop_by(std::uint64_t deadline_ns, std::uint64_t grace_ns);

  sched::scheduler* core_;
  friend class pool_registry;
  friend sched::scheduler;
};

/// The pool that filch functions use on threads outside every pool. Made on first use, from
/// FILCH_WORKERS and the CPU budget; never destroyed, so that it works in static destructors too.
/// Throws: `std::invalid_argument` naming the environment variable that makes no sense.
thread_pool& default_pool();
/// Makes the default pool with `options` instead: at the start of `main`, say from `--threads`.
/// Threads start on demand all the same.
/// Throws: `std::logic_error` where the default pool has been made; as the constructor of a pool.
void configure_default_pool(const pool_options& options);

/// The pool whose job the calling thread runs, also inside `blocking`; or null. The object that the
/// program made, which must not end meanwhile; where one of the pool's own jobs has destroyed it,
/// another one for the same pool, which was asked to stop, as long as there are jobs of it.
thread_pool* this_pool() noexcept;

/// `this_pool()`, or `default_pool()` where there is none: the pool that forks made here belong to.
thread_pool& pool_here();

/// What `worker_index` returns outside every pool.
inline constexpr unsigned npos = ~0u;

/// The calling worker's index in its pool: stable while a job runs, below `worker_capacity()`,
/// unique among running workers. `npos` outside every pool, and on a thread that runs alone
/// (`thread_pool::run`).
inline unsigned worker_index() noexcept {
  return sched::is_outside() ? npos : sched::current_pool_stack().index;
}

/// Runs `f`, which waits in the kernel or for another thread, and lets another worker have the slot
/// meanwhile.
///
/// Cost: giving and taking the slot, about 40 ns, plus a wake where there is work to do. A plain
/// call outside every pool.
/// Blocks: as `f` does; then it goes on at once.
///         With all of `pool_options::max_spares` in use `f` is called all the same, at once, and
///         nobody takes the slot until one of the pool's threads comes back: only a coroutine could
///         wait for its turn without a thread (`co::blocking`), which is what there is none of. So
///         `f` may wait for anything but a job or a task of this pool, where as many threads as it
///         has workers and spares may come to wait so.
/// Throws: what `f` throws.
template <class F>
decltype(auto) blocking(F&& f) {
  if constexpr (sched::check_jobs<F>()) {
    const sched::blocking_region leave;
    return std::forward<F>(f)();
  }
}

namespace sched {

/// As `pool_here()`, an object for the same pool that no job can destroy: for filch's own parts.
thread_pool& lasting_pool_here();

/// Gives what a submitted job threw to the pool's handler.
void report_escaped(scheduler& core, std::exception_ptr escaped) noexcept;

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
