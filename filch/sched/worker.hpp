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

struct slot_waiter : basic_slot_waiter<slot, base::parker> {
  /// Where it is granted; set by `suspend`'s side before anybody may resume it.
  parking_lot* home = nullptr;
};

/// A thread of the pool, or a visitor's place in it: a fork stack with identity, counters and,
/// while it runs, a slot.
class worker : public pool_stack {
 public:
  worker(scheduler& home, unsigned worker_index);

  // -----------------------------------------------------------------------------------------------
  // what it owns
  event::counters counters;
  trace::recorder_handle recorded;  ///< Its place at the recorder.
  job_count jobs;                   ///< Detached jobs that it has begun and ended.
  slot_waiter claim;
  worker* next_idle = nullptr;  ///< In the list of parked workers. Guarded by the roster's lock.
  bool is_parked = false;       ///< Guarded by the roster's lock.
  /// Of the room `fork`: the job of a group that this thread runs, and those below.
  const void* group_job = nullptr;

  bool holds_slot() const noexcept { return claim.granted != nullptr; }
  /// Whether its slot has a ready queue and timers. An overcommit slot is given up between two
  /// jobs, with nothing left in it.
  bool has_queues() const noexcept { return holds_slot() && !claim.is_overcommitted(); }
  /// Counts an event and, while somebody records, writes it down.
  void record_event(event::kind what, const event::details& about = {}) noexcept {
    event::count_event(counters, what, about);
    if (trace::ring_writer* const here = recorded.get()) [[unlikely]]
      write(*here, what, about, base::ticks());
  }
  /// Counts what no record tells of.
  void count(event::kind what, std::uint64_t amount = 1) noexcept {
    counters.add(what, amount);
    if (trace::ring_writer* const here = recorded.get()) [[unlikely]]
      tell_count(*here, what);
  }
  /// Says that it is awake again, if somebody woke it. Only once nobody can choose it for a wake
  /// any more.
  void report_waking() noexcept;
  /// Does something else from now on. Its slot is the one that it holds now, or none where `next`
  /// says that it has none.
  void change(event::activity next,
              event::ready_work seen = event::ready_work::not_looked) noexcept;
  /// Says whether it saw work that an idle worker could have had; it goes on as before.
  void report_look(bool saw_work) noexcept;
  static constexpr event::ready_work as_ready(bool saw_work) noexcept {
    return saw_work ? event::ready_work::some : event::ready_work::none;
  }

  // -----------------------------------------------------------------------------------------------
  // its life as a thread
  /// Serves the pool until it shuts down: runs, searches, sleeps.
  void serve() noexcept;

