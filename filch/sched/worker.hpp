#pragma once
#include <filch/base/clock.hpp>
#include <filch/base/float_mode.hpp>
#include <filch/base/parker.hpp>
#include <filch/base/reservation.hpp>
#include <filch/base/rng.hpp>
#include <filch/event/details.hpp>
#include <filch/event/job_place.hpp>
#include <filch/policy/stealing.hpp>
#include <filch/policy/tuning.hpp>
#include <filch/sched/current.hpp>
#include <filch/sched/external_source.hpp>
#include <filch/sched/job_count.hpp>
#include <filch/sched/leapfrog.hpp>
#include <filch/sched/slot.hpp>
#include <filch/sched/slot_waiter.hpp>
#include <filch/trace/recorder_handle.hpp>

#include <array>
#include <cstdint>
#include <optional>

namespace filch::sched {

class parking_lot;

/// A slot waiter: a thread's right to a slot of its pool.
struct slot_waiter : basic_slot_waiter<slot, base::parker> {
  /// The parking that grants the slot. Set before any thread may resume this.
  parking_lot* home = nullptr;
};

/// A fork stack with identity, counters and, while it runs, a slot. Belongs to a thread of the
/// pool, or is lent to an external thread for as long as that computes in the pool.
class worker : public pool_stack {
 public:
  worker(scheduler& home, unsigned worker_index);

  // -----------------------------------------------------------------------------------------------
  // what it owns
  event::counters counters;
  trace::recorder_handle recorded;  ///< Its handle at the recorder.
  job_count jobs;                   ///< Detached jobs that it has begun and ended.
  slot_waiter claim;
  worker* next_idle = nullptr;  ///< In the list of parked workers. Guarded by the parking lock.
  bool is_parked = false;       ///< Guarded by the parking lock.
  /// For the room `fork`: the job of a group that this thread runs, and those below.
  const void* group_job = nullptr;

  bool holds_slot() const noexcept { return claim.granted != nullptr; }
  /// Whether its slot has a ready queue and timers. Its own overcommit slot has none: it is given
  /// up between two jobs, with nothing left in it.
  bool has_queues() const noexcept { return holds_slot() && !claim.is_overcommitted(); }
  /// Counts an event and, while a recording runs, writes it down.
  void record_event(event::kind what, const event::details& about = {}) noexcept {
    event::count_event(counters, what, about);
    if (trace::ring_writer* const here = recorded.get()) [[unlikely]]
      write(*here, what, about, base::ticks());
  }
  /// Counts an event that has no record.
  void count(event::kind what, std::uint64_t amount = 1) noexcept {
    counters.add(what, amount);
    if (trace::ring_writer* const here = recorded.get()) [[unlikely]]
      tell_count(*here, what);
  }
  /// Reports how long its wake took, if it was woken. Call when no thread can choose it for a wake
  /// any more.
  void report_waking() noexcept;
  /// Changes its activity to `next`. Reports the slot that it holds, or none if `next` is an
  /// activity without a slot.
  void change(event::activity next,
              event::ready_work seen = event::ready_work::not_looked) noexcept;
  /// Records whether it saw work that an idle worker could take. Its activity stays.
  void report_look(bool saw_work) noexcept;
  static constexpr event::ready_work as_ready(bool saw_work) noexcept {
    return saw_work ? event::ready_work::some : event::ready_work::none;
  }

  // -----------------------------------------------------------------------------------------------
  // its life as a thread
  /// Runs jobs, searches and parks until the pool shuts down.
  void serve() noexcept;

