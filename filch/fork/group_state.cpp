#include <filch/fork/group_state.hpp>

#include <filch/base/exceptions.hpp>
#include <filch/sched/core.hpp>
#include <filch/sched/stall.hpp>
#include <filch/sched/strands.hpp>

#include <memory>

namespace filch::fork {
namespace {

/// By which a job's call site is known.
const void* code_of(const group_job& job) noexcept { return reinterpret_cast<const void*>(job.finish); }

}  // namespace

/// A worker that takes one out of a ready queue runs one job of the group, if the group's wait has not been faster.
struct group_state::ticket final : sched::detached_job {
  static bool is_for(const group_state& group, const sched::detached_job* job) noexcept {
    return job->finish == &redeem && &static_cast<const ticket*>(job)->state == &group;
  }
  static void redeem(detached_job* self, fate) {
    const std::unique_ptr<ticket> mine{static_cast<ticket*>(self)};
    mine->state.run_one(from::oldest);  // also after `request_stop`: a group is waited for, so its jobs must finish
    group_state::release(&mine->state);
  }
  explicit ticket(group_state& group) noexcept : state{group} {
    finish = &redeem;
    finds_its_job = true;
    has_begun = true;  // its job may not be discarded
  }
  group_state& state;
};

group_state::group_state(sched::pool_core& core) noexcept : core_{core} {}

void group_state::release(group_state* state) noexcept {
  // The last user must see what all others did before it frees the memory.
  if (state->users_.fetch_sub(1, base::acq_rel<sched::edge::last_user>) == 1) delete state;
}

void group_state::append(group_job* job) {
  job->number = added_++;
  ++unfinished_;
  job->older = newest_;
  (newest_ == nullptr ? oldest_ : newest_->newer) = job;
  newest_ = job;
}

void group_state::add(group_job* job) {
  if (sched::is_watched()) [[unlikely]]
    return add_watched(job);
  std::unique_ptr<ticket> pass;
  FILCH_TRY { pass = std::make_unique<ticket>(*this); }
  FILCH_CATCH_ALL {
    job->finish(job, group_job::fate::discard);
    FILCH_RETHROW;
  }
  {
    base::lock_guard guard{lock_};
    append(job);
  }
  users_.fetch_add(1, base::relaxed);  // relaxed: the caller is a user already
  core_.submit_always(pass.release());
}

// Without a ticket: the job runs where it is waited for. Who waits already, on another thread, has to be told.
void group_state::add_watched(group_job* job) {
  FILCH_TRY {
    if (sched::current_observer != nullptr) job->spawned_at = sched::current_observer->spawn(code_of(*job));
  }
  FILCH_CATCH_ALL {
    job->finish(job, group_job::fate::discard);
    FILCH_RETHROW;
  }
  sched::slot_claim* sleeper = nullptr;
  {
    base::lock_guard guard{lock_};
    append(job);
    sleeper = std::exchange(sleeper_, nullptr);
  }
  if (sleeper != nullptr) sched::resume(*sleeper);
}

group_job* group_state::take(from end) noexcept {
  base::lock_guard guard{lock_};
  group_job* const taken = end == from::oldest ? oldest_ : newest_;
  if (taken == nullptr) return nullptr;
  (taken->older == nullptr ? oldest_ : taken->older->newer) = taken->newer;
  (taken->newer == nullptr ? newest_ : taken->newer->older) = taken->older;
  return taken;
}

std::exception_ptr group_state::run(group_job* job, group_job::fate end) noexcept {
  const std::unique_ptr<const sched::spawn_point> point{job->spawned_at};
  sched::strand_observer* const watcher = end == group_job::fate::run ? sched::current_observer : nullptr;
  if (watcher != nullptr) watcher->begin_spawned(code_of(*job), point.get());
  std::exception_ptr thrown = job->finish(job, end);
  if (watcher != nullptr) watcher->end_job();
  return thrown;
}

// What a wait takes runs in the middle of another job; a ticket's is its worker's own, but for the end of a pool without threads.
sched::recorded_job group_state::tell(const group_job& begun, from end) noexcept {
  if (end == from::newest) return sched::recorded_job{code_of(begun)};
  if (!sched::is_outside()) sched::current_worker().report_found_job(reinterpret_cast<std::uintptr_t>(begun.finish));
  return {};
}

bool group_state::run_one(from end) noexcept {
  group_job* const taken = take(end);
  if (taken == nullptr) return false;
  const std::uint64_t number = taken->number;
  const sched::recorded_job here = tell(*taken, end);
  finish_one(number, run(taken, is_cancelled() ? group_job::fate::discard : group_job::fate::run));
  return true;
}

void group_state::finish_one(std::uint64_t number, std::exception_ptr error) noexcept {
  sched::slot_claim* sleeper = nullptr;
  {
    base::lock_guard guard{lock_};
    if (error && (!error_ || number < error_number_)) {
      std::swap(error_, error);
      error_number_ = number;
    }
    if (--unfinished_ == 0) sleeper = std::exchange(sleeper_, nullptr);
  }
  // Not touching the group any more: who waits for it may have returned. The pool outlives both.
  if (sleeper != nullptr) sched::resume(*sleeper);
}

bool group_state::is_finished() noexcept {
  base::lock_guard guard{lock_};
  return unfinished_ == 0;
}

// In nested use the youngest job of the ready queue is our own newest ticket, so that a recursion of groups leaves nothing behind.
bool group_state::retract_ticket(sched::worker& here) noexcept {
  sched::detached_job* const youngest = here.pop_ready();
  if (youngest == nullptr) return false;
  if (!ticket::is_for(*this, youngest)) {
    here.push_ready(youngest);  // into the room it just left
    core_.crew.notify(&here);   // a sleeper may have looked while it was gone
    return false;
  }
  delete static_cast<ticket*>(youngest);
  core_.detached_finished();
  users_.fetch_sub(1, base::relaxed);  // relaxed: the group itself is still a user
  return true;
}

void group_state::wait() noexcept {
  if (is_finished()) return;
  if (!sched::is_outside() && &sched::current_worker().core == &core_) return help_until_finished();
  FILCH_TRY {
    const sched::visit stay{core_};
    help_until_finished();
  }
  FILCH_CATCH_ALL {
    // No memory for a place in the pool: run what is left as a plain thread.
    while (run_one(from::newest) || !is_finished()) base::yield_thread();
  }
}

void group_state::help_until_finished() noexcept {
  sched::worker& here = sched::current_worker();
  sched::stall idle{core_};
  while (!is_finished()) {
    retract_ticket(here);
    if (run_one(from::newest)) {
      idle.begin_again();
    } else if (idle.costs_more_than_sleep()) {
      sleep(here);
    } else {
      for (int i = 0; i < 8; ++i) base::cpu_relax();  // each look takes the group's lock, which others want
    }
  }
}

// Jobs that others run may add more; those come with tickets of their own, so sleeping here leaves none behind.
void group_state::sleep(sched::worker& here) noexcept {
  {
    base::lock_guard guard{lock_};
    if (unfinished_ == 0) return;
    sleeper_ = &here.claim;
  }
  const base::waiting_for why{"the jobs of a task group"};
  here.change(event::activity::waiting);  // whoever reads the recording tells this from a call of `blocking`
  here.sleep_until_resumed();
  here.change(event::activity::working);
}

void group_state::rethrow() {
  cancelled_.store(false, base::relaxed);
  std::exception_ptr error;
  {
    base::lock_guard guard{lock_};
    error = std::exchange(error_, nullptr);
  }
  if (error) std::rethrow_exception(error);
}

void group_state::drop_error() noexcept {
  base::lock_guard guard{lock_};
  if (base::simulation* const stage = base::current_simulation(); stage != nullptr && error_) stage->lose(error_);
  error_ = nullptr;
}

}  // namespace filch::fork