  // -----------------------------------------------------------------------------------------------
  // joins
  /// The owner's answer to a request: exposes and, if somebody asked who may be asleep by now,
  /// makes sure that somebody comes for it.
  void serve_request(queue::request asked) noexcept;
  /// Whether it leaves a request unanswered, has something to answer with, and has answered none
  /// for so long. For thieves.
  bool is_silent_for(std::uint64_t ticks, std::uint64_t now_ticks) const noexcept;
  /// Decides who has the youngest fork, which may be public and lies at `at`: this worker again, or
  /// a thief.
  queue::pop_outcome take_back(queue::fork_entry* at) noexcept;
  /// Waits for the stolen job at `at`, running only descendants of it meanwhile, and frees the
  /// entry.
  void wait_for_stolen(queue::fork_entry* at) noexcept;
  /// Counts a job that begins and, while somebody records, writes it down. `code` is the function
  /// that its call site is known by; `from` whose it was, as in `record::other`.
  void report_job(std::uintptr_t code, std::uint16_t from = event::record::nobody) noexcept {
    event::count_event(counters, event::kind::job_run);
    if (trace::ring_writer* const here = recorded.get()) [[unlikely]]
      write_job(*here, code, from);
  }
  /// The same for the job that a detached one has found (`detached_job::finds_its_job`).
  void report_found_job(std::uintptr_t code) noexcept { report_job(code, found_job_is_from_); }
  /// Begins a job of `site` in the middle of the one under way, which it returns, for `leave_job`.
  /// For who tells `here` every job.
  event::job_place enter_job(trace::ring_writer& here, std::uint32_t site) noexcept;
  void leave_job(event::job_place outer) noexcept {
    if (recorded.get_for_jobs() != nullptr) [[unlikely]]
      return tell_end_of_job(outer);
    job_ = outer;
  }
  /// Begins a fold in the middle of that job: its forks are fast until it ends. For who tells
  /// `here` long jobs and samples.
  event::job_place begin_fold(trace::ring_writer& here, std::uint32_t site,
                              std::uint64_t now_ticks) noexcept;
  void end_fold(trace::ring_writer& here, event::job_place outer) noexcept;
  /// From now on the joins below that entry are told; all if it is null. Returns false, and lets
  /// them be fast, if nobody records jobs there any more.
  bool tell_joins(trace::ring_writer& here, queue::fork_entry* below) noexcept;
  /// The same, where `uncounted` records of its begin are still to be counted.
  void go_back_to(event::job_place outer, std::uint64_t uncounted) noexcept;
  /// Adds to the ready queue of the slot it holds. Returns false when there is none, or it cannot
  /// grow.
  bool push_ready(detached_job* job) noexcept;
  /// Does so with a job that nothing is to be seen to but that it is found, and counts it. Else
  /// returns false, with nothing done.
  bool push_ready_quickly(detached_job* job) noexcept {
    const bool is_usual = !keeps_next_ && !takes_arrivals_ && job->urgency == priority::normal &&
                          recorded.get() == nullptr;
    if (!is_usual || claim.is_overcommitted() || !claim.granted->ready.push_into_room(job))
        [[unlikely]]
      return false;
    counters.add(event::kind::job_queued);
    return true;
  }
  /// True where it is letting others go on, who waited for a timer or for what has arrived, and
  /// this is the first: it runs that next, which needs to be in no queue.
  bool keep_next(detached_job* job) noexcept {
    if (!keeps_next_) [[likely]]
      return false;
    keeps_next_ = false;
    next_job_ = job;
    return true;
  }
  /// What it makes ready at this moment has come from the source: a guard will do.
  bool takes_arrivals() const noexcept { return takes_arrivals_; }
  /// Something is about to run in the middle of that, which may take long, and wait for those who
  /// went on before: they are for others then, as is its search.
  void begins_nested() noexcept;
  /// The job that it runs has found that it has to go on waiting: who fetched it from another
  /// worker has disturbed that one, and nothing else.
  void steal_was_useless() noexcept { steal_was_useless_ = true; }
  /// It is going to sleep in the middle of something: nobody is to rely on what it has taken or
  /// where it looks.
  void about_to_park() noexcept;
  /// In the middle of a job: exchanges its overcommit slot for one that was withheld for it, or is
  /// free, if there is one. So its time is told as that of a slot, and what it makes ready lies in
  /// a queue of its own.
  void come_within_limit() noexcept {
    if (claim.is_overcommitted()) [[unlikely]]
      regularize();
  }
  /// Takes back the youngest job of that queue, or returns null.
  detached_job* pop_ready() noexcept { return claim.granted->ready.pop().value_or(nullptr); }
  /// True when somebody would be served if the job that runs came to its end now: detached work, a
  /// source of work, a thread without a slot. Beyond the limit it has no slot to give away, so it
  /// goes on.
  bool somebody_waits() noexcept {
    come_within_limit();
    return !claim.is_overcommitted() &&
           (claim.granted->has_jobs() || somebody_else_waits() || is_to_look_elsewhere());
  }
  /// Asked by its own thread.
  std::uint64_t random_number() noexcept { return random_(); }
  /// Gives the slot away while the thread does something else than computing, and takes one again.
  /// `at` is where it waits, as `waits_at` tells.
  void leave_slot(const void* at) noexcept;
  void take_slot() noexcept;
  /// Sleeps, without a slot, until `claim` is resumed. `at`: as above.
  void sleep_until_resumed(const void* at) noexcept;
  /// In which code it waits without a slot, or null. Threads: any; it may go on meanwhile.
  // Relaxed: a report
  const void* waits_at() const noexcept { return waits_at_.load(base::relaxed); }

