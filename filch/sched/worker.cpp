#include <filch/sched/worker.hpp>

#include <filch/base/clock.hpp>
#include <filch/base/exceptions.hpp>
#include <filch/base/membarrier.hpp>
#include <filch/base/stack_overflow.hpp>
#include <filch/base/thread.hpp>
#include <filch/sched/continuation.hpp>
#include <filch/sched/poll_scope.hpp>
#include <filch/sched/scheduler.hpp>

#include <algorithm>
#include <bit>
#include <utility>

namespace filch::sched {
namespace {

// Depth of nested forks that can be stolen; deeper ones run as plain calls. Eight MiB of address
// space, not of memory.
constexpr std::size_t fork_depth = std::size_t{1} << 18;

void pause_pops_of(void* stack) noexcept { static_cast<queue::fork_stack*>(stack)->pause_pops(); }
void resume_pops_of(void* stack) noexcept { static_cast<queue::fork_stack*>(stack)->resume_pops(); }

}  // namespace

worker::worker(scheduler& home, unsigned worker_index)
    : pool_stack{home, worker_index},
      recorded{counters,
               home.number,
               worker_index,
               home.slot_count(),
               {pause_pops_of, resume_pops_of, static_cast<queue::fork_stack*>(this)}},
      random_{home.options.seed ^ (std::uint64_t{worker_index} << 32)},
      entries_{fork_depth * sizeof(queue::fork_entry)} {
  // An unused entry is all zeroes: the reservation holds a quarter of a million of them already.
  claim.home = &home.parking;
  claim.own = &own_slot_;
  adopt(static_cast<queue::fork_entry*>(entries_.data()), fork_depth,
        !base::has_asymmetric_fence());
}

void resume(slot_waiter& claim) noexcept { claim.home->resume(claim); }

// -------------------------------------------------------------------------------------------------
// reports
std::uint16_t worker::held_slot() const noexcept {
  if (claim.is_overcommitted()) return event::record::nobody;
  const auto number = static_cast<std::size_t>(claim.granted - core.parking.all_slots().data());
  return number < std::min<std::size_t>(core.slot_count(), event::record::most_slots)
             ? static_cast<std::uint16_t>(number)
             : event::record::nobody;
}

void worker::change(event::activity next, event::ready_work seen) noexcept {
  change_at(next, base::ticks(), seen);
}

// The only place that reads `claim` for records: another thread may grant a slot at any time to a
// worker that holds none.
void worker::change_at(event::activity next, std::uint64_t now_ticks,
                       event::ready_work seen) noexcept {
  using enum event::activity;
  const event::activity ended = counters.doing();
  const std::uint64_t lasted_us = counters.change(next, now_ticks) / core.ticks_per_us();
  counters.classify(event::length_of(ended), lasted_us);
  const bool holds_slot = next == working || next == searching || next == waiting;
  const std::uint16_t slot = holds_slot ? held_slot() : event::record::nobody;
  recorded.change({next, slot});
  state_word_ =
      event::record{.what = event::kind::job_changed, .doing = next, .slot = slot, .other = 0}
          .pack()[1];
  // Relaxed: a hint
  if (holds_slot) claim.granted->holder.store(event::details::with(index).other, base::relaxed);
  event::count_event(counters, event::kind::state_changed);
  trace::ring_writer* const here = recorded.get();
  if (here == nullptr) [[likely]]
    return;
  tell_duration(*here, event::length_of(ended), lasted_us);
  here->tell_activity(counters);
  if (next == parked || next == away) write_pauses(*here, now_ticks);
  write(*here, event::kind::state_changed, {.ready = seen}, now_ticks);
}

void worker::report_waking() noexcept {
  const std::uint64_t since = std::exchange(woken_at_ticks_, 0);
  if (since == 0) return;
  const std::uint64_t took = base::ticks() - since;
  const std::uint64_t took_us = took / core.ticks_per_us();
  counters.add_duration(event::measure::waking, took, took_us);
  core.wake_took(took * 1000 / core.ticks_per_us());
  if (trace::ring_writer* const here = recorded.get())
    tell_duration(*here, event::measure::waking, took_us);
}

void worker::report_look(bool saw_work) noexcept {
  trace::ring_writer* const here = recorded.get();
  if (here != nullptr) [[unlikely]]
    write(*here, event::kind::state_changed, {.ready = as_ready(saw_work)}, base::ticks());
}

void worker::write(trace::ring_writer& here, event::kind what, const event::details& about,
                   std::uint64_t now_ticks) noexcept {
  if (about.count == 0) return;
  tell_count(here, what);
  std::uint32_t amount = about.amount;
  if (what == event::kind::state_changed)
    amount = event::seen_takeable(told_takeable_ = takeable());
  here.write(
      {now_ticks, what, counters.doing(), about.ready, recorded.now().slot, about.other, amount});
}

std::uint64_t worker::takeable() const noexcept { return peek().size() + ready_count(); }

std::uint64_t worker::ready_count() const noexcept {
  return recorded.now().slot == event::record::nobody ? 0 : claim.granted->ready.size_hint();
}

void worker::write_look(trace::ring_writer& here) noexcept {
  write(here, event::kind::state_changed, {}, base::ticks());
}

void worker::tell_count(trace::ring_writer& here, event::kind what) noexcept {
  here.tell(counters, event::counter_words::count_of(what));
  here.tell_ready(ready_count());
}

void worker::tell_duration(trace::ring_writer& here, event::measure what,
                           std::uint64_t microseconds) noexcept {
  here.tell(counters, event::counter_words::ticks_of(what),
            event::counter_words::class_of(what, event::class_of(microseconds)));
}

void worker::write_pauses(trace::ring_writer& here, std::uint64_t now) noexcept {
  const trace::ring_writer::pauses since = here.paused(now, counters);
  const auto report = [&](event::kind what, std::uint64_t microseconds) {
    counters.add(what, microseconds);
    event::in_amounts(microseconds, [&](std::uint32_t part) {
      write(here, what, event::details::times(part), now);
    });
  };
  report(event::kind::run_delayed, since.run_delay_us);
  report(event::kind::slept_in_job, since.slept_us);
}

void worker::write_job(trace::ring_writer& here, std::uintptr_t code, std::uint16_t from) noexcept {
  // Before the kernel is asked: that is no part of taking the job
  const std::uint64_t now = base::ticks();
  write_pauses(here, now);
  const std::uint32_t site = here.site_of(code);
  write(here, event::kind::job_run, {.other = from, .amount = site}, now);
  if (here.tells_jobs()) job_ = job_.within(site);
  // A worker that empties its ready queue changes its activity at no job: it records a look
  // whenever the number of waiting jobs has doubled or halved.
  if (std::bit_width(takeable()) != std::bit_width(told_takeable_)) write_look(here);
}

// -------------------------------------------------------------------------------------------------
// the next job
[[gnu::always_inline]] inline queue::fork_entry* worker::begin_job(queue::fork_entry* stolen,
                                                                   priority urgency) noexcept {
  claim.granted->turns.begins(urgency);
  queue::fork_entry* const before = leapfrog_.begin(stolen);
  if (core.is_wanted()) request_work();
  return before;
}

[[gnu::always_inline]] inline void worker::run_now(detached_job* taken,
                                                   std::uint16_t from) noexcept {
  if (is_searching_ || counters.doing() != event::activity::working) [[unlikely]]
    leave_search_for_work();
  const event::job_place outer = job_;
  begin_job(nullptr, taken->urgency);
  if (taken->finds_its_job) {
    found_job_is_from_ = from;
  } else {
    report_job(reinterpret_cast<std::uintptr_t>(taken->finish), from);
  }
  if (core.is_stopped() && !taken->has_begun) [[unlikely]]
    return discard(taken, outer);
  const bool ends_later = taken->ends_later;
  taken->finish(taken, detached_job::fate::run);
  leave_job(outer);
  if (!ends_later) core.detached_finished(this);
}

void worker::run_detached(detached_job* taken, std::uint16_t from) noexcept {
  run_now(taken, from);
}

// Most turns only look: the look is inlined, the rest is out of line.
[[gnu::always_inline]] inline bool worker::look_for_injected(priority which) noexcept {
  return core.has_injected(which) && take_injected(which);
}

[[gnu::always_inline]] inline bool worker::run_normal() noexcept {
  const bool injector_first = ++claim.granted->turn % injector_every == 0;
  if (injector_first && poll_source(external_source::look::between_jobs) &&
      take_injected(priority::high))
    return true;
  if (injector_first && (take_injected() || look_elsewhere())) return true;
  if (detached_job* const oldest = take_oldest_ready()) {
    run_now(oldest, event::record::nobody);
    return true;
  }
  return take_injected() || run_arrived();
}

bool worker::run_normal_first() noexcept { return run_normal() || take_injected(priority::high); }

[[gnu::always_inline]] inline bool worker::run_next() noexcept {
  if (core.uses_timers() && time_to_look_at_timers() && run_due()) return true;
  policy::priority_rotation& turns = claim.granted->turns;
  if (turns.is_backgrounds() && take_injected(priority::background)) return true;
  if (turns.is_normals()) [[unlikely]]
    return run_normal_first();
  return look_for_injected(priority::high) || run_normal();
}

bool worker::run_one() noexcept { return run_next(); }

// -------------------------------------------------------------------------------------------------
// its thread

void worker::serve() noexcept {
  current_stack = this;
  base::tell_of_stack_overflow(&forks_here);
  core.prepare_thread(*this);
  compute_as_the_pool();
  call_back(core.options.on_thread_start);
  record_event(event::kind::thread_started);
  recorded.sit_down();
  is_searching_ = true;
  if (!holds_slot()) core.parking.sleep(*this);
  while (holds_slot()) {
    if (core.parking.is_extra(claim.granted)) {
      if (run_what_came()) continue;
    } else if (may_begin_jobs()) {
      if (run_next() || search() == search_end::found_work || take_injected(priority::background))
        continue;
    }
    if (!is_searching_) core.parking.idle().begin_search();
    core.parking.sleep(*this);
    is_searching_ = true;
  }
  change(event::activity::away);
  call_back(core.options.on_thread_stop);
  current_stack = &outside_stack;  // destructors of thread-local objects run after this
}

// -------------------------------------------------------------------------------------------------
// detached jobs

// No frame of a user that could hold a lock lies below it on the stack: it may give up its slot.
bool worker::may_begin_jobs() noexcept {
  return !core.parking.is_over_limit() && (!claim.is_overcommitted() || regularize());
}

bool worker::regularize() noexcept {
  const bool is_regular = core.parking.regularize(claim);
  if (is_regular) change(counters.doing());
  return is_regular;
}

// On the driver's slot: timers, arrivals, and jobs that these make ready. Others wait for a regular
// slot.
bool worker::run_what_came() noexcept {
  const bool looks_at_timers = core.uses_timers() && time_to_look_at_timers();
  if (looks_at_timers && run_due()) return true;
  if (++claim.granted->turn % injector_every == 0)
    core.poll_source(external_source::look::between_jobs);
  const auto take_one = [this] { return take_injected(priority::high) || take_detached(); };
  if (take_one() || (core.poll_source(external_source::look::for_want_of_work) && take_one()))
    return true;
  return core.uses_timers() && !looks_at_timers && run_due();
}

// A due timer goes before new jobs: its waiter has waited already. A waiter that is no job runs in
// `go_on`, or on a thread of its own, and a background job after all others. True: a job ran, or a
// worker between two jobs has resumed a waiter.
bool worker::run_due() noexcept {
  const std::uint64_t now = base::now_ns();
  timer_checks_.looked(now, base::ticks());
  if (core.first_timer_ns() == timer::never) return false;
  was_just_woken_ = rose_by_itself_ = false;  // most likely for timers: says nothing about forks
  while (timer* const due = take_due(now)) {
    timer_checks_.found_one();
    if (run_as_next(resume_waiter(*due))) return true;
    if (!is_searching_) return true;  // its search ended for a waiter that ran
  }
  return false;
}

timer* worker::take_due(std::uint64_t now) noexcept {
  timer_queue& mine = claim.granted->timers;
  const bool is_alone =
      core.parking.is_extra(claim.granted);  // other slots' holders look at theirs
  timer* const due = !is_alone && mine.first_ns() <= now ? mine.take_due(now) : nullptr;
  return due != nullptr ? due : core.take_due_timer(now);
}

// Returns the job that has become ready, if any.
detached_job* worker::resume_waiter(timer& due) noexcept {
  if (due.runs_its_waiter) {
    if (is_searching_) leave_search_for_work();
    due.go_on(due);
    return nullptr;
  }
  return next_ready_by([&] { due.go_on(due); });
}

template <class F>
detached_job* worker::next_ready_by(F&& lets_go_on) noexcept {
  keeps_next_ = true;
  lets_go_on();
  keeps_next_ = false;
  return std::exchange(next_job_, nullptr);
}

// A background job waits behind all others: it is enqueued and announced like a submitted one.
bool worker::run_as_next(detached_job* first) noexcept {
  if (first == nullptr) return false;
  const bool may_run = first->urgency != priority::background;
  may_run ? run_detached(first) : core.enqueue(first);
  return may_run;
}

void worker::begins_nested() noexcept {
  takes_arrivals_ = keeps_next_ = false;
  if (next_job_ != nullptr) core.enqueue(std::exchange(next_job_, nullptr));
  if (is_searching_) leave_search_for_work();
}

// On a regular slot: sleepers rely on it to poll again.
bool worker::poll_source(external_source::look why) noexcept {
  takes_arrivals_ = true;
  const bool found = core.poll_source(why);
  takes_arrivals_ = false;
  if (found || next_job_ != nullptr) core.parking.note_event(*this);
  return found;
}

// The first job that an arrival makes ready runs next: if it were queued, another worker would be
// woken for a job that this one is about to take. Urgent jobs go first.
bool worker::run_arrived() noexcept {
  bool found = false;
  detached_job* first =
      next_ready_by([&] { found = poll_source(external_source::look::for_want_of_work); });
  if (first != nullptr && first->urgency != priority::high && core.has_injected(priority::high)) {
    core.enqueue(first);
    first = nullptr;
  }
  return run_as_next(first) ||
         (found && (take_injected(priority::high) || take_detached() || take_injected()));
}

bool worker::time_to_look_at_timers() noexcept {
  constexpr std::uint64_t longest_unseen_us = 20;
  return is_searching_ || timer_checks_.is_time([] { return base::ticks(); },
                                                longest_unseen_us * base::ticks_per_us());
}

bool worker::push_ready(detached_job* job) noexcept {
  if (!has_queues()) return false;
  FILCH_TRY {
    claim.granted->ready.push(job);
    return true;
  }
  FILCH_CATCH_ALL { return false; }
}

bool worker::take_detached() noexcept {
  detached_job* const oldest = take_oldest_ready();
  if (oldest != nullptr) run_detached(oldest);
  return oldest != nullptr;
}

bool worker::somebody_else_waits() const noexcept {
  return core.has_injected() || core.source() != nullptr || core.first_timer_ns() != timer::never ||
         core.parking.is_over_limit();
}

bool worker::take_injected(priority which) noexcept {
  detached_job* const taken = core.take_injected(which);
  if (taken == nullptr) return false;
  count(event::kind::job_injected);
  if (which != priority::high) base::take_turns_of(base::turn_length::usual);
  run_detached(taken, event::record::outside);
  return true;
}

std::uint64_t worker::leave_search_for_work() noexcept {
  was_just_woken_ = rose_by_itself_ = false;
  if (is_searching_) {
    is_searching_ = false;
    single_items_.count = 0;
    // The last searcher found work, so there may be more, and no worker searches now. Nor is there
    // a driver for certain.
    if (core.parking.idle().end_search()) {
      if (const auto seen = core.parking.idle().peek(); seen.free_slots != 0) {
        core.offer_slot(this, 1, seen.has_backup_poller ? claim.granted : nullptr);
      } else {
        // Producers have relied on a searcher that takes none of their jobs: the thread that frees
        // a slot will look.
        if (core.parking.is_extra(claim.granted)) core.parking.idle().note_waiting_work();
        core.parking.ensure_driver();
      }
    }
  }
  const std::uint64_t now = base::ticks();
  if (counters.doing() != event::activity::working)
    change_at(event::activity::working, now, event::ready_work::not_looked);
  return now;
}

void worker::discard(detached_job* taken, event::job_place outer) noexcept {
  const bool ends_later = taken->ends_later;
  core.discard_begins(*this);
  taken->finish(taken, detached_job::fate::discard);
  leave_job(outer);
  if (!ends_later) core.detached_finished(this);
  core.discard_ends();
}

void worker::call_back(void (*user)(unsigned, void*)) noexcept {
  if (user == nullptr) return;
  const poll_scope here{*this};
  FILCH_TRY { user(index, core.options.thread_context); }
  FILCH_CATCH_ALL { core.handle_escaped(std::current_exception()); }
}

// A new thread has the mode of the thread that starts it, and a job may leave another one behind.
void worker::compute_as_the_pool() noexcept {
  if (base::current_float_mode() != core.float_mode) base::set_float_mode(core.float_mode);
  tell_float_mode(core.float_mode);
}

void worker::run_stolen(queue::fork_entry* taken, unsigned victim) noexcept {
  if (continuation::is(taken->environment.read())) return run_continuation(taken, victim);
  // Read before the thief names itself: until then the victim's join helps no thief, so the victim
  // begins no job of another mode, and this word does not change.
  const as_forked mode{this, core.at(victim).float_mode_.load(base::relaxed)};
  const event::job_place outer = job_;
  queue::fork_entry* const before = begin_job(taken);
  report_job(reinterpret_cast<std::uintptr_t>(taken->run.read()),
             event::details::with(victim).other);
  taken->run.read()(taken->environment.read());
  leave_job(outer);
  leapfrog_.go_back_to(before);
  if (const std::uintptr_t sleeper = taken->complete(); sleeper != 0)
    resume(*reinterpret_cast<slot_waiter*>(sleeper));
}

// No join waits at its entry, so no helper comes for it. A join inside it that stalls names its own
// entry.
void worker::run_continuation(queue::fork_entry* taken, unsigned victim) noexcept {
  const queue::job rest{taken->run.read(), taken->environment.read()};
  taken->let_go();
  const event::job_place outer = job_;
  queue::fork_entry* const before = begin_job(nullptr);
  report_job(reinterpret_cast<std::uintptr_t>(rest.run), event::details::with(victim).other);
  rest.run(rest.environment);
  leave_job(outer);
  leapfrog_.go_back_to(before);
}

void worker::about_to_park() noexcept {
  begins_nested();
  core.parking.stop_polling(*this);
}

// A blocked worker answers no request: thieves would wait for the timeout, then expose by force.
void worker::leave_slot(const void* at) noexcept {
  about_to_park();
  waits_at_.store(at, base::relaxed);
  if (has_private()) tell_float_mode();
  while (has_private()) record_event(event::kind::fork_exposed, event::details::times(expose()));
  change(event::activity::blocked);
  record_event(event::kind::slot_handed_over);
  core.parking.release(claim);
  core.offer_slot(this);
}

void worker::take_slot() noexcept {
  core.parking.acquire(claim);
  core.note_use();
  waits_at_.store(nullptr, base::relaxed);
  change(event::activity::working);
}

void worker::serve_request(queue::request asked) noexcept {
  // Relaxed: a thief that sees an older time uses force too early, nothing more
  answered_at_.store(base::ticks(), base::relaxed);
  if (asked == queue::request::none) return;
  count(event::kind::request_answered);
  come_within_limit();
  tell_float_mode();
  const std::uint32_t exposed = expose();
  record_event(event::kind::fork_exposed, event::details::times(exposed));
  if (trace::ring_writer* const here = recorded.get(); here != nullptr && exposed != 0) [[unlikely]]
    write_look(*here);
  if (asked == queue::request::placed) core.parking.job_published(this);
}

queue::pop_outcome worker::take_back(queue::fork_entry* at) noexcept {
  const queue::pop_outcome outcome = settle(at);
  const bool offers_next = outcome == queue::pop_outcome::stolen
                               ? eager_.thieves_came(us_since_answer())
                               : !eager_.is_over() && eager_.no_thief_came(us_since_answer());
  if (offers_next) request_eagerly();
  return outcome;
}

std::uint64_t worker::us_since_answer() const noexcept {
  // Relaxed: its own
  return (base::ticks() - answered_at_.load(base::relaxed)) / base::ticks_per_us();
}

// Times are compared by their distance, as in `leaves_queues_alone`: if the counter begins again,
// no owner seems to have just answered.
bool worker::is_silent_for(std::uint64_t ticks, std::uint64_t now_ticks) const noexcept {
  if (asked() != queue::request::placed || !has_private()) return false;
  const std::uint64_t answered_at = answered_at_.load(base::relaxed);  // relaxed: as above
  return std::min(now_ticks - answered_at, answered_at - now_ticks) >= ticks;
}

}  // namespace filch::sched
