// How a worker without work looks for it: ready queues, the injector, then the fork stacks of the others.
#include <filch/base/clock.hpp>
#include <filch/sched/core.hpp>
#include <filch/sched/worker.hpp>

#include <algorithm>

namespace filch::sched {

auto worker::search() noexcept -> search_end {
  if (!is_searching_) {
    const auto seen = core.crew.idle().peek();
    core.crew.idle().begin_search();
    is_searching_ = true;
    if (!policy::may_search(seen.searching, core.crew.allowed_count() - std::min(seen.free_slots, core.crew.allowed_count()))) return search_end::gave_up;
  }
  change(event::activity::searching);
  core.review_budget();
  const std::uint64_t begin = base::ticks();
  const std::uint64_t patience = policy::patience_us * base::ticks_per_us();
  const std::uint64_t enough = interest_.search_us() * base::ticks_per_us();
  asked_at_ = 0;
  while (!interest_.is_lost() && !core.crew.somebody_waits_for_slot()) {
    if (run_one() || rob_somebody()) return search_end::found_work;
    const std::uint64_t now = base::ticks();
    if (now - begin > enough) break;
    ask_everybody_again();
    if (now - asked_at_ > patience && force_the_silent()) continue;
    base::cpu_relax();
  }
  interest_.searched_in_vain();
  if (was_just_woken_) emit(event::kind::futile_wake);
  // Nobody is to answer a worker that sleeps: its next requests come after its nap.
  for (unsigned i = 0; i < core.worker_count(); ++i) core.at(i).withdraw();
  return search_end::gave_up;
}

bool worker::rob_somebody() noexcept {
  const unsigned count = core.worker_count();
  const std::uint64_t draw = random_();
  const std::uint32_t stride = policy::round_stride(draw, count);
  std::uint32_t victim = policy::first_victim(draw, count, last_victim_);
  for (unsigned probed = 0; probed < count; ++probed, victim = (victim + stride) % count) {
    if (victim == index) continue;
    if (rob(core.at(victim))) {
      last_victim_ = victim;
      return true;
    }
  }
  last_victim_ = policy::nobody;
  return rob_ready_queues(draw);
}

bool worker::rob(worker& victim) noexcept {
  if (victim.peek().is_empty()) return false;
  emit(event::kind::steal_tried);
  queue::fork_entry* const taken = victim.steal();
  if (taken == nullptr) {
    emit(event::kind::steal_lost);
    return false;
  }
  emit(event::kind::steal_won);
  interest_.found_work();
  // Asked now, the owner has an answer ready when we come back: a fork made before the request would stay private.
  victim.ask();
  leave_search_for_work();
  const std::uint64_t begin = base::ticks();
  run_stolen(taken);
  interest_.worked_for((base::ticks() - begin) / base::ticks_per_us());
  return true;
}

bool worker::rob_ready_queues(std::uint64_t draw) noexcept {
  auto& slots = core.crew.slots();
  const auto count = static_cast<std::uint32_t>(slots.size());
  const std::uint32_t first = base::below(draw, count);
  for (std::uint32_t i = 0; i < count; ++i) {
    slot& victim = slots[(first + i) % count];
    if (&victim == claim.granted || victim.ready.size_hint() == 0) continue;
    emit(event::kind::steal_tried);
    const auto taken = victim.ready.steal();
    if (taken) {
      emit(event::kind::steal_won);
      interest_.found_work();
      run_detached(taken.item);
      return true;
    }
    emit(event::kind::steal_lost);
  }
  return false;
}

void worker::ask_everybody_again() noexcept {
  const unsigned count = core.worker_count();
  bool asked_somebody = false;
  for (unsigned i = 0; i < count; ++i) {
    if (i != index && core.at(i).ask()) asked_somebody = true;
  }
  if (!asked_somebody) return;
  // A request that could be placed again was answered, and the answer was gone before we came.
  if (asked_at_ != 0) {
    emit(event::kind::steal_lost);
    interest_.came_too_late();
  }
  asked_at_ = base::ticks();
}

bool worker::force_the_silent() noexcept {
  const unsigned count = core.worker_count();
  std::uint32_t exposed = 0;
  for (unsigned i = 0; i < count; ++i) {
    worker& victim = core.at(i);
    if (&victim == this || !victim.has_private()) continue;
    exposed += victim.expose_by_force();
    emit(event::kind::forced_exposure);
  }
  asked_at_ = base::ticks();
  emit(event::kind::fork_exposed, exposed);
  return exposed != 0;
}

}  // namespace filch::sched
