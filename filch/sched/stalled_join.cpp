// A join whose job was stolen: take from the thief what descends from that job, wait a moment, then hand the slot over.
#include <filch/base/clock.hpp>
#include <filch/sched/core.hpp>
#include <filch/sched/worker.hpp>

#include <array>

namespace filch::sched {
namespace {

// About what it costs to give a slot away and to get one back.
constexpr std::uint64_t spin_us = 10;
// How long a thief may leave our request unanswered while we wait for it: shorter than an idle worker's patience,
// for here the critical path waits.
constexpr std::uint64_t patience_us = 2;

// Looking only at the entry for a moment leaves the thief's own lines with the thief, who needs them to get on.
bool is_done_soon(const queue::fork_entry& at) noexcept {
  for (int i = 0; i < 8 && !at.is_done(); ++i) base::cpu_relax();
  return at.is_done();
}

}  // namespace

void worker::wait_for_stolen(queue::fork_entry* at) noexcept {
  if (!is_done_soon(*at)) {
    emit(event::kind::join_stalled);
    queue::fork_entry* const before = waiting_for_.load(base::relaxed);
    occupy(at);
    waiting_for_.store(at, base::relaxed);
    std::uint64_t idle_since = base::ticks();
    while (!is_done_soon(*at)) {
      if (help_thief_of(at, base::ticks() - idle_since > patience_us * base::ticks_per_us())) {
        idle_since = base::ticks();
      } else if (base::ticks() - idle_since > spin_us * base::ticks_per_us()) {
        sleep_until_done(at);
      }
    }
    waiting_for_.store(before, base::relaxed);
  }
  release(at);
  guess_request();  // the thief has finished our job and looks for another
}

void worker::sleep_until_done(queue::fork_entry* at) noexcept {
  std::uintptr_t nobody = 0;
  const auto handle = reinterpret_cast<std::uintptr_t>(&claim);
  // Either who completes the job sees our handle, or we see that it is done.
  if (at->completion.compare_exchange(nobody, handle, base::release<queue::fork_edge::complete>)) {
    const base::waiting_for why{"a job that was stolen by worker", [at] {
                                  const auto* const thief =
                                      static_cast<const worker*>(at->thief.load(base::acquire<edge::named_thief>));
                                  return thief == nullptr ? base::waiting_for::nobody : thief->index;
                                }};
    sleep_until_resumed();
  }
}

void worker::sleep_until_resumed() noexcept {
  const event::activity before = counters.doing();
  change(event::activity::away);
  if (core.crew.suspend(claim)) {
    emit(event::kind::slot_handed_over);
    core.offer_slot(this);
    claim.parker.park();
  }
  change(before);
}

bool worker::help_thief_of(queue::fork_entry* mine, bool by_force) noexcept {
  constexpr std::size_t longest_chain = 8;
  std::array<theft, longest_chain> chain;
  std::size_t length = 0;
  for (queue::fork_entry* job = mine; job != nullptr && length < longest_chain;) {
    auto* const thief = static_cast<worker*>(job->thief.load(base::acquire<edge::named_thief>));
    if (thief == nullptr || thief == this) return false;
    chain[length++] = {thief, job};
    if (queue::fork_entry* const taken = thief->give_descendant({chain.data(), length}, by_force)) {
      emit(event::kind::steal_won);
      emit(event::kind::stolen_back);
      if (!thief->peek().is_empty()) core.crew.notify(this);  // what was exposed beyond the one taken
      run_stolen(taken);
      return true;
    }
    job = thief->waiting_for_.load(base::relaxed);
  }
  return false;
}

// While the last thief's expose lock is held it cannot begin another job. So if it runs the job we came for, and that
// job is not done, whatever can be won from its stack was forked below that job. (README, "Helping the thief")
queue::fork_entry* worker::give_descendant(std::span<const theft> chain, bool by_force) noexcept {
  if (peek().is_empty()) {
    if (!has_private()) return nullptr;
    if (!by_force) {
      ask();
      return nullptr;
    }
  }
  if (!exposing().try_lock()) return nullptr;
  queue::fork_entry* taken = nullptr;
  if (runs_chain(chain)) {
    if (peek().is_empty() && by_force) force_locked();
    taken = steal();
  }
  exposing().unlock();
  return taken;
}

// Relaxed: each link of the chain was stolen, and begun under the thief's expose lock, after the one before had been begun.
// So holding the last thief's lock, this thread sees no older job of any of them than the one that led here.
bool worker::runs_chain(std::span<const theft> chain) noexcept {
  for (std::size_t i = 0; i < chain.size(); ++i) {
    const theft& here = chain[i];
    if (here.thief->current_job_.load(base::relaxed) != here.job) return false;
    if (i + 1 < chain.size() &&
        here.thief->waiting_for_.load(base::relaxed) != chain[i + 1].job) return false;
  }
  return !chain.back().job->is_done();
}

}  // namespace filch::sched
