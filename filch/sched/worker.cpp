#include <filch/sched/worker.hpp>

#include <filch/base/clock.hpp>
#include <filch/base/exceptions.hpp>
#include <filch/base/membarrier.hpp>
#include <filch/sched/core.hpp>

namespace filch::sched {
namespace {

// Depth of nested forks that stay stealable; deeper ones run as plain calls. Eight MiB of address space, not of memory.
constexpr std::size_t fork_depth = std::size_t{1} << 18;

}  // namespace

worker::worker(pool_core& home, unsigned worker_index)
    : pool_stack{home, worker_index},
      random_{home.options.seed ^ (std::uint64_t{worker_index} << 32)},
      entries_{fork_depth * sizeof(queue::fork_entry)} {
  // An entry is all zeroes until it is used: the reservation already holds a quarter of a million of them.
  claim.home = &home.crew;
  adopt(static_cast<queue::fork_entry*>(entries_.data()), fork_depth, !base::has_asymmetric_fence());
}

void resume(slot_claim& claim) noexcept { claim.home->resume(claim); }

void worker::change(event::activity next) noexcept { counters.change(next, base::ticks()); }

void worker::serve() noexcept {
  current_stack = this;
  emit(event::kind::thread_started);
  core.pin(*this);
  place.learn_thread();
  is_searching_ = true;
  if (!holds_slot()) core.crew.sleep(*this);
  while (holds_slot()) {
    if (!core.crew.somebody_waits_for_slot()) {
      if (run_one() || search() == search_end::found_work) continue;
    } else if (!is_searching_) {
      core.crew.idle().begin_search();
    }
    core.crew.sleep(*this);
    is_searching_ = true;
  }
  current_stack = &outside_stack;  // destructors of thread-local objects run after this
}

// ---------------------------------------------------------------------------------------------------------- detached jobs
bool worker::run_one() noexcept {
  slot& mine = *claim.granted;
  const bool injector_first = ++mine.turn % injector_every == 0;
  if (injector_first) core.poll_source();
  if ((injector_first && take_injected()) || take_detached() || take_injected()) return true;
  return core.poll_source() && (take_detached() || take_injected());
}

bool worker::push_ready(detached_job* job) noexcept {
  FILCH_TRY {
    claim.granted->ready.push(job);
    return true;
  }
  FILCH_CATCH_ALL { return false; }
}

bool worker::take_detached() noexcept {
  const auto taken = claim.granted->ready.take_oldest();
  if (!taken) return false;
  run_detached(*taken);
  return true;
}

bool worker::take_injected() noexcept {
  detached_job* const taken = core.take_injected();
  if (taken == nullptr) return false;
  run_detached(taken);
  return true;
}

std::uint64_t worker::leave_search_for_work() noexcept {
  was_just_woken_ = false;
  if (is_searching_) {
    is_searching_ = false;
    // The last searcher found work, so there may be more, and nobody looks for it now.
    if (core.crew.idle().end_search() && core.crew.idle().peek().free_slots != 0) core.offer_slot(this);
  }
  const std::uint64_t now = base::ticks();
  if (counters.doing() != event::activity::working) counters.change(event::activity::working, now);
  return now;
}

queue::fork_entry* worker::begin_job(queue::fork_entry* stolen) noexcept {
  queue::fork_entry* const before = leapfrog_.begin(stolen);
  emit(event::kind::job_run);
  if (core.is_wanted()) ask();
  return before;
}

void worker::run_detached(detached_job* taken) noexcept {
  leave_search_for_work();
  begin_job(nullptr);
  taken->finish(taken, core.is_stopped() ? detached_job::fate::discard : detached_job::fate::run);
  core.detached_finished();
}

void worker::run_stolen(queue::fork_entry* taken) noexcept {
  queue::fork_entry* const before = begin_job(taken);
  taken->run.read()(taken->environment.read());
  leapfrog_.go_back_to(before);
  // The last touch: the owner may use the entry again as soon as it is done.
  const std::uintptr_t waiter = taken->completion.exchange(queue::fork_entry::done, base::acq_rel<queue::fork_edge::complete>);
  if (waiter != 0) resume(*reinterpret_cast<slot_claim*>(waiter));
}

void worker::leave_slot() noexcept {
  change(event::activity::blocked);
  emit(event::kind::slot_handed_over);
  core.crew.release(claim);
  core.offer_slot(this);
}

void worker::take_slot() noexcept {
  core.crew.acquire(claim);
  change(event::activity::working);
}

void worker::answer(queue::request asked) noexcept {
  if (asked == queue::request::none) return;
  emit(event::kind::fork_exposed, expose());
  if (asked == queue::request::placed) core.crew.notify(this);
}

}  // namespace filch::sched
