// A join whose job was stolen: steal descendants of that job back from the thief, spin, then give
// the slot away.
#include <filch/sched/worker/join_spin.hpp>
#include <filch/sched/worker/scheduler.hpp>
#include <filch/sched/worker/worker.hpp>

namespace filch::inline v0_2::sched {
namespace {

// How long a thief may leave our request unanswered while we wait for it: shorter than an idle
// worker's timeout, for here the critical path waits.
constexpr std::uint64_t patience_us = 2;

// Reads only the entry for a moment, so the thief keeps its own cache lines, which it needs to
// finish.
bool is_done_soon(const queue::fork_entry& at) noexcept {
  for (int i = 0; i < 8 && !at.is_done(); ++i) base::cpu_relax();
  return at.is_done();
}

event::details with_thief_of(const queue::fork_entry& at) noexcept {
  const auto* const thief = basic_leapfrog<base::real_sync>::thief_of(at);
  return event::details::with(thief == nullptr ? event::record::nobody : thief->number);
}

}  // namespace

void worker::wait_for_stolen(queue::fork_entry* at) noexcept {
  if (!is_done_soon(*at)) {
    reports.record_event(event::kind::join_stalled, with_thief_of(*at));
    occupy(at);
    // The user may have changed the mode since the last answer, and a job it steals back may need
    // another one
    tell_float_mode();
    queue::fork_entry* const before = leapfrog_.wait_for(at);
    reports.change(event::activity::waiting);
    join_spin idle{core.wants()};
    while (!is_done_soon(*at)) {
      if (help_thief_of(at, idle.lasts_longer_than(patience_us))) {
        idle.begin_again();
      } else if (idle.costs_more_than_sleep()) {
        sleep_until_done(at);
      }
    }
    reports.change(event::activity::working);
    leapfrog_.wait_for(before);
  }
  release(at);
  request_eagerly();  // the thief has finished our job and looks for another
}

void worker::sleep_until_done(queue::fork_entry* at) noexcept {
  if (at->leave_sleeper(reinterpret_cast<std::uintptr_t>(static_cast<slot_waiter*>(&waiter)))) {
    const base::waiting_for why{
        "a job that was stolen by worker", [at] {
          const auto* const thief = basic_leapfrog<base::real_sync>::thief_of(*at);
          return thief == nullptr ? base::waiting_for::nobody : thief->number;
        }};
    // The fork's code: calls of a join are inlined
    sleep_until_resumed(reinterpret_cast<const void*>(at->run.read()));
  }
}

void worker::sleep_until_resumed(const void* at) noexcept {
  about_to_park();
  waits_at_.store(at, base::relaxed);
  const event::activity before = reports.counters.doing();
  reports.change(event::activity::blocked);
  if (core.parking().suspend(waiter)) {
    reports.record_event(event::kind::slot_handed_over);
    core.wants().offer_slot(&waiter);
    waiter.parker.park();
    core.parking().note_use();
  }
  waits_at_.store(nullptr, base::relaxed);
  reports.change(before);
}

bool worker::help_thief_of(queue::fork_entry* mine, bool by_force) noexcept {
  const auto taken = leapfrog_.help(mine, by_force);
  if (taken.job == nullptr) return false;
  const auto whom = event::details::with(taken.thief->number);
  reports.record_event(event::kind::steal_won,
                       event::details::won_from(taken.thief->number, taken.thief->public_count()));
  reports.record_event(event::kind::stolen_back, whom);
  if (taken.thief->has_public())
    core.parking().job_published(&waiter);  // jobs exposed beside the one taken
  reports.change(event::activity::working);
  run_stolen(taken.job, taken.thief->number);
  reports.change(event::activity::waiting);
  return true;
}

}  // namespace filch::sched
