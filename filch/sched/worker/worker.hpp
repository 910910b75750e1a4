#pragma once
#include <filch/base/clock.hpp>
#include <filch/base/float_mode.hpp>
#include <filch/base/reservation.hpp>
#include <filch/base/rng.hpp>
#include <filch/policy/stealing.hpp>
#include <filch/policy/tuning.hpp>
#include <filch/sched/current.hpp>
#include <filch/sched/external_source.hpp>
#include <filch/sched/parking/sleeper.hpp>
#include <filch/sched/worker/job_count.hpp>
#include <filch/sched/worker/leapfrog.hpp>
#include <filch/sched/worker/ready_steals.hpp>
#include <filch/sched/worker/run_next.hpp>

#include <cstdint>
#include <optional>

namespace filch::inline v0_2::sched {

/// What a worker remembers of its searches. Times are in ticks. Threads: the worker's own.
struct search_state {
  explicit search_state(std::uint64_t seed) noexcept : random{seed} {}

  bool is_searching = false;  ///< It counts as searching in the idle word.
  base::split_mix64 random;
  policy::thief_tuning tuning;
  policy::eager_exposure eager;
  ready_steals ready;
  /// How long the last fork took that it stole in a search.
  std::uint64_t stole_for_us = 0;
  std::uint32_t last_victim = policy::nobody;
  std::uint64_t asked_at = 0;          ///< The oldest request that stands; 0: it has sent none.
  std::uint64_t looked_elsewhere = 0;  ///< When it did so though it had jobs of its own.
  std::uint32_t yield_checks = 0;      ///< How often a job asked whether other work waits.
};

/// A fork stack with identity, counters and, while it runs, a slot. Belongs to a thread of the
/// pool, or is lent to an external thread for as long as that computes in the pool.
class worker : public pool_stack {
 public:
  worker(scheduler& home, unsigned worker_index);

  /// On a line of its own: thieves watch the one before it.
  alignas(base::cache_line_bytes) sleeper waiter;
  worker_recorder reports;
  job_count jobs;  ///< Detached jobs submitted by it, and ended with it.
  /// For the room `fork`: the job of a group that this thread runs, and those below.
  const void* group_job = nullptr;

  // -----------------------------------------------------------------------------------------------
  // its life as a thread: worker.cpp
  /// Runs jobs, searches and parks until the pool shuts down.
  void serve() noexcept;

  // -----------------------------------------------------------------------------------------------
  // joins: `wait_for_stolen` is in stalled_join.cpp, the others in worker.cpp
  /// Answers a request: exposes forks. If a thief placed the request, it may be parked by now, so
  /// this wakes a worker unless one searches.
  void serve_request(queue::request asked) noexcept;
  /// Whether it has private forks, a request stands, and it has answered none for `ticks`.
  /// Threads: thieves.
  bool is_silent_for(std::uint64_t ticks, std::uint64_t now_ticks) const noexcept;
  /// Resolves the pop of the youngest fork, at `at`, which may be public: this worker has it again,
  /// or a thief has.
  queue::pop_outcome take_back(queue::fork_entry* at) noexcept;
  /// Waits for the stolen job at `at` and frees the entry. Meanwhile runs only its descendants.
  void wait_for_stolen(queue::fork_entry* at) noexcept;

