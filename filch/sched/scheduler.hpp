#pragma once
#include <filch/base/clock.hpp>
#include <filch/base/float_mode.hpp>
#include <filch/base/thread.hpp>
#include <filch/sched/external_source.hpp>
#include <filch/sched/injectors.hpp>
#include <filch/sched/metrics.hpp>
#include <filch/sched/neighbourhood.hpp>
#include <filch/sched/options.hpp>
#include <filch/sched/parking_lot.hpp>
#include <filch/sched/pool.hpp>
#include <filch/sched/pool_monitor.hpp>
#include <filch/sched/roots.hpp>
#include <filch/sched/starvation.hpp>
#include <filch/sched/stoppable.hpp>
#include <filch/topo/cpu_budget.hpp>

#include <exception>
#include <memory>
#include <string>
#include <vector>

namespace filch::sched {

/// More spares than this would not fit the tables; no program has use for that many blocked
/// threads.
inline constexpr unsigned most_spares = 32768;

using escaped_exception_handler = decltype(pool_options::on_escaped_exception);
/// Gives `handler`, a pool's, an exception that no caller will see. Null ends the process.
void handle_escaped(escaped_exception_handler handler, std::exception_ptr escaped) noexcept;

/// The function that goes on at `at` when its call returns, with file and offset.
/// Throws: `std::bad_alloc`.
std::string name_of(const void* at);

/// The scheduler of one pool, shared by its `thread_pool` object and its threads.
class scheduler {
 public:
  /// `slot_count` zero: as many as the CPU budget allows, now and later.
  scheduler(const pool_options& options, unsigned slot_count);
  ~scheduler();

  unsigned slot_count() const noexcept { return slot_count_; }
  /// The number of slots asked for; zero if it follows the budget.
  unsigned asked_count() const noexcept { return asked_count_; }
  unsigned worker_capacity() const noexcept { return capacity_; }
  /// Workers created so far; they have the indices below it and live as long as the pool.
  unsigned worker_count() const noexcept { return created_.load(base::acquire<edge::enlist>); }
  worker& at(unsigned index) const noexcept {
    return *table_[index].load(base::acquire<edge::enlist>);
  }

  /// Runs `job` in the order of submission relative to other submissions of this thread. Takes
  /// ownership.
  /// Throws: `pool_stopped`; `std::system_error` when the pool has no thread and cannot start one.
  void submit(detached_job* job);
  /// What `submit` does before it takes the job: refuses it, or starts a thread if there is none.
  /// Throws: the same.
  void admit();
  /// True when `admit` has nothing to do.
  bool admits_at_once() const noexcept {
    return !takes_nothing_from_outside() && !is_submission_watched() &&
           thread_count_.load(base::relaxed) != 0;
  }
  /// As `submit`, also after `request_stop`, and without a thread if there can be none: for jobs
  /// whose waiter can run them itself.
  void submit_always(detached_job* job) noexcept {
    worker* const here = worker_here();
    count_begun(here);
    enqueue(job, here);
  }
  /// The same if this thread is the worker `here` of this pool. Inlined: once per spawned task.
  [[gnu::always_inline]] void submit_always_by(worker& here, detached_job* job) noexcept {
    here.jobs.begin();
    enqueue_by(here, job);
  }
  /// The worker that this thread is in this pool, or null.
  worker* worker_here() const noexcept {
    return is_outside() || &current_worker().core != this ? nullptr : &current_worker();
  }
  void handle_escaped(std::exception_ptr escaped) noexcept {
    sched::handle_escaped(options.on_escaped_exception, std::move(escaped));
  }

  // -----------------------------------------------------------------------------------------------
  // external threads
  /// Gives an external thread a worker and a slot, at once. Null, with nothing taken, when
  /// `most_external` external threads are in the pool.
  /// Throws: `std::bad_alloc`, `std::system_error`.
  worker* enter();
  void leave(worker& visitor) noexcept;

