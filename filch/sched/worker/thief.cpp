// How a worker without a job searches: what it looks at between two jobs, then the forks of other
// workers, then other ready queues.
#include <filch/base/clock.hpp>
#include <filch/base/thread.hpp>
#include <filch/sched/worker/scheduler.hpp>
#include <filch/sched/worker/worker.hpp>

#include <algorithm>
#include <utility>

namespace filch::inline v0_2::sched {
namespace {

// Between two rounds of requests. If it were shorter, a thief would keep taking cache lines from
// owners that are about to answer anyway.
constexpr std::uint64_t request_every_ns = 500;

}  // namespace

auto worker::search() noexcept -> search_end {
  if (!search_.is_searching) {
    const auto seen = core.parking().idle().peek();
    core.parking().idle().begin_search();
    search_.is_searching = true;
    const std::uint32_t allowed = core.parking().allowed_count();
    if (!policy::may_search(seen.searching, allowed - std::min(seen.free_slots, allowed)))
      return search_end::gave_up;
  }
  reports.change(event::activity::searching);
  compute_as_the_pool();
  core.review_budget();
  std::uint64_t begin = base::ticks();
  const std::uint64_t patience = policy::request_timeout_us * base::ticks_per_us();
  // A worker that woke itself because it saw forks requests them, and waits: owners that are not
  // stuck take back what they expose. Forks that are still there are worth stealing, and owners
  // that have not answered by then are exposed by force. It requests first, as no request may stand
  // and none has asked the owner whose forks it saw.
  const bool woke_itself = std::exchange(waiter.woke_itself, false);
  const std::uint64_t enough =
      woke_itself ? 2 * patience : search_.tuning.search_us() * base::ticks_per_us();
  const std::uint64_t steals_from = woke_itself ? begin + patience : begin;
  const std::uint64_t request_every = request_every_ns * base::ticks_per_us() / 1000;
  std::uint64_t next_request = steals_from + (woke_itself ? 0 : request_every);
  search_.asked_at = 0;
  if (woke_itself) request_from_all_again(begin);
  while (!search_.tuning.is_spent() && !core.parking().is_over_limit()) {
    if (run_one() || !search_.is_searching) return search_end::found_work;
    const std::uint64_t now = base::ticks();
    if (now >= steals_from && steal_from_some_victim(woke_itself)) return search_end::found_work;
    // If this worker parked, the owner's next job would wake it again
    if (search_.ready.have_owners_got_on()) begin = now;
    if (!core.injected().looks_empty(priority::background) && !core.wants().forks_wait() &&
        take_injected(priority::background))
      return search_end::found_work;
    // Before the end of the search, however late this thread comes here: the time for which it was
    // preempted counts as waiting.
    if (now >= next_request) {
      request_from_all_again(now);
      next_request = now + request_every;
      if (now - search_.asked_at >= patience && expose_the_silent_by_force(now)) continue;
    }
    // Ready queues are looked at in any case, and single jobs in them a second time, however late
    // this thread comes here.
    if (!search_.ready.has_singles() && now - begin > std::max(enough, search_.ready.pause())) {
      search_.tuning.searched_in_vain();
      break;
    }
    base::cpu_relax();
  }
  return search_in_vain();
}

auto worker::search_in_vain() noexcept -> search_end {
  search_.ready.forget_singles();
  if (std::exchange(waiter.was_just_woken, false)) reports.record_event(event::kind::futile_wake);
  // A parked worker needs no answer: it requests again after its timed park. Other searchers still
  // need one.
  if (core.parking().idle().peek().searching > 1) return search_end::gave_up;
  for (unsigned i = 0; i < core.parking().worker_bound(); ++i)
    core.threads().at(i).cancel_request();
  return search_end::gave_up;
}

bool worker::steal_from_some_victim(bool owners_are_stuck) noexcept {
  const unsigned count = core.parking().worker_bound();
  const std::uint64_t draw = search_.random();
  const std::uint32_t stride = policy::round_stride(draw, count);
  const std::uint32_t neighbour =
      core.threads().neighbours().draw(index, policy::reach_of(draw), draw);
  std::uint32_t victim = policy::first_victim(draw, count, search_.last_victim, neighbour);
  for (unsigned probed = 0; probed < count; ++probed, victim = (victim + stride) % count) {
    if (victim == index) continue;
    if (steal_from(core.threads().at(victim), owners_are_stuck)) {
      search_.last_victim = victim;
      return true;
    }
  }
  search_.last_victim = policy::nobody;
  return steal_from_ready_queues(draw);
}

bool worker::steal_from(worker& victim, bool is_stuck) noexcept {
  if (victim.peek().is_empty()) return false;
  const auto whom = event::details::with(victim.index);
  reports.record_event(event::kind::steal_tried, whom);
  queue::fork_entry* const taken = victim.steal();
  if (taken == nullptr) {
    reports.record_event(event::kind::steal_lost, whom);
    return false;
  }
  reports.record_event(event::kind::steal_won,
                       event::details::won_from(victim.index, victim.peek().size()));
  reports.count(event::kind::fork_stolen);
  if (is_stuck) search_.tuning.owner_was_stuck();
  base::take_turns_of(base::turn_length::usual);
  const std::uint64_t begin = leave_search_for_work();
  // Its owner may steal part of it back, or another thief may come
  if (search_.eager.thieves_came(search_.stole_for_us)) request_eagerly();
  run_stolen(taken, victim.index);
  search_.stole_for_us = (base::ticks() - begin) / base::ticks_per_us();
  search_.tuning.ran_fork(search_.stole_for_us);
  // A blocked owner cannot run its forks itself, however short they are.
  if (search_.tuning.is_spent() && victim.reports.counters.doing() == event::activity::blocked)
    search_.tuning.owner_was_stuck();
  return true;
}

bool worker::steal_from_ready_queues(std::uint64_t draw) noexcept {
  const std::uint64_t now = base::ticks();
  if (search_.ready.has_singles()) return come_back_to_single_items(now);
  if (search_.ready.leaves_queues_alone(now)) return false;
  auto& slots = core.parking().all_slots();
  const auto slot_count = static_cast<std::uint32_t>(slots.size());
  const std::uint32_t first = base::below(draw, slot_count);
  for (std::uint32_t i = 0; i < slot_count; ++i) {
    slot& victim = slots[(first + i) % slot_count];
    const std::size_t waiting = &victim == waiter.granted ? 0 : victim.ready.size_hint();
    if (waiting > 1 && steal_from_ready_queue(victim)) return true;
    if (waiting == 1 && !policy::is_on(policy::row::single_item_delay) &&
        steal_from_ready_queue(victim))
      return true;
    if (waiting == 1) search_.ready.leave_single(victim);
  }
  search_.ready.looked(now);
  return false;
}

// A worker that never runs out of jobs of its own never searches. If all workers are such or wait,
// no thread would take jobs from other queues, for which one of them may wait. If a slot is free,
// parked workers take them.
bool worker::is_time_to_look_elsewhere() const noexcept {
  constexpr std::uint64_t every_us = 1000;
  return base::ticks() - search_.looked_elsewhere >= every_us * base::ticks_per_us() &&
         core.parking().idle().peek().free_slots == 0;
}

// For a job that asks whether to yield: if so, the worker looks elsewhere in its next turn.
bool worker::is_to_look_elsewhere() noexcept {
  if (++search_.yield_checks % injector_every != 0 || core.threads().slot_count() == 1 ||
      !is_time_to_look_elsewhere())
    return false;
  waiter.granted->jobs_taken = injector_every - 1;
  return true;
}

bool worker::look_elsewhere() noexcept {
  if (core.threads().slot_count() == 1 || !is_time_to_look_elsewhere()) return false;
  const std::uint64_t now = search_.looked_elsewhere = base::ticks();
  auto& slots = core.parking().all_slots();
  const std::uint64_t draw = search_.random();
  for (std::size_t i = 0; i < slots.size(); ++i) {
    slot& victim = slots[(draw + i) % slots.size()];
    if (&victim != waiter.granted && victim.ready.size_hint() != 0 &&
        steal_from_ready_queue(victim))
      return true;
  }
  expose_the_silent_by_force(now);  // owners that have not answered since the last look
  const unsigned count = core.parking().worker_bound();
  for (unsigned i = 0; i < count; ++i) {
    const auto victim = static_cast<unsigned>((draw + i) % count);
    if (victim != index && steal_from(core.threads().at(victim), true)) return true;
  }
  search_.asked_at = 0;
  request_from_all_again(now);
  return false;
}

// The owner of a queue is mostly about to take its only job. If none of the jobs seen is left, no
// owner is stuck, and their jobs need no thief.
bool worker::come_back_to_single_items(std::uint64_t now) noexcept {
  const auto singles = search_.ready.take_singles(now);
  if (singles.empty()) return false;
  for (const ready_steals::single_item& each : singles) {
    if (each.is_there() && steal_from_ready_queue(*each.victim)) return true;
  }
  search_.ready.owners_took_singles(now);
  search_.tuning.found_work();
  return false;
}

bool worker::steal_from_ready_queue(slot& victim) noexcept {
  // Relaxed: a hint
  const std::uint16_t holder = victim.holder.load(base::relaxed);
  // This worker held the slot last
  const auto whom = event::details::with(holder == index ? event::record::nobody : holder);
  reports.record_event(event::kind::steal_tried, whom);
  // One, though the deque could give half: a job behind a long one in the thief's queue would start
  // after jobs that were submitted later.
  const auto taken = victim.ready.steal();
  reports.record_event(taken ? event::kind::steal_won : event::kind::steal_lost, whom);
  if (!taken) return false;
  reports.count(event::kind::ready_stolen);
  search_.tuning.found_work();
  search_.ready.begins_job_of(victim, leave_search_for_work());
  run_detached(taken.item, whom.other);
  search_.ready.ends_job(base::ticks());
  return true;
}

void worker::request_from_all_again(std::uint64_t now) noexcept {
  const unsigned worker_count = core.parking().worker_bound();
  unsigned asked = 0;
  for (unsigned i = 0; i < worker_count; ++i) {
    if (i != index && core.threads().at(i).request_work()) ++asked;
  }
  reports.count(event::kind::request_sent, asked);
  if (search_.asked_at == 0) {
    // Now at the latest: owners place a request with themselves when a thief has finished their job
    search_.asked_at = now;
  } else if (asked != 0) {
    // A request that can be placed again was answered, and another thief took the answer.
    reports.record_event(event::kind::steal_lost);
    search_.tuning.came_too_late();
  }
}

bool worker::expose_the_silent_by_force(std::uint64_t now) noexcept {
  const std::uint64_t patience = policy::request_timeout_us * base::ticks_per_us();
  const unsigned worker_count = core.parking().worker_bound();
  bool has_forced = false;
  std::uint32_t exposed = 0;
  for (unsigned i = 0; i < worker_count; ++i) {
    worker& victim = core.threads().at(i);
    if (&victim == this || !victim.is_silent_for(patience, now)) continue;
    has_forced = true;
    exposed += victim.expose_by_force();
    reports.record_event(event::kind::forced_exposure, event::details::with(i));
  }
  if (has_forced) search_.asked_at = base::ticks();
  reports.record_event(event::kind::fork_exposed, event::details::times(exposed));
  reports.count(event::kind::fork_forced, exposed);
  if (exposed != 0) search_.tuning.owner_was_stuck();
  return exposed != 0;
}

}  // namespace filch::sched
