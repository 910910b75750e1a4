// Timers and arrivals, as a worker serves them between two jobs, and the jobs they make ready.
#include <filch/base/clock.hpp>
#include <filch/sched/worker/scheduler.hpp>
#include <filch/sched/worker/worker.hpp>

namespace filch::inline v0_2::sched {

// On the driver's slot: timers, arrivals, and jobs that these make ready. Others wait for a regular
// slot.
bool worker::run_what_came() noexcept {
  const bool looks_at_timers = core.parking().timers().are_used() && time_to_look_at_timers();
  if (looks_at_timers && run_due()) return true;
  if (++waiter.granted->jobs_taken % injector_every == 0) poll(external_source::look::between_jobs);
  const auto take_one = [this] { return take_injected(priority::high) || take_detached(); };
  if (take_one() || (poll(external_source::look::for_want_of_work) && take_one())) return true;
  return core.parking().timers().are_used() && !looks_at_timers && run_due();
}

// A due timer goes before new jobs: its waiter has waited already. If the waiter is a job, it runs
// next, unless it is a background job. Any other waiter runs in `go_on` or on its own thread. True:
// a job ran, or a worker between two jobs has resumed a waiter.
bool worker::run_due() noexcept {
  const std::uint64_t now = base::now_ns();
  timer_checks_.looked(now, base::ticks());
  if (core.parking().timers().first_ns() == timer::never) return false;
  waiter.found_work();  // most likely for timers: says nothing about forks
  while (timer* const due = take_due(now)) {
    timer_checks_.found_one();
    if (run_as_next(resume_waiter(*due))) return true;
    if (!search_.is_searching) return true;  // its search ended for a waiter that ran
  }
  return false;
}

timer* worker::take_due(std::uint64_t now) noexcept {
  timer_queue& mine = waiter.granted->timers;
  const bool is_alone =
      core.parking().is_driver_slot(waiter.granted);  // other slots' holders look at theirs
  timer* const due = !is_alone && mine.first_ns() <= now ? mine.take_due(now) : nullptr;
  return due != nullptr ? due : core.parking().timers().take_due(now);
}

// Returns the job that has become ready, if any.
detached_job* worker::resume_waiter(timer& due) noexcept {
  if (due.runs_its_waiter) {
    if (search_.is_searching) leave_search_for_work();
    due.go_on(due);
    return nullptr;
  }
  return next_.first_ready_by([&] { due.go_on(due); });
}

// A background job waits behind all others: it is enqueued and announced like a submitted one.
bool worker::run_as_next(detached_job* first) noexcept {
  if (first == nullptr) return false;
  const bool may_run = first->urgency != priority::background;
  may_run ? run_detached(first) : core.enqueue(first, this);
  return may_run;
}

void worker::begins_nested() noexcept {
  if (detached_job* const kept = next_.give_up(); kept != nullptr)
    core.enqueue(kept, core.worker_here());  // not this one: its slot may be about to go
  if (search_.is_searching) leave_search_for_work();
}

// On a regular slot: sleepers rely on it to poll again.
bool worker::poll_source(external_source::look why) noexcept {
  const bool found = next_.poll_by([&] { return poll(why); });
  if (found || next_.has_job()) core.parking().note_event(waiter);
  return found;
}

bool worker::poll(external_source::look why) noexcept {
  external_source* const from = core.parking().source();
  return from != nullptr && from->poll(why);
}

// The first job that an arrival makes ready runs next: if it were queued, another worker would be
// woken for a job that this one is about to take. Urgent jobs go first.
bool worker::run_arrived() noexcept {
  bool found = false;
  detached_job* first =
      next_.first_ready_by([&] { found = poll_source(external_source::look::for_want_of_work); });
  if (first != nullptr && first->urgency != priority::high &&
      !core.injected().looks_empty(priority::high)) {
    core.enqueue(first, this);
    first = nullptr;
  }
  return run_as_next(first) ||
         (found && (take_injected(priority::high) || take_detached() || take_injected()));
}

bool worker::time_to_look_at_timers() noexcept {
  constexpr std::uint64_t longest_unseen_us = 20;
  return search_.is_searching || timer_checks_.is_time([] { return base::ticks(); },
                                                       longest_unseen_us * base::ticks_per_us());
}

}  // namespace filch::sched