  // -----------------------------------------------------------------------------------------------
  // work
  /// True when a submitted job has not begun, not counting the ready queue of `but_in`.
  bool detached_waits(const slot* but_in = nullptr) const noexcept;
  /// True when a thief would find a job without a request.
  bool work_visible() const noexcept;
  /// True when some worker has forked jobs, public or private.
  bool forks_wait() const noexcept;
  /// True when a thread without a slot has a use for one, or may have at any moment.
  bool could_use_a_slot() const noexcept {
    return awaits_something() || parking.is_over_limit() || detached_waits() || forks_wait();
  }
  /// After a slot became free, by `giver` if not null: wakes a worker for it if there is work, else
  /// requests work. `held` slots are the caller's own: it sees the request itself. Jobs in the
  /// ready queue of `but_in` need no worker.
  void offer_slot(worker* giver, std::uint32_t held = 0, const slot* but_in = nullptr) noexcept;
  /// Leaves a standing request with all workers, and with those to come.
  void request_from_all() noexcept;
  bool is_wanted() const noexcept {
    if (const base::simulation* const stage = base::current_simulation();
        stage != nullptr && stage->steals_everything)
      return true;
    return wanted_.load(base::relaxed);  // relaxed: seen by the next root at the latest
  }
  void set_wanted(bool wanted) noexcept { wanted_.store(wanted, base::relaxed); }
  /// From now on one idle worker blocks in `added`, and all poll it. At most once per pool.
  /// Throws: `std::system_error` as `start_thread`.
  void attach(external_source& added);
  external_source* source() const noexcept { return source_.load(base::acquire<edge::enlist>); }
  bool poll_source(external_source::look why) noexcept;
  /// True when work may come by itself: a timer or an arrival.
  bool awaits_something() const noexcept { return uses_timers() || source() != nullptr; }

  /// An attachment: what another room keeps with a pool.
  class attachment {
   public:
    virtual ~attachment() = default;
  };
  /// The only one. Made by the first call, destroyed with the pool. Throws: what `make` throws.
  attachment& attachment_made_by(std::unique_ptr<attachment> (*make)(const scheduler&));

  /// A worker runs `ns` after it was chosen for a wake.
  void wake_took(std::uint64_t ns) noexcept {
    wake_ns_.store(cost_of_wake().after(ns).ns(), base::relaxed);
  }  // relaxed, both: if two report at once, one report is lost
  policy::measured_wake cost_of_wake() const noexcept {
    return policy::measured_wake{wake_ns_.load(base::relaxed)};
  }

  // -----------------------------------------------------------------------------------------------
  // timers
  /// Where this thread starts timers: with the slot that it holds here, else with the first slot.
  timer_queue& timers_here() noexcept;
  /// Call after a timer became the first of its queue (it may have expired since). Wakes a worker
  /// if no thread would be awake by then.
  void timer_added(std::uint64_t due_ns) noexcept;
  /// True once a timer was started in this pool. Until then no thread looks for timers.
  bool uses_timers() const noexcept {
    return uses_timers_.load(base::relaxed);
  }  // relaxed: ordered by the idle word, as they are
  /// When the first of all is due, or `timer::never`.
  std::uint64_t first_timer_ns() const noexcept;
  /// Takes out the timer that has been due longest, or null: none is due, or another thread was
  /// faster. The caller must call its `go_on`.
  timer* take_due_timer(std::uint64_t now_ns) noexcept;
  detached_job* take_injected(priority which) noexcept { return injectors_.take(which); }
  bool has_injected(priority which) const noexcept { return !injectors_.looks_empty(which); }
  bool has_injected() const noexcept { return !injectors_.look_empty(); }
  /// Makes `job` visible, in the ready queue of the calling worker or else in an injector, and
  /// wakes a worker if no other would find it.
  void enqueue(detached_job* job) noexcept { enqueue(job, worker_here()); }
  /// The same if the caller knows which worker this thread is in this pool, or null.
  void enqueue(detached_job* job, worker* here) noexcept;
  /// The pool waits for one more job until `detached_finished`. Call before the job is visible, or
  /// from a job that is counted already.
  void detached_begun() noexcept { count_begun(worker_here()); }
  void detached_finished() noexcept { detached_finished(worker_here()); }
  /// The same if the caller knows which worker this thread is in this pool, or null.
  void detached_finished(worker* here) noexcept {
    here != nullptr ? here->jobs.end() : outside_jobs_.end_beside_others();
    if (closing_.is_awaited()) [[unlikely]]
      look_whether_all_have_ended(here);
  }
  /// Around the end of a job that is freed without having run, by its worker.
  void discard_begins(worker& here) noexcept;
  void discard_ends() noexcept;

  /// A keep-alive: while it lives the destructor waits. For a thread outside the pool that makes a
  /// coroutine ready there, or ends the last thing that the pool waits for. It must begin while the
  /// pool still waits for a job, and its end is that thread's last access to the pool.
  class keep_alive {
   public:
    explicit keep_alive(scheduler& of) noexcept : of_{of} {
      of.kept_alive_.fetch_add(1, base::relaxed);
    }  // relaxed: the pool waits for a job until after this
    keep_alive(const keep_alive&) = delete;
    keep_alive& operator=(const keep_alive&) = delete;
    ~keep_alive() { of_.kept_alive_.fetch_sub(1, base::release<edge::last_user>); }

   private:
    scheduler& of_;
  };

