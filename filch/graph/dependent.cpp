// How tasks of `spawn_after` run, and what their end makes ready.
#include <filch/graph/dependent.hpp>

#include <filch/base/caller.hpp>
#include <filch/co/cancelled.hpp>
#include <filch/co/run_loop.hpp>
#include <filch/co/thread_waiter.hpp>
#include <filch/sched/pool/pool.hpp>
#include <filch/sched/worker/recorded_job.hpp>
#include <filch/sched/worker/visit_until_done.hpp>

namespace filch::inline v0_2::graph {
// -------------------------------------------------------------------------------------------------
// its begin
sched::scheduler& dependent::admitting_pool(thread_pool* given) {
  if (given == nullptr && !sched::is_outside()) {
    sched::scheduler& here = sched::current_worker().core;
    if (here.admits_at_once()) [[likely]]
      return here;
  }
  sched::scheduler& pool = (given != nullptr ? *given : sched::lasting_pool_here()).core();
  pool.admit();
  return pool;
}

void dependent::begin_waiting(std::uint32_t count) noexcept {
  waits_for_one_ = count == 1;
  left_.arm(count);
  pool_->jobs().begin(pool_->worker_here());
}

void dependent::submit() noexcept { pool_->enqueue(this, pool_->worker_here()); }

void dependent::submit_from_anywhere() noexcept {
  sched::visit_until_done(
      *pool_, [this, &pool = *pool_](sched::worker* here) { pool.enqueue(this, here); });
}

void dependent::begin_coroutine(co::promise_base& root, std::coroutine_handle<> self,
                                co::waiter& told) noexcept {
  pool_->jobs().begin(pool_->worker_here());
  root.urgency = urgency;
  root.begin_root(*pool_, self);
  root.has_begun = true;
  root.done().begin_with(told);
  co::run_here(self);
}

// -------------------------------------------------------------------------------------------------
// one thread that runs them
/// Runs a task, then one of those that it makes ready, and so on. The others it queues.
/// Threads: a worker of the pool of all that it runs.
class dependent::runner {
 public:
  explicit runner(dependent& first) noexcept
      : me_{sched::current_worker()}, urgency_{first.urgency} {}

  /// The recordings know by now that this thread runs `first`.
  void run(dependent& first, fate how) noexcept {
    dependent* next = run_one(first, how);
    while (next != nullptr) {
      if (is_turn_over()) return next->submit();
      next = execute(*next);
    }
  }

 private:
  /// Then the worker looks whether others wait. A guess.
  static constexpr unsigned tasks_in_turn = 64;

  dependent* execute(dependent& ready) noexcept {
    if (me_.reports.handle.get() == nullptr) [[likely]]
      return run_one(ready, fate::run);
    const sched::recorded_job told{reinterpret_cast<const void*>(ready.finish)};
    return run_one(ready, fate::run);
  }
  [[gnu::always_inline]] dependent* run_one(dependent& ready, fate how) noexcept {
    if (me_.core.admits().is_stopped()) [[unlikely]]
      return discard(ready, how);
    return ready.operations_.run(ready, fate::run) ? end(ready) : nullptr;
  }
  // `how` is `discard` if the worker counts it already.
  [[gnu::cold, gnu::noinline]] dependent* discard(dependent& ready, fate how) noexcept {
    sched::unfinished_jobs& jobs = me_.core.jobs();
    if (how == fate::run) jobs.discard_begins(me_);
    ready.operations_.run(ready, fate::discard);
    dependent* const next = end(ready);
    if (how == fate::run) jobs.discard_ends();
    return next;
  }
  [[gnu::always_inline]] dependent* end(dependent& ended) noexcept {
    dependent* best = nullptr;
    waiting* const woken = tell(ended.end(), [this, &best](dependent& ready) {
      if (!is_for_this_thread(ready)) [[unlikely]]
        return ready.submit_from_anywhere();
      if (best != nullptr) best->submit();
      best = &ready;
    });
    if (woken != nullptr) {
      // A waiter may run here and wait in turn: others must be able to take what is ready
      if (best != nullptr) std::exchange(best, nullptr)->submit();
      wake_all(woken);
    }
    me_.core.jobs().end(&me_);
    return best;
  }
  bool is_for_this_thread(const dependent& ready) const noexcept {
    return ready.pool_ == &me_.core && ready.urgency == urgency_;
  }
  bool is_turn_over() noexcept {
    if (--turn_ != 0 && me_.core.injected().looks_empty(priority::high)) [[likely]]
      return false;
    turn_ = tasks_in_turn;
    return me_.somebody_waits();
  }