  /// Tells thieves in which mode this thread computes: that of the jobs which it forks.
  void tell_float_mode() noexcept { tell_float_mode(base::current_float_mode()); }
  /// While it lives the thread, which is `me` or null outside every pool, computes as the one did
  /// that forked the job. `me` has told its mode since a user could change it: to read it costs as
  /// much as all of a small job.
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
  /// Says how many jobs others could take from it now; it goes on as before.
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
  /// The same, inlined: of what a small job costs most is between two of them.
  bool run_next() noexcept;
  bool may_begin_jobs() noexcept;
  bool regularize() noexcept;  ///< Whether it holds one of the slots now.
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

  slot own_slot_{1};  ///< The overcommit slot: its queues stay empty.
  basic_leapfrog<base::real_sync> leapfrog_{*this, index};  ///< Read by helpers.
  base::split_mix64 random_;
  policy::thief_tuning tuning_;
  policy::eager_exposure eager_;
  /// How long the last job took that it had stolen while it had nothing to do.
  std::uint64_t stole_for_us_ = 0;
  policy::ready_steal_backoff backoff_;
  policy::check_interval timer_checks_;
  detached_job* next_job_ = nullptr;    ///< The first that became ready while it let others go on.
  bool keeps_next_ = false;             ///< It does, and none has.
  bool takes_arrivals_ = false;         ///< It looks at the source, on an ordinary slot.
  std::uint64_t looked_at_queues_ = 0;  ///< In ticks. When it last had enough of ready queues.
  std::uint64_t looked_elsewhere_ = 0;  ///< In ticks. When it did so though it had jobs of its own.
  std::uint32_t given_way_ = 0;         ///< How often a job asked whether somebody waits.
  struct steal_record {
    const slot* victim = nullptr;
    std::uint64_t at = 0;     ///< In ticks.
    std::int64_t oldest = 0;  ///< What the thief had not taken, and how much of that there was.
    std::uint64_t left = 0;
  } last_steal_;
  /// The only job of a queue, as this one saw it in this search.
  struct single_item {
    slot* victim = nullptr;
    std::int64_t number = 0;
  };
  struct {
    /// Of one look. Where there are more, the next begins elsewhere.
    std::array<single_item, 8> seen;
    std::uint32_t count = 0;
    std::uint64_t seen_at = 0;  ///< In ticks.
  } single_items_;
  bool owner_gets_on_ = false;      ///< All of them have been taken within a moment.
  bool steal_was_useless_ = false;  ///< The job under way says so.
  std::uint32_t last_victim_ = policy::nobody;
  /// Writer: itself. Readers: who reports.
  base::atomic<const void*> waits_at_{nullptr};
  std::uint64_t told_takeable_ = 0;  ///< As it last told a recording.
  /// Of the detached job under way that has yet to find its job.
  std::uint16_t found_job_is_from_ = event::record::nobody;
  /// Under way, as far as it began while jobs were told.
  event::job_place job_;
  /// Of a record that says what it does and in which slot, and in no job.
  std::uint64_t state_word_ = 0;
  bool is_searching_ = false;
  bool was_just_woken_ = false;       ///< Written by who wakes it, while it sleeps.
  std::uint64_t woken_at_ticks_ = 0;  ///< The same. 0: nobody did.
  bool rose_by_itself_ = false;       ///< From a nap, as it saw forks waiting.
  std::uint64_t asked_at_ = 0;

  base::reservation entries_;
  /// In ticks. Writer: itself. Readers: thieves.
  alignas(base::cache_line_bytes) base::atomic<std::uint64_t> answered_at_{0};
  /// Of the jobs that it has made public. Relaxed: a thief that won one sees what stood here when
  /// it became public, or later. Writer: itself. Readers: thieves.
  base::atomic<base::float_mode> float_mode_{};
  friend class parking_lot;
};

/// Grants a slot to a claim suspended in any pool and wakes its thread.
void resume(slot_waiter& claim) noexcept;

/// The worker behind `current_stack`. Call only where `is_outside()` is false.
inline worker& current_worker() noexcept { return static_cast<worker&>(*current_stack); }

}  // namespace filch::sched
