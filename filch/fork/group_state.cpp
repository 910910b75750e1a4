#include <filch/fork/group_state.hpp>

#include <filch/base/caller.hpp>
#include <filch/base/exceptions.hpp>
#include <filch/base/float_mode.hpp>
#include <filch/base/panic.hpp>
#include <filch/sched/pool/pool_state.hpp>
#include <filch/sched/strands.hpp>
#include <filch/sched/worker/join_spin.hpp>

#include <memory>
#include <string>
#include <utility>

namespace filch::inline v0_2::fork {
namespace {

/// A group leaves its tickets in the injector if the thread that adds jobs has no ready queue. If
/// no worker comes to them, at most this many useless ones are left: each takes 100 bytes, and
/// keeps submitted jobs waiting.
constexpr std::uint32_t most_stray = 10'000;

/// The function by which a job's call site is known.
const void* code_of(const group_job& job) noexcept {
  return reinterpret_cast<const void*>(job.finish);
}

}  // namespace

/// A worker that takes a ticket out of a ready queue runs one job of the group, unless the group's
/// wait was faster.
struct group_state::ticket final : sched::detached_job {
  static bool is_for(const group_state& group, const sched::detached_job* job) noexcept {
    return job->finish == &redeem && &static_cast<const ticket*>(job)->state == &group;
  }
  static void redeem(detached_job* self, fate) {
    const std::unique_ptr<ticket> mine{static_cast<ticket*>(self)};
    mine->leave_injector();
    // Even after `request_stop`: a caller waits for the group, so its jobs must finish
    mine->state.run_one(from::oldest);
    group_state::release(&mine->state);
  }
  ticket(group_state& group, bool strays) noexcept
      : state{group}, stray{strays ? &group.core_.injected().stray_tickets : nullptr} {
    if (stray != nullptr) stray->fetch_add(1, base::relaxed);
    finish = &redeem;
    finds_its_job = true;
    has_begun = true;  // its job must not be discarded
  }
  void leave_injector() noexcept {
    if (stray != nullptr) stray->fetch_sub(1, base::relaxed);
  }
  group_state& state;
  /// Counts tickets in the injector, where no wait finds them again. Null for other tickets.
  base::atomic<std::uint32_t>* const stray;
};

group_state::group_state(sched::scheduler& core) noexcept : core_{core} {}

void group_state::release(group_state* state) noexcept {
  // The last user must see what all others did before it frees the memory.
  if (state->users_.fetch_sub(1, base::acq_rel<sched::edge::last_user>) == 1) delete state;
}

void group_state::append(group_job* job) {
  job->number = added_++;
  if (unfinished_ == 0)
    float_mode_.store(static_cast<std::uint32_t>(base::current_float_mode()), base::relaxed);
  ++unfinished_;
  job->older = newest_;
  (newest_ == nullptr ? oldest_ : newest_->newer) = job;
  newest_ = job;
}

void group_state::add(group_job* job) {
  if (sched::is_watched()) [[unlikely]]
    return add_watched(job);
  const sched::worker* const here = core_.worker_here();
  const bool strays = here == nullptr || !here->waiter.has_queues();
  if (strays && leaves_too_many_tickets()) [[unlikely]]
    return add_without_ticket(job);
  std::unique_ptr<ticket> pass;
  FILCH_TRY { pass = std::make_unique<ticket>(*this, strays); }
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

// Tickets of unfinished jobs of this group are worth their cost.
bool group_state::leaves_too_many_tickets() noexcept {
  const std::uint32_t stray =
      core_.injected().stray_tickets.load(base::relaxed);  // relaxed: a number alone
  if (stray < most_stray) [[likely]]
    return false;
  base::lock_guard guard{lock_};
  return stray - most_stray >= unfinished_;
}

void group_state::add_watched(group_job* job) {
  FILCH_TRY {
    if (sched::current_observer != nullptr)
      job->spawned_at = sched::current_observer->spawn(code_of(*job));
  }
  FILCH_CATCH_ALL {
    job->finish(job, group_job::fate::discard);
    FILCH_RETHROW;
  }
  add_without_ticket(job);
}

// The job runs where it is waited for. A thread that already waits must be resumed.
void group_state::add_without_ticket(group_job* job) noexcept {
  sched::slot_waiter* sleeper = nullptr;
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
  sched::strand_observer* const watcher =
      end == group_job::fate::run ? sched::current_observer : nullptr;
  if (watcher != nullptr) watcher->begin_spawned(code_of(*job), point.get());
  std::exception_ptr thrown = job->finish(job, end);
  if (watcher != nullptr) watcher->end_job();
  return thrown;
}

// A job that a wait takes runs in the middle of another job. A ticket's job is its worker's own,
// except at the end of a pool without threads.
sched::recorded_job group_state::tell(const group_job& begun, from end) noexcept {
  if (end == from::newest) return sched::recorded_job{code_of(begun)};
  if (!sched::is_outside())
    sched::current_worker().reports.report_found_job(
        reinterpret_cast<std::uintptr_t>(begun.finish));
  return {};
}

/// Lies on the stack of a thread that runs a job of `group`, in the middle of a job of `outer`.
struct group_state::running {
  const group_state* group;
  const running* outer;
};

void group_state::check_that_none_is_below(const void* at) const noexcept {
  if (sched::is_outside()) return;
  auto* below = static_cast<const running*>(sched::current_worker().group_job);
  while (below != nullptr && below->group != this) below = below->outer;
  if (below == nullptr) [[likely]]
    return;
  const std::string where =
      "wait() of a task_group in a job of that group, called in " + sched::name_of(at);
  base::last_words(where.c_str());
  FILCH_ASSERT(below == nullptr, "a task_group that waits in its own job waits for itself", this,
               at);
}

bool group_state::run_one(from end) noexcept {
  group_job* const taken = take(end);
  if (taken == nullptr) return false;
  const std::uint64_t number = taken->number;
  const sched::recorded_job here = tell(*taken, end);
  sched::worker* const me = sched::is_outside() ? nullptr : &sched::current_worker();
  // A wait has done so, and its jobs restore the mode when they end
  if (end == from::oldest && me != nullptr) me->tell_float_mode();
  // Relaxed: it came with the job
  const sched::worker::as_forked mode{me, base::float_mode{float_mode_.load(base::relaxed)}};
  const running now{this, me == nullptr ? nullptr : static_cast<const running*>(me->group_job)};
  if (me != nullptr) me->group_job = &now;
  std::exception_ptr thrown =
      run(taken, is_cancelled() ? group_job::fate::discard : group_job::fate::run);
  if (me != nullptr) me->group_job = now.outer;
  finish_one(number, std::move(thrown));
  return true;
}

void group_state::finish_one(std::uint64_t number, std::exception_ptr error) noexcept {
  if (error) cancel();
  sched::slot_waiter* sleeper = nullptr;
  {
    base::lock_guard guard{lock_};
    if (error && (!error_ || number < error_number_)) {
      std::swap(error_, error);
      error_number_ = number;
    }
    if (--unfinished_ == 0) sleeper = std::exchange(sleeper_, nullptr);
  }
  // The group must not be touched any more: its waiter may have returned. The pool outlives both.
  if (sleeper != nullptr) sched::resume(*sleeper);
}

bool group_state::is_finished() noexcept {
  base::lock_guard guard{lock_};
  return unfinished_ == 0;
}

// In nested use the youngest job of the ready queue is our own newest ticket. So a recursion of
// groups leaves nothing behind.
bool group_state::retract_ticket(sched::worker& here) noexcept {
  sched::detached_job* const youngest = here.pop_ready();
  if (youngest == nullptr) return false;
  if (!ticket::is_for(*this, youngest)) {
    here.push_ready(youngest);                    // into the room it just left
    core_.parking().job_published(&here.waiter);  // a sleeper may have looked while it was gone
    return false;
  }
  delete static_cast<ticket*>(youngest);
  core_.jobs().end(&here);
  users_.fetch_sub(1, base::relaxed);  // relaxed: the group itself is still a user
  return true;
}

void group_state::wait() noexcept {
  if (is_finished()) return;
  const void* const at = base::caller();
  check_that_none_is_below(at);
  if (!sched::is_outside() && &sched::current_worker().core == &core_)
    return help_until_finished(at);
  FILCH_TRY {
    const sched::external_scope stay{core_};
    if (!stay.is_alone()) return help_until_finished(at);
  }
  FILCH_CATCH_ALL {}  // no memory for a place in the pool
  while (run_one(from::newest) || !is_finished()) base::yield_thread();  // a plain thread
}

void group_state::help_until_finished(const void* at) noexcept {
  sched::worker& here = sched::current_worker();
  here.tell_float_mode();
  sched::join_spin idle{core_.wants()};
  while (!is_finished()) {
    here.come_within_limit();
    retract_ticket(here);
    if (run_one(from::newest)) {
      idle.begin_again();
    } else if (idle.costs_more_than_sleep()) {
      sleep(here, at);
    } else {
      // Each look takes the group's lock, which other threads need
      for (int i = 0; i < 8; ++i) base::cpu_relax();
    }
  }
}

// Jobs that other threads run may add more. Those come with tickets of their own, so sleeping here
// leaves no job behind.
void group_state::sleep(sched::worker& here, const void* at) noexcept {
  {
    base::lock_guard guard{lock_};
    if (unfinished_ == 0) return;
    sleeper_ = &here.waiter;
  }
  const base::waiting_for why{"the jobs of a task group"};
  // So that a recording shows this differently from a call of `blocking`
  here.reports.change(event::activity::waiting);
  here.sleep_until_resumed(at);
  here.reports.change(event::activity::working);
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
  const bool is_second = std::uncaught_exceptions() > sched::exceptions_below;
  if (base::simulation* const sim = base::current_simulation();
      sim != nullptr && error_ && !is_second)
    sim->lose(error_);
  error_ = nullptr;
}

}  // namespace filch::fork