  // -----------------------------------------------------------------------------------------------
  // life
  /// Starts a thread that searches with the slot given, or parks first if that is null.
  /// Throws: `std::system_error` naming the thread, when the system refuses one or there are
  /// enough.
  void start_thread(slot* slot_to_search);
  bool try_start_thread(slot* slot_to_search) noexcept;
  /// Starts a thread that parks first, as the driver. Also if there are enough threads, as all of
  /// these may compute or block.
  bool try_start_driver() noexcept;
  /// Call before waiting for detached work: starts a thread if there is none, however often the
  /// system refuses one.
  void insist_on_a_thread() noexcept;
  void warm_up();
  /// A slot was taken, in a pool that may have been idle.
  void note_use() noexcept { monitor_.note_use(); }
  /// No thread could be started for a queued job.
  void note_shortage() noexcept { monitor_.note_shortage(); }
  /// The monitor, if it keeps time limits while the workers compute: in a pool of one. Null in a
  /// pool of several, which has a driver, and in a simulation.
  pool_monitor* timekeeper() noexcept;
  /// A job is queued, and no thread computes. For the monitor, as the next two.
  bool is_starved() const noexcept;
  std::uint64_t jobs_begun() const noexcept;
  void report_starvation() noexcept;
  /// Where threads wait. Throws: `std::bad_alloc`.
  std::vector<waiting_threads> waiting() const;
  /// Reads the CPU budget at most once a second, and hands out more or fewer slots accordingly.
  /// Cost: about 50 us when it reads.
  void review_budget() noexcept;
  /// On a new thread: its CPU, name and nice value, as `pool_options` say.
  void prepare_thread(const worker& thread) const noexcept;
  const neighbourhood& neighbours() const noexcept { return neighbours_; }
  void request_stop() noexcept {
    submissions_.store(submissions::none, base::relaxed);
  }  // relaxed: what it stops is a matter of timing anyway
  bool is_stopped() const noexcept { return submissions_.load(base::relaxed) == submissions::none; }
  bool takes_nothing_from_outside() const noexcept {
    return submissions_.load(base::relaxed) != submissions::all;
  }
  /// As `thread_pool::stop`; the deadline by `base::now_ns`.
  stop_report stop(std::uint64_t deadline_ns, std::uint64_t grace_ns);
  /// From now on `stop` asks and names `begun`, a job of this pool or a part of one, until it is
  /// removed (`stoppables::remove`).
  void add_stoppable(stoppable& begun) noexcept;
  void finish_and_join() noexcept;
  metrics_snapshot metrics() const;
  /// As measured since the pool began, or `base::ticks_per_us` until a worker has first searched.
  std::uint64_t ticks_per_us() const noexcept { return ticks_per_us_.load(base::relaxed); }

  mutable parking_lot parking;
  /// For the room `fork`: tickets of groups in injectors. Writers: any, by RMW.
  base::atomic<std::uint32_t> stray_tickets{0};

 private:
  const std::string thread_name_;  ///< `options.thread_name` points here.

 public:
  const pool_options options;
  const std::uint32_t number = trace::recorder_handle::next_pool();  ///< In recordings.
  /// Of its threads when they begin: the mode of the thread that made the pool.
  const base::float_mode float_mode = base::current_float_mode();
  /// The object that users see; once one of the pool's own jobs has destroyed it, `lasting`.
  // Relaxed: publishes nothing, see `show`
  thread_pool& shown() const noexcept { return *shown_.load(base::relaxed); }
  /// Called before the pool is used, and when that object ends. A thread that has learnt of the end
  /// sees `lasting`. A thread that has not may use the object while it ends, and no order would
  /// prevent that: filch's own parts take `lasting`.
  void show(thread_pool& as) noexcept { shown_.store(&as, base::relaxed); }  // relaxed: as above
  /// This pool for filch's own parts. A job that destroys its own pool cannot wait for itself: the
  /// pool is asked to stop, and the core and its threads stay for the process. The program's object
  /// is gone then, while jobs still ask for their pool, so the core has an object of its own. It is
  /// never destroyed, not even if the core's constructor throws.
  union lasting_object {
    explicit lasting_object(scheduler& of) noexcept : pool{of} {}
    ~lasting_object() {}
    thread_pool pool;
  } lasting;