  // -----------------------------------------------------------------------------------------------
  // detached jobs: `begins_nested` is in events.cpp, the others in worker.cpp
  /// Adds to the ready queue of the slot it holds. Returns false if that slot has none, or the
  /// queue cannot grow.
  bool push_ready(detached_job* job) noexcept;
  /// The fast case: pushes and counts a job of normal priority. Returns false, with nothing done,
  /// if `run_next` would keep the job, if it is an arrival, or while a recording runs.
  bool push_ready_quickly(detached_job* job) noexcept {
    const bool is_usual = !next_.keeps() && !next_.takes_arrivals() &&
                          job->urgency == priority::normal && reports.handle.get() == nullptr;
    if (!is_usual || waiter.is_overcommitted() || !waiter.granted->ready.push_into_room(job))
        [[unlikely]]
      return false;
    reports.counters.add(event::kind::job_queued);
    return true;
  }
  /// Takes back the youngest job of that queue, or returns null.
  detached_job* pop_ready() noexcept { return waiter.granted->ready.pop().value_or(nullptr); }
  run_next& next() noexcept { return next_; }
  /// Call before a callback runs while waiters are being resumed. It may take long and wait for a
  /// waiter resumed before, so other workers get the kept job and this worker's search.
  void begins_nested() noexcept;
  /// The running job has to go on waiting: stealing it has only disturbed its former worker.
  void steal_was_useless() noexcept { search_.ready.was_useless(); }
  /// True when other work would be served if the running job ended now: detached jobs, an event
  /// source, a thread without a slot. On an overcommit slot it has no slot to give, so false.
  bool somebody_waits() noexcept {
    come_within_limit();
    return !waiter.is_overcommitted() &&
           (waiter.granted->has_jobs() || somebody_else_waits() || is_to_look_elsewhere());
  }
  /// Threads: its own.
  std::uint64_t random_number() noexcept { return search_.random(); }

  // -----------------------------------------------------------------------------------------------
  // blocking: `sleep_until_resumed` is in stalled_join.cpp, the others in worker.cpp
  /// Call before blocking inside a job. Publishes the jobs it holds and gives up polling.
  void about_to_park() noexcept;
  /// Inside a job: exchanges its overcommit slot for a withheld or free one, if there is one. So
  /// its time is recorded as that of a slot, and jobs it makes ready go to a queue of its own.
  void come_within_limit() noexcept {
    if (waiter.is_overcommitted()) [[unlikely]]
      regularize();
  }
  /// Gives the slot away while the thread does not compute; `take_slot` takes one again. `at` is
  /// the code that waits, for `waits_at`.
  void leave_slot(const void* at) noexcept;
  void take_slot() noexcept;
  /// Parks, without a slot, until `waiter` is resumed. `at`: as above.
  void sleep_until_resumed(const void* at) noexcept;
  /// The code in which it waits without a slot, or null. Threads: any; it may go on meanwhile.
  // Relaxed: a report
  const void* waits_at() const noexcept { return waits_at_.load(base::relaxed); }

  // -----------------------------------------------------------------------------------------------
  // floating-point mode
  /// Publishes this thread's floating-point mode, which is that of the jobs it forks. Called when
  /// a stay in the pool or a stolen job begins, at a request, a stalled join and a blocking region:
  /// never for a fork that is not stolen. Reading the two registers takes 7 ns. A forced exposure
  /// finds the mode that was published last.
  void tell_float_mode() noexcept { tell_float_mode(base::current_float_mode()); }
  /// While it lives this thread computes in the mode `forked_in`; afterwards in its own again. `me`
  /// is its worker, or null outside every pool. The thread's own mode is the one it published: to
  /// read it costs as much as a small job. A steal in the same mode pays for two loads.
  class as_forked {
   public:
    as_forked(worker* me, base::float_mode forked_in) noexcept
        : me_{me}, told_{me == nullptr ? base::current_float_mode() : me->told_float_mode()} {
      if (forked_in != told_) [[unlikely]]
        change_to(forked_in);
    }
    ~as_forked() {
      if (mode_ && me_ != nullptr) [[unlikely]]
        me_->tell_float_mode(told_);
    }
    as_forked(const as_forked&) = delete;
    as_forked& operator=(const as_forked&) = delete;

   private:
    [[gnu::cold]] void change_to(base::float_mode wanted) noexcept {
      mode_.emplace(wanted);
      if (me_ != nullptr) me_->tell_float_mode(wanted);
    }
    worker* const me_;
    const base::float_mode told_;
    std::optional<base::in_float_mode> mode_;
  };

 private:
  base::float_mode told_float_mode() const noexcept {
    return thieves_read_.float_mode.load(base::relaxed);
  }
  void tell_float_mode(base::float_mode mine) noexcept {
    if (told_float_mode() != mine) thieves_read_.float_mode.store(mine, base::relaxed);
  }

  // park.cpp
  void park() noexcept;

