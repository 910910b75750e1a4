// How a worker without a job searches: what it looks at between two jobs, then the forks of other
// workers, then other ready queues.
#include <filch/base/clock.hpp>
#include <filch/base/thread.hpp>
#include <filch/sched/scheduler.hpp>
#include <filch/sched/worker.hpp>

#include <algorithm>
#include <utility>

namespace filch::sched {
namespace {

// Between two rounds of requests. If it were shorter, a thief would keep taking cache lines from
// owners that are about to answer anyway.
constexpr std::uint64_t request_every_ns = 500;

}  // namespace

auto worker::search() noexcept -> search_end {
  if (!is_searching_) {
    const auto seen = core.parking.idle().peek();
    core.parking.idle().begin_search();
    is_searching_ = true;
    const std::uint32_t allowed = core.parking.allowed_count();
    if (!policy::may_search(seen.searching, allowed - std::min(seen.free_slots, allowed)))
      return search_end::gave_up;
  }
  change(event::activity::searching);
  compute_as_the_pool();
  core.review_budget();
  std::uint64_t begin = base::ticks();
  const std::uint64_t patience = policy::request_timeout_us * base::ticks_per_us();
  // A worker that woke itself because it saw forks requests them, and waits: owners that are not
  // stuck take back what they expose. Forks that are still there are worth stealing, and owners
  // that have not answered by then are exposed by force. It requests first, as no request may stand
  // and none has asked the owner whose forks it saw.
  const bool rose = std::exchange(rose_by_itself_, false);
  const std::uint64_t enough = rose ? 2 * patience : tuning_.search_us() * base::ticks_per_us();
  const std::uint64_t steals_from = rose ? begin + patience : begin;
  const std::uint64_t request_every = request_every_ns * base::ticks_per_us() / 1000;
  std::uint64_t next_request = steals_from + (rose ? 0 : request_every);
  asked_at_ = 0;
  if (rose) request_from_all_again(begin);
  while (!tuning_.is_spent() && !core.parking.is_over_limit()) {
    if (run_one() || !is_searching_) return search_end::found_work;
    const std::uint64_t now = base::ticks();
    if (now >= steals_from && steal_from_some_victim(rose)) return search_end::found_work;
    // If this worker parked, the owner's next job would wake it again
    if (std::exchange(owner_gets_on_, false)) begin = now;
    if (core.has_injected(priority::background) && !core.forks_wait() &&
        take_injected(priority::background))
      return search_end::found_work;
    // Before the end of the search, however late this thread comes here: the time for which it was
    // preempted counts as waiting.
    if (now >= next_request) {
      request_from_all_again(now);
      next_request = now + request_every;
      if (now - asked_at_ >= patience && expose_the_silent_by_force(now)) continue;
    }
    // Ready queues are looked at in any case, and single jobs in them a second time, however late
    // this thread comes here.
    if (single_items_.count == 0 && now - begin > std::max(enough, queue_pause())) {
      tuning_.searched_in_vain();
      break;
    }
    base::cpu_relax();
  }
  single_items_.count = 0;
  if (std::exchange(was_just_woken_, false)) {
    record_event(event::kind::futile_wake);
    core.parking.judge_wake(false);
  }
  // A parked worker needs no answer: it requests again after its timed park. Other searchers still
  // need one.
  if (core.parking.idle().peek().searching > 1) return search_end::gave_up;
  for (unsigned i = 0; i < core.parking.worker_bound(); ++i) core.at(i).cancel_request();
  return search_end::gave_up;
}

bool worker::steal_from_some_victim(bool owners_are_stuck) noexcept {
  const unsigned count = core.parking.worker_bound();
  const std::uint64_t draw = random_();
  const std::uint32_t stride = policy::round_stride(draw, count);
  const std::uint32_t neighbour = core.neighbours().draw(index, policy::reach_of(draw), draw);
  std::uint32_t victim = policy::first_victim(draw, count, last_victim_, neighbour);
  for (unsigned probed = 0; probed < count; ++probed, victim = (victim + stride) % count) {
    if (victim == index) continue;
    if (steal_from(core.at(victim), owners_are_stuck)) {
      last_victim_ = victim;
      return true;
    }
  }
  last_victim_ = policy::nobody;
  return steal_from_ready_queues(draw);
}

bool worker::steal_from(worker& victim, bool is_stuck) noexcept {
  if (victim.peek().is_empty()) return false;
  const auto whom = event::details::with(victim.index);
  record_event(event::kind::steal_tried, whom);
  queue::fork_entry* const taken = victim.steal();
  if (taken == nullptr) {
    record_event(event::kind::steal_lost, whom);
    return false;
  }
  record_event(event::kind::steal_won,
               event::details::won_from(victim.index, victim.peek().size()));
  count(event::kind::fork_stolen);
  if (was_just_woken_) core.parking.judge_wake(true);
  if (is_stuck) tuning_.owner_was_stuck();
  base::take_turns_of(base::turn_length::usual);
  const std::uint64_t begin = leave_search_for_work();
  // Its owner may steal part of it back, or another thief may come
  if (eager_.thieves_came(stole_for_us_)) request_eagerly();
  run_stolen(taken, victim.index);
  stole_for_us_ = (base::ticks() - begin) / base::ticks_per_us();
  tuning_.ran_fork(stole_for_us_);
  // A blocked owner cannot run its forks itself, however short they are.
  if (tuning_.is_spent() && victim.counters.doing() == event::activity::blocked)
    tuning_.owner_was_stuck();
  return true;
}

bool worker::steal_from_ready_queues(std::uint64_t draw) noexcept {
  const std::uint64_t now = base::ticks();
  if (single_items_.count != 0) return come_back_to_single_items(now);
  if (leaves_queues_alone(now)) return false;
  auto& slots = core.parking.all_slots();
  const auto slot_count = static_cast<std::uint32_t>(slots.size());
  const std::uint32_t first = base::below(draw, slot_count);
  for (std::uint32_t i = 0; i < slot_count; ++i) {
    slot& victim = slots[(first + i) % slot_count];
    const std::size_t waiting = &victim == claim.granted ? 0 : victim.ready.size_hint();
    if (waiting > 1 && steal_from_ready_queue(victim)) return true;
    if (waiting == 1 && !policy::is_on(policy::row::single_item_delay) &&
        steal_from_ready_queue(victim))
      return true;
    if (waiting == 1 && single_items_.count != single_items_.seen.size())
      single_items_.seen[single_items_.count++] = {&victim, victim.ready.oldest_hint()};
  }
  single_items_.seen_at = now;
  return false;
}

// A worker that never runs out of jobs of its own never searches. If all workers are such or wait,
// no thread would take jobs from other queues, for which one of them may wait. If a slot is free,
// parked workers take them.
bool worker::is_time_to_look_elsewhere() const noexcept {
  constexpr std::uint64_t every_us = 1000;
  return base::ticks() - looked_elsewhere_ >= every_us * base::ticks_per_us() &&
         core.parking.idle().peek().free_slots == 0;
}

// For a job that asks whether to yield: if so, the worker looks elsewhere in its next turn.
bool worker::is_to_look_elsewhere() noexcept {
  if (++given_way_ % injector_every != 0 || core.slot_count() == 1 || !is_time_to_look_elsewhere())
    return false;
  claim.granted->turn = injector_every - 1;
  return true;
}

bool worker::look_elsewhere() noexcept {
  if (core.slot_count() == 1 || !is_time_to_look_elsewhere()) return false;
  const std::uint64_t now = looked_elsewhere_ = base::ticks();
  auto& slots = core.parking.all_slots();
  const std::uint64_t draw = random_();
  for (std::size_t i = 0; i < slots.size(); ++i) {
    slot& victim = slots[(draw + i) % slots.size()];
    if (&victim != claim.granted && victim.ready.size_hint() != 0 && steal_from_ready_queue(victim))
      return true;
  }
  expose_the_silent_by_force(now);  // owners that have not answered since the last look
  const unsigned count = core.parking.worker_bound();
  for (unsigned i = 0; i < count; ++i) {
    const auto victim = static_cast<unsigned>((draw + i) % count);
    if (victim != index && steal_from(core.at(victim), true)) return true;
  }
  asked_at_ = 0;
  request_from_all_again(now);
  return false;
}

// The owner of a queue is mostly about to take its only job. If none of the jobs seen is left, no
// owner is stuck, and their jobs need no thief.
bool worker::come_back_to_single_items(std::uint64_t now) noexcept {
  if (now - single_items_.seen_at < single_item_moment()) return false;
  const std::uint32_t count = std::exchange(single_items_.count, 0);
  for (std::uint32_t i = 0; i < count; ++i) {
    const single_item& seen = single_items_.seen[i];
    const auto& queue = seen.victim->ready;
    const bool lies_there = queue.size_hint() != 0 && queue.oldest_hint() == seen.number;
    if (lies_there && steal_from_ready_queue(*seen.victim)) return true;
  }
  looked_at_queues_ = now;
  backoff_.was_not_needed();
  tuning_.found_work();
  owner_gets_on_ = true;
  return false;
}

bool worker::steal_from_ready_queue(slot& victim) noexcept {
  // Relaxed: a hint
  const std::uint16_t holder = victim.holder.load(base::relaxed);
  // This worker held the slot last
  const auto whom = event::details::with(holder == index ? event::record::nobody : holder);
  record_event(event::kind::steal_tried, whom);
  // One, though the deque could give half: a job behind a long one in the thief's queue would start
  // after jobs that were submitted later.
  const auto taken = victim.ready.steal();
  record_event(taken ? event::kind::steal_won : event::kind::steal_lost, whom);
  if (!taken) return false;
  count(event::kind::ready_stolen);
  tuning_.found_work();
  run_ready(victim, taken.item, whom.other);
  return true;
}

void worker::run_ready(slot& victim, detached_job* taken, std::uint16_t from) noexcept {
  const std::uint64_t begin = leave_search_for_work();
  last_steal_ = {&victim, begin, victim.ready.oldest_hint(), victim.ready.size_hint()};
  steal_was_useless_ = false;
  run_detached(taken, from);
  looked_at_queues_ = base::ticks();
  steal_was_useless_ ? backoff_.was_not_needed()
                     : backoff_.ran_job((looked_at_queues_ - begin) * 1000 / base::ticks_per_us());
}

// Times are compared by their distance: a counter that begins again when the machine resumes ends
// every pause.
bool worker::leaves_queues_alone(std::uint64_t now) noexcept {
  if (now - looked_at_queues_ < queue_pause()) return true;
  looked_at_queues_ = now;  // a look takes the owner's cache lines, too
  const steal_record& last = last_steal_;
  if (backoff_.pause_ns() == 0 || last.victim == nullptr) return false;
  const std::int64_t taken =
      std::max<std::int64_t>(0, last.victim->ready.oldest_hint() - last.oldest);
  backoff_.others_took(static_cast<std::uint64_t>(taken), last.left,
                       (now - last.at) * 1000 / base::ticks_per_us());
  return false;
}

void worker::request_from_all_again(std::uint64_t now) noexcept {
  const unsigned worker_count = core.parking.worker_bound();
  unsigned asked = 0;
  for (unsigned i = 0; i < worker_count; ++i) {
    if (i != index && core.at(i).request_work()) ++asked;
  }
  count(event::kind::request_sent, asked);
  if (asked_at_ == 0) {
    // Now at the latest: owners place a request with themselves when a thief has finished their job
    asked_at_ = now;
  } else if (asked != 0) {
    // A request that can be placed again was answered, and another thief took the answer.
    record_event(event::kind::steal_lost);
    tuning_.came_too_late();
  }
}

bool worker::expose_the_silent_by_force(std::uint64_t now) noexcept {
  const std::uint64_t patience = policy::request_timeout_us * base::ticks_per_us();
  const unsigned worker_count = core.parking.worker_bound();
  bool has_forced = false;
  std::uint32_t exposed = 0;
  for (unsigned i = 0; i < worker_count; ++i) {
    worker& victim = core.at(i);
    if (&victim == this || !victim.is_silent_for(patience, now)) continue;
    has_forced = true;
    exposed += victim.expose_by_force();
    record_event(event::kind::forced_exposure, event::details::with(i));
  }
  if (has_forced) asked_at_ = base::ticks();
  record_event(event::kind::fork_exposed, event::details::times(exposed));
  count(event::kind::fork_forced, exposed);
  if (exposed != 0) tuning_.owner_was_stuck();
  return exposed != 0;
}

}  // namespace filch::sched