 private:
  worker* create_worker() FILCH_REQUIRES(life_);
  void start_one_of(unsigned most, slot* slot_to_search);
  worker* make_place();
  void start_first_thread();
  std::uint64_t begun_count() const noexcept;  ///< Threads that run.
  std::vector<base::thread> take_threads() noexcept;
  void run_leftovers() noexcept;
  void count_begun(worker* here) noexcept {
    here != nullptr ? here->jobs.begin() : outside_jobs_.begin_beside_others();
  }
  // In a pool of one slot, its holder runs the jobs that it queues, or finds them when it gives the
  // slot away (`parking_lot::put_back`): no wake is needed.
  [[gnu::always_inline]] void enqueue_by(worker& here, detached_job* job) noexcept {
    if (!here.push_ready_quickly(job)) [[unlikely]]
      return enqueue_slowly(job, &here);
    if (slot_count_ != 1) parking.job_published(&here);
  }
  void enqueue_slowly(detached_job* job, worker* here) noexcept;
  template <class Add>
  void for_each_job_count(Add add) const noexcept {
    add(outside_jobs_);
    for (unsigned i = 0; i < worker_count(); ++i) add(at(i).jobs);
  }
  void look_whether_all_have_ended(const worker* here) noexcept;
  bool have_all_jobs_ended() const noexcept;
  void await_jobs_until(std::uint64_t until_ns) noexcept;
  /// Returns false if jobs are left. `timer::never`: waits as long as it takes.
  bool await_jobs(std::uint64_t until_ns) noexcept;
  stop_report count_what_is_left() noexcept;
  std::uint64_t unfinished_count() const noexcept;
  std::uint64_t discarded_count() const noexcept;
  void name_stoppables(stop_report& in);
  void tell_what_is_awaited() noexcept;
  bool leaves_jobs(const worker* here) const noexcept;
  [[noreturn]] void throw_no_spare() const;
  void pin(const worker& thread) const noexcept;

  /// Writers: the threads that make, fork and destroy the object. Readers: all.
  base::atomic<thread_pool*> shown_{nullptr};
  const unsigned asked_count_;
  const unsigned slot_count_;
  const unsigned capacity_;
  std::unique_ptr<base::atomic<worker*>[]> table_;  ///< Writer: `create_worker`. Readers: all.
  base::atomic<unsigned> created_{0};               ///< Writer: `create_worker`. Readers: all.
  base::atomic<external_source*> source_{nullptr};  ///< Writer: `attach`. Readers: all.
  /// Writers: woken workers. Readers: waiting threads.
  base::atomic<std::uint64_t> wake_ns_{policy::measured_wake{}.ns()};
  /// Writers: idle workers and the threads that wake them. Readers: workers that begin a job.
  base::atomic<bool> wanted_;
  base::atomic<bool> uses_timers_{false};  ///< Writers: any, once. Readers: all.
  /// Which submissions it accepts: all, those of its own jobs, or none.
  enum class submissions : unsigned char { all, own, none };
  base::atomic<submissions> submissions_{submissions::all};  ///< Writers: any. Readers: any.
  /// Jobs that threads outside the pool have begun and ended; see `worker::jobs`.
  job_count outside_jobs_;
  quiescence closing_;  ///< Where the destructor, or `stop`, meets threads that end jobs.
  injectors injectors_;

  pool_monitor monitor_;
  base::atomic<std::uint64_t> starvations_{0};  ///< Writer: the monitor. Readers: any.

  base::mutex life_;
  std::vector<base::thread> threads_ FILCH_GUARDED_BY(life_);
  std::unique_ptr<attachment> attachment_ FILCH_GUARDED_BY(life_);
  base::atomic<unsigned> thread_count_{0};  ///< Writers: under `life_`. Readers: all.
  base::mutex budget_lock_;
  /// Null if the user gave a number of workers.
  std::unique_ptr<topo::budget_watch> budget_ FILCH_GUARDED_BY(budget_lock_);
  /// Writer: the reviewer. Readers: idle workers.
  base::atomic<std::uint64_t> reviewed_ticks_{0};
  /// Writer: the reviewer. Readers: all.
  base::atomic<std::uint64_t> ticks_per_us_{base::ticks_per_us()};
  std::vector<unsigned> cpus_;  ///< Where worker i is pinned, modulo; empty: nowhere.
  topo::thread_id maker_;       ///< The thread that made a pool with pins.
  /// Of its threads, whichever thread starts them. The signal mask is set on the starter meanwhile,
  /// so that no signal finds the new thread with another mask.
  const base::thread_attributes attributes_;
  const int nice_;            ///< The same, if `pool_options::nice` is not 0.
  neighbourhood neighbours_;  ///< By these.
  base::parker drained_;
  base::mutex stopping_;  ///< Held by the thread that waits in `stop`.
  base::mutex discards_;
  std::uint64_t discards_under_way_ FILCH_GUARDED_BY(discards_) = 0;
  stoppables stoppables_;
  /// Writers: each `keep_alive`, by RMW. Reader: the destructor.
  base::atomic<std::uint32_t> kept_alive_{0};
  mutable base::mutex telling_;
  mutable metrics_snapshot told_ FILCH_GUARDED_BY(telling_);  ///< The last.
  std::uint64_t started_ns_;
  std::uint64_t started_ticks_;
};

}  // namespace filch::sched