  // -----------------------------------------------------------------------------------------------
  // joins
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
  /// Counts a job that begins and, while a recording runs, writes it down. `code` is the function
  /// that its call site is known by; `from` is the worker it was taken from, as in `record::other`.
  void report_job(std::uintptr_t code, std::uint16_t from = event::record::nobody) noexcept {
    event::count_event(counters, event::kind::job_run);
    if (trace::ring_writer* const here = recorded.get()) [[unlikely]]
      write_job(*here, code, from);
  }
  /// The same for the job that a detached one has found (`detached_job::finds_its_job`).
  void report_found_job(std::uintptr_t code) noexcept { report_job(code, found_job_is_from_); }
  /// Begins a job of `site` inside the one under way, which it returns, for `leave_job`. Call while
  /// `here` records every job.
  event::job_place enter_job(trace::ring_writer& here, std::uint32_t site) noexcept;
  void leave_job(event::job_place outer) noexcept {
    if (recorded.get_for_jobs() != nullptr) [[unlikely]]
      return tell_end_of_job(outer);
    job_ = outer;
  }
  /// Begins a fold inside that job: its forks are fast until it ends. Call while `here` records
  /// long jobs and samples.
  event::job_place begin_fold(trace::ring_writer& here, std::uint32_t site,
                              std::uint64_t now_ticks) noexcept;
  void end_fold(trace::ring_writer& here, event::job_place outer) noexcept;
  /// From now on the joins below that entry are recorded; all if it is null. Returns false, and
  /// lets them be fast, if jobs are no longer recorded there.
  bool tell_joins(trace::ring_writer& here, queue::fork_entry* below) noexcept;
  /// As `leave_job`, if `uncounted` records of its begin are still to be counted.
  void go_back_to(event::job_place outer, std::uint64_t uncounted) noexcept;
  /// Adds to the ready queue of the slot it holds. Returns false when there is none, or it cannot
  /// grow.
  bool push_ready(detached_job* job) noexcept;
  /// The fast case: pushes and counts a job of normal priority, unless it is kept, an arrival or
  /// recorded. Returns false, with nothing done, in any other case.
  bool push_ready_quickly(detached_job* job) noexcept {
    const bool is_usual = !keeps_next_ && !takes_arrivals_ && job->urgency == priority::normal &&
                          recorded.get() == nullptr;
    if (!is_usual || claim.is_overcommitted() || !claim.granted->ready.push_into_room(job))
        [[unlikely]]
      return false;
    counters.add(event::kind::job_queued);
    return true;
  }
  /// True if this worker is resuming waiters of a timer or an arrival, and `job` is the first that
  /// becomes ready. The worker runs it next, so it needs no queue.
  bool keep_next(detached_job* job) noexcept {
    if (!keeps_next_) [[likely]]
      return false;
    keeps_next_ = false;
    next_job_ = job;
    return true;
  }
  /// Jobs that it makes ready now come from the event source: a backup poller suffices for them.
  bool takes_arrivals() const noexcept { return takes_arrivals_; }
  /// Call before a callback runs while waiters are being resumed. It may take long and wait for a
  /// waiter resumed before, so other workers get the kept job and this worker's search.
  void begins_nested() noexcept;
  /// The running job has to go on waiting: stealing it has only disturbed its former worker.
  void steal_was_useless() noexcept { steal_was_useless_ = true; }
  /// Call before blocking inside a job. Publishes the jobs it holds and gives up polling.
  void about_to_park() noexcept;
  /// Inside a job: exchanges its overcommit slot for a withheld or free one, if there is one. So
  /// its time is recorded as that of a slot, and jobs it makes ready go to a queue of its own.
  void come_within_limit() noexcept {
    if (claim.is_overcommitted()) [[unlikely]]
      regularize();
  }
  /// Takes back the youngest job of that queue, or returns null.
  detached_job* pop_ready() noexcept { return claim.granted->ready.pop().value_or(nullptr); }
  /// True when other work would be served if the running job ended now: detached jobs, an event
  /// source, a thread without a slot. On an overcommit slot it has no slot to give, so false.
  bool somebody_waits() noexcept {
    come_within_limit();
    return !claim.is_overcommitted() &&
           (claim.granted->has_jobs() || somebody_else_waits() || is_to_look_elsewhere());
  }
  /// Threads: its own.
  std::uint64_t random_number() noexcept { return random_(); }
  /// Gives the slot away while the thread does not compute; `take_slot` takes one again. `at` is
  /// the code that waits, for `waits_at`.
  void leave_slot(const void* at) noexcept;
  void take_slot() noexcept;
  /// Parks, without a slot, until `claim` is resumed. `at`: as above.
  void sleep_until_resumed(const void* at) noexcept;
  /// The code in which it waits without a slot, or null. Threads: any; it may go on meanwhile.
  // Relaxed: a report
  const void* waits_at() const noexcept { return waits_at_.load(base::relaxed); }

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
        : me_{me},
          told_{me == nullptr ? base::current_float_mode() : me->float_mode_.load(base::relaxed)} {
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
  void change_at(event::activity next, std::uint64_t now_ticks, event::ready_work seen) noexcept;
  [[gnu::cold, gnu::noinline]] void write(trace::ring_writer& here, event::kind what,
                                          const event::details& about,
                                          std::uint64_t now_ticks) noexcept;
  [[gnu::cold, gnu::noinline]] void tell_count(trace::ring_writer& here, event::kind what) noexcept;
  [[gnu::cold, gnu::noinline]] void tell_duration(trace::ring_writer& here, event::measure what,
                                                  std::uint64_t microseconds) noexcept;
  [[gnu::cold, gnu::noinline]] void write_pauses(trace::ring_writer& here,
                                                 std::uint64_t now) noexcept;
  [[gnu::cold, gnu::noinline]] void write_job(trace::ring_writer& here, std::uintptr_t code,
                                              std::uint16_t from) noexcept;
  /// Records how many jobs other workers could take from it now.
  [[gnu::cold, gnu::noinline]] void write_look(trace::ring_writer& here) noexcept;
  [[gnu::cold, gnu::noinline]] void tell_end_of_job(event::job_place outer) noexcept;
  bool somebody_else_waits() const noexcept;
  std::uint64_t takeable() const noexcept;
  std::uint64_t ready_count() const noexcept;
  std::uint64_t job_word() const noexcept;
  std::uint64_t moment() const noexcept;
  std::uint16_t held_slot() const noexcept;

  void tell_float_mode(base::float_mode mine) noexcept {
    if (float_mode_.load(base::relaxed) != mine) float_mode_.store(mine, base::relaxed);
  }
  void compute_as_the_pool() noexcept;
  void call_back(void (*user)(unsigned worker_index, void* context)) noexcept;
  bool run_one() noexcept;
  /// The same, inlined: most of the cost of a small job is between two jobs.
  bool run_next() noexcept;
  bool may_begin_jobs() noexcept;
  bool regularize() noexcept;  ///< Returns whether it holds a regular slot now.
  bool run_what_came() noexcept;
  bool time_to_look_at_timers() noexcept;
  bool run_due() noexcept;
  timer* take_due(std::uint64_t now) noexcept;
  detached_job* resume_waiter(timer& due) noexcept;
  template <class F>
  detached_job* next_ready_by(F&& lets_go_on) noexcept;
  bool run_as_next(detached_job* first) noexcept;
  bool poll_source(external_source::look why) noexcept;
  bool run_arrived() noexcept;
  detached_job* take_oldest_ready() noexcept {
    return claim.granted->ready.take_oldest().value_or(nullptr);
  }
  bool take_detached() noexcept;
  bool run_normal() noexcept;
  [[gnu::cold, gnu::noinline]] bool run_normal_first() noexcept;
  bool take_injected(priority which = priority::normal) noexcept;
  bool look_for_injected(priority which) noexcept;
  void run_detached(detached_job* taken, std::uint16_t from = event::record::nobody) noexcept;
  void run_now(detached_job* taken, std::uint16_t from) noexcept;  ///< The same, inlined.
  [[gnu::cold, gnu::noinline]] void discard(detached_job* taken, event::job_place outer) noexcept;
  void run_stolen(queue::fork_entry* taken, unsigned victim) noexcept;
  void run_continuation(queue::fork_entry* taken, unsigned victim) noexcept;
  queue::fork_entry* begin_job(queue::fork_entry* stolen,
                               priority urgency = priority::normal) noexcept;

  enum class search_end : unsigned char { found_work, gave_up };
  search_end search() noexcept;
  bool steal_from_some_victim(bool owners_are_stuck) noexcept;
  bool steal_from(worker& victim, bool is_stuck) noexcept;
  bool steal_from_ready_queues(std::uint64_t draw) noexcept;
  bool is_time_to_look_elsewhere() const noexcept;
  bool is_to_look_elsewhere() noexcept;
  bool look_elsewhere() noexcept;
  bool come_back_to_single_items(std::uint64_t now) noexcept;
  bool steal_from_ready_queue(slot& victim) noexcept;
  void run_ready(slot& victim, detached_job* taken, std::uint16_t from) noexcept;
  bool leaves_queues_alone(std::uint64_t now) noexcept;
  // In ticks, both.
  std::uint64_t queue_pause() const noexcept {
    return backoff_.pause_ns() * base::ticks_per_us() / 1000;
  }
  static std::uint64_t single_item_moment() noexcept {
    return policy::ready_steal_backoff::single_item_ns * base::ticks_per_us() / 1000;
  }
  void request_from_all_again(std::uint64_t now) noexcept;
  bool expose_the_silent_by_force(std::uint64_t now) noexcept;
  std::uint64_t leave_search_for_work() noexcept;  ///< Returns now, in ticks.

  bool help_thief_of(queue::fork_entry* mine, bool by_force) noexcept;
  void sleep_until_done(queue::fork_entry* at) noexcept;
  std::uint64_t us_since_answer() const noexcept;

  slot own_slot_{1};  ///< Its overcommit slot: the queues stay empty.
  basic_leapfrog<base::real_sync> leapfrog_{*this, index};  ///< Read by helpers.
  base::split_mix64 random_;
  policy::thief_tuning tuning_;
  policy::eager_exposure eager_;
  /// How long the last fork took that it stole in a search.
  std::uint64_t stole_for_us_ = 0;
  policy::ready_steal_backoff backoff_;
  policy::check_interval timer_checks_;
  detached_job* next_job_ = nullptr;    ///< The first that became ready while it resumed waiters.
  bool keeps_next_ = false;             ///< It resumes waiters, and none is ready yet.
  bool takes_arrivals_ = false;         ///< It polls the source, on an ordinary slot.
  std::uint64_t looked_at_queues_ = 0;  ///< In ticks. Since then it leaves ready queues alone.
  std::uint64_t looked_elsewhere_ = 0;  ///< In ticks. When it did so though it had jobs of its own.
  std::uint32_t given_way_ = 0;         ///< How often a job asked whether other work waits.
  struct steal_record {
    const slot* victim = nullptr;
    std::uint64_t at = 0;     ///< In ticks.
    std::int64_t oldest = 0;  ///< The oldest job that the thief left,
    std::uint64_t left = 0;   ///< and how many it left.
  } last_steal_;
  /// The only job of a queue, as this worker saw it in this search.
  struct single_item {
    slot* victim = nullptr;
    std::int64_t number = 0;
  };
  struct {
    /// Of one look. If there are more, the next look begins elsewhere.
    std::array<single_item, 8> seen;
    std::uint32_t count = 0;
    std::uint64_t seen_at = 0;  ///< In ticks.
  } single_items_;
  bool owner_gets_on_ = false;      ///< All of them were taken within a moment.
  bool steal_was_useless_ = false;  ///< See `steal_was_useless`.
  std::uint32_t last_victim_ = policy::nobody;
  /// Writer: itself. Readers: threads that report.
  base::atomic<const void*> waits_at_{nullptr};
  std::uint64_t told_takeable_ = 0;  ///< As last recorded.
  /// Where the detached job under way was taken from, if it has yet to find its job.
  std::uint16_t found_job_is_from_ = event::record::nobody;
  /// The job under way, if it began while jobs were recorded.
  event::job_place job_;
  /// Of a record that holds its activity and slot, and no job.
  std::uint64_t state_word_ = 0;
  bool is_searching_ = false;
  bool was_just_woken_ = false;       ///< Writer: the thread that wakes it, while it is parked.
  std::uint64_t woken_at_ticks_ = 0;  ///< The same. 0: it was not woken.
  bool rose_by_itself_ = false;       ///< Woke from a timed park, as it saw forks.
  std::uint64_t asked_at_ = 0;

  base::reservation entries_;
  /// In ticks. Writer: itself. Readers: thieves.
  alignas(base::cache_line_bytes) base::atomic<std::uint64_t> answered_at_{0};
  /// Of the jobs that it has made public. Relaxed: a thief that won a job reads the value at its
  /// exposure, or a later one. Writer: itself. Readers: thieves.
  base::atomic<base::float_mode> float_mode_{};
  friend class parking_lot;
};

/// Grants a slot to a claim suspended in any pool and wakes its thread.
void resume(slot_waiter& claim) noexcept;

/// The worker behind `current_stack`. Call only if `is_outside()` is false.
inline worker& current_worker() noexcept { return static_cast<worker&>(*current_stack); }

}  // namespace filch::sched