  // worker.cpp: its thread, and the next job
  void compute_as_the_pool() noexcept;
  void call_back(void (*user)(unsigned worker_index, void* context)) noexcept;
  bool run_one() noexcept;
  /// The same, inlined: most of the cost of a small job is between two jobs.
  bool run_one_now() noexcept;
  bool may_begin_jobs() noexcept;
  FILCH_EXPORT bool regularize() noexcept;  ///< Returns whether it holds a regular slot now.
  detached_job* take_oldest_ready() noexcept {
    return waiter.granted->ready.take_oldest().value_or(nullptr);
  }
  bool take_detached() noexcept;
  bool run_normal() noexcept;
  [[gnu::cold, gnu::noinline]] bool run_normal_first() noexcept;
  bool take_injected(priority which = priority::normal) noexcept;
  bool look_for_injected(priority which) noexcept;
  FILCH_EXPORT bool somebody_else_waits() const noexcept;
  void run_detached(detached_job* taken, std::uint16_t from = event::record::nobody) noexcept;
  void run_now(detached_job* taken, std::uint16_t from) noexcept;  ///< The same, inlined.
  [[gnu::cold, gnu::noinline]] void discard(detached_job* taken, event::job_place outer) noexcept;
  void run_stolen(queue::fork_entry* taken, unsigned victim) noexcept;
  void run_continuation(queue::fork_entry* taken, unsigned victim) noexcept;
  queue::fork_entry* begin_job(queue::fork_entry* stolen,
                               priority urgency = priority::normal) noexcept;
  std::uint64_t leave_search_for_work() noexcept;  ///< Returns now, in ticks.
  std::uint64_t us_since_answer() const noexcept;

  // events.cpp: timers and arrivals
  bool run_what_came() noexcept;
  bool time_to_look_at_timers() noexcept;
  bool run_due() noexcept;
  timer* take_due(std::uint64_t now) noexcept;
  detached_job* resume_waiter(timer& due) noexcept;
  bool run_as_next(detached_job* first) noexcept;
  bool poll(external_source::look why) noexcept;
  bool poll_source(external_source::look why) noexcept;
  bool run_arrived() noexcept;

  // thief.cpp: the search
  enum class search_end : unsigned char { found_work, gave_up };
  search_end search() noexcept;
  search_end search_in_vain() noexcept;
  bool steal_from_some_victim(bool owners_are_stuck) noexcept;
  bool steal_from(worker& victim, bool is_stuck) noexcept;
  bool steal_from_ready_queues(std::uint64_t draw) noexcept;
  bool is_time_to_look_elsewhere() const noexcept;
  FILCH_EXPORT bool is_to_look_elsewhere() noexcept;
  bool look_elsewhere() noexcept;
  bool come_back_to_single_items(std::uint64_t now) noexcept;
  bool steal_from_ready_queue(slot& victim) noexcept;
  void request_from_all_again(std::uint64_t now) noexcept;
  bool expose_the_silent_by_force(std::uint64_t now) noexcept;

  // stalled_join.cpp
  bool help_thief_of(queue::fork_entry* mine, bool by_force) noexcept;
  void sleep_until_done(queue::fork_entry* at) noexcept;

  slot own_slot_{1};  ///< Its overcommit slot: the queues stay empty.
  base::reservation entries_;
  basic_leapfrog<base::real_sync> leapfrog_{*this, index};  ///< Read by helpers.
  search_state search_;
  run_next next_;
  policy::check_interval timer_checks_;
  /// Writer: itself. Readers: threads that report.
  base::atomic<const void*> waits_at_{nullptr};
  struct alignas(base::cache_line_bytes) {
    /// When it last answered a request, in ticks. Writer: itself. Readers: thieves.
    base::atomic<std::uint64_t> answered_at{0};
    /// Of the jobs that it has made public. Relaxed: a thief that won a job reads the value at its
    /// exposure, or a later one. Writer: itself. Readers: thieves.
    base::atomic<base::float_mode> float_mode{};
  } thieves_read_;
};

/// The worker behind `current_stack`. Call only if `is_outside()` is false.
inline worker& current_worker() noexcept { return static_cast<worker&>(*current_stack); }

}  // namespace filch::sched