  sched::worker& me_;
  const priority urgency_;
  unsigned turn_ = tasks_in_turn;
};

void dependent::run_as_job(detached_job* self, fate how) noexcept {
  dependent& first = static_cast<dependent&>(*self);
  runner{first}.run(first, how);
}

// -------------------------------------------------------------------------------------------------
// its end
// It may be gone on return. Whatever learns of the end finds that it is held once less.
successor* dependent::end() noexcept {
  if (origin_ == this) [[unlikely]]
    on_unseen_ = pool_->options.on_escaped_exception;
  successor* const first = static_cast<successor*>(successors_.end());
  let_go();
  return first;
}

/// Calls `ready` with each task in the list that waits for no other any more. Returns the threads
/// and coroutines in it, linked by `next`.
template <class Ready>
[[gnu::always_inline]] inline waiting* dependent::tell(successor* first, Ready ready) noexcept {
  waiting* woken = nullptr;
  for (successor* each = first; each != nullptr;) {
    auto* const after = static_cast<successor*>(each->next.read());  // it may be gone by `arrive`
    if (each->task == nullptr) {
      each->next.write(woken);
      woken = static_cast<waiting*>(each);
    } else if (each->task->arrive()) {
      ready(*each->task);
    }
    each = after;
  }
  return woken;
}

void dependent::wake_all(waiting* first) noexcept {
  for (waiting* each = first; each != nullptr;) {
    auto* const after = static_cast<waiting*>(each->next.read());
    each->wake(*each);
    each = after;
  }
}

void dependent::end_later() noexcept {
  sched::scheduler& pool = *pool_;
  wake_all(tell(end(), [](dependent& ready) { ready.submit_from_anywhere(); }));
  sched::visit_until_done(pool, [&pool](sched::worker* here) { pool.jobs().end(here); });
}

void dependent::wait() noexcept {
  if (has_ended()) return;
  if (!sched::is_outside()) sched::current_worker().core.threads().insist_on_one();
  const base::waiting_for why{"a task of spawn_after"};
  struct sleeper : waiting {
    sleeper() noexcept
        : waiting{[](waiting& self) noexcept { static_cast<sleeper&>(self).thread.wake(); }} {}
    co::thread_waiter thread;
  } me;
  if (add(me)) me.thread.sleep(base::caller());
}

// -------------------------------------------------------------------------------------------------
// exceptions
void dependent::fail(std::exception_ptr thrown) noexcept {
  error_ = std::move(thrown);
  origin_ = this;
}

void dependent::fail_by_stop() noexcept {
  fail(std::make_exception_ptr(pool_stopped()));
  was_seen_.store(true, base::relaxed);  // relaxed: a flag alone; the last holder acquires it
}

void dependent::inherit(dependent& input) noexcept {
  dependent* const from = input.origin_;
  if (has_failed()) return from->was_seen_.store(true, base::relaxed);  // relaxed: as above
  from->hold();
  origin_ = from;
}

void dependent::inherit(const std::exception_ptr& input, bool was_discarded) noexcept {
  if (has_failed()) return;
  fail(input);
  was_seen_.store(was_discarded, base::relaxed);  // relaxed: as above
}

void dependent::rethrow_failure() {
  origin_->was_seen_.store(true, base::relaxed);  // relaxed: as above
  std::rethrow_exception(origin_->error_);
}

void dependent::report_unseen() noexcept {
  if (was_seen_.load(base::relaxed) || co::is_cancellation(error_, true)) return;
  sched::handle_escaped(on_unseen_, std::move(error_));
}

dependent::~dependent() {
  if (origin_ != nullptr) [[unlikely]]
    origin_ == this ? report_unseen() : origin_->let_go();
}

// -------------------------------------------------------------------------------------------------
// coroutines that wait
std::coroutine_handle<> awaiting_coroutine::suspend(dependent& of, std::coroutine_handle<> caller,
                                                    co::promise_base* own,
                                                    base::place where) noexcept {
  of_ = &of;
  caller_ = caller;
  own_ = own;
  waits_ = true;
  if (own != nullptr) own->resumes = caller;
  base::task_waits(caller.address(), {"a task of spawn_after", &of}, where);
  return co::suspend(caller, &wait, this);
}

// Once it is added, it may be gone.
std::coroutine_handle<> awaiting_coroutine::wait(void* self) noexcept {
  awaiting_coroutine& mine = *static_cast<awaiting_coroutine*>(self);
  const std::coroutine_handle<> caller = mine.caller_;
  return mine.of_->add(mine) ? nullptr : caller;
}

void awaiting_coroutine::go_on(waiting& self) noexcept {
  awaiting_coroutine& mine = static_cast<awaiting_coroutine&>(self);
  if (mine.own_ != nullptr && mine.own_->root() != nullptr) return mine.own_->make_ready();
  if (!sched::is_outside()) sched::current_worker().begins_nested();
  co::run_here(mine.caller_);
}

}  // namespace filch::graph
