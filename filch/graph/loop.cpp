// How ready nodes run, and find their successors.
#include <filch/graph/loop.hpp>

#include <filch/base/exceptions.hpp>
#include <filch/base/thread.hpp>
#include <filch/fork/outcome.hpp>
#include <filch/graph/limit.hpp>
#include <filch/graph/thread_queue.hpp>
#include <filch/sched/worker/continuation.hpp>
#include <filch/sched/worker/recorded_job.hpp>
#include <filch/sched/worker/scheduler.hpp>
#include <filch/sched/worker/slow_fork.hpp>
#include <filch/trace/recorder.hpp>

#include <optional>

namespace filch::inline v0_2::graph {
namespace {

/// The job of a thief, or of this loop when it takes it back.
void run_stolen(void* environment) noexcept {
  step& ready = *static_cast<step*>(sched::continuation::of(environment));
  loop{*ready.home}.run(ready);
}

queue::job job_of(step& ready) noexcept { return sched::continuation::job(&run_stolen, &ready); }

sched::worker* worker_here() noexcept {
  return sched::is_outside() ? nullptr : &sched::current_worker();
}

// The address that recordings know a node by: one that stands for its name, or its function's.
[[gnu::cold]] const void* code_of(const step& ready) noexcept {
  node_info& about = *ready.node->info;
  if (about.code == nullptr && about.name != nullptr)
    about.code = trace::recorder::instance().code_named(about.name);
  if (about.code == nullptr) about.code = reinterpret_cast<const void*>(ready.run);
  return about.code;
}

}  // namespace

// A thread outside every pool, unless it runs alone, and one of another pool queue what they make
// ready: their own time is not the run's.
loop::loop(const core& of) noexcept
    : me_{worker_here()},
      base_{me_ == nullptr ? nullptr : me_->bottom()},
      since_ticks_{base::ticks()},
      submits_{me_ == nullptr ? !sched::external_scope::runs_alone() : &me_->core != of.pool_} {}

void loop::run(step& queued) noexcept {
  const sched::worker::as_forked mode{me_, queued.home->float_mode_};
  run_from(chosen_by(queued));
}

void loop::begin(core& of) noexcept {
  const sched::worker::as_forked mode{me_, of.float_mode_};
  of.start(*this);
  run_from(take());
}

void loop::run_from(step* next) noexcept {
  do {
    while (next != nullptr) {
      step* const best = execute(*next);
      next = best != nullptr ? best : take();
    }
    leave();  // may end a run inside a node, which makes others ready
    next = take();
  } while (next != nullptr || in_ != nullptr);
}

// In a graph with an order a queued node stands for the best one of its run.
inline step* loop::chosen_by(step& queued) noexcept {
  core& of = *queued.home;
  return of.is_ordered_ ? &of.plan_.steps[of.order_.pop()] : &queued;
}

step& loop::step_of(const node_info& of) noexcept {
  return of.node->home->plan_.steps[of.node->index];
}

// -------------------------------------------------------------------------------------------------
// one node
step* loop::execute(step& ready) noexcept {
  core& of = *ready.home;
  enter(of);
  node_outcome how = of.decide(ready);
  if (how == node_outcome::ran) [[likely]] {
    std::optional<sched::recorded_job> told;
    if (me_ != nullptr && me_->reports.handle.get_for_jobs() != nullptr) [[unlikely]]
      told.emplace(code_of(ready));
    if (ready.may_end_later) of.results_[ready.node->index].ticks = since_ticks_;
    FILCH_TRY {
      if (ready.run(*ready.node, *this) == progress::later) return nullptr;
    }
    FILCH_CATCH_ALL {
      how = node_outcome::failed;
      of.fail(*ready.node, fork::handled_exception());
    }
  }
  return end(ready, how);
}

step* loop::end(step& of, node_outcome how) noexcept {
  core& in = *of.home;
  enter(in);
  const std::uint64_t now = base::ticks();
  node_result& result = in.results_[index_of(of)];
  const bool began_before = of.may_end_later && how == node_outcome::ran;
  result = {now - (began_before ? result.ticks : since_ticks_), me_ == nullptr ? ~0u : me_->index,
            how};
  since_ticks_ = now;
  if (how != node_outcome::ran) of.node->has_result = false;
  if (of.is_special) [[unlikely]]
    return_limits_of(of);
  if (in.plan_.has_branches && how == node_outcome::ran) [[unlikely]] {
    if (const choice* const back = in.chosen_loop(of)) {
      in.left_.add(back->repeats - 1);  // the branch itself is one of them, and has not ended
      step& first = in.plan_.steps[back->target];
      if (!first.is_special) return go_on_with(first);
      begin_special(first);
      return nullptr;
    }
  }
  ++ended_nodes_;
  // Successors come in ascending order of what follows them: the last ready one is the best
  step* best = nullptr;
  for (std::uint32_t i = 0; i != of.target_count; ++i) {
    step& next = in.plan_.steps[in.plan_.targets[of.first_target + i]];
    if (!next.left.arrive(next.needs)) continue;
    if (next.is_special) [[unlikely]] {
      begin_special(next);
      continue;
    }
    if (best != nullptr) queue(*best);
    best = &next;
  }
  if (best == nullptr) return nullptr;
  if (submits_ || !in.is_ordered_) return go_on_with(*best);
  return &in.plan_.steps[in.order_.exchange(index_of(*best))];
}

// A thread whose time is not the run's goes on with nothing.
inline step* loop::go_on_with(step& best) noexcept {
  if (!submits_) [[likely]]
    return &best;
  queue(best);
  return nullptr;
}

void loop::end_and_queue(step& of, node_outcome how) noexcept {
  if (step* const best = end(of, how); best != nullptr) queue(*best);
}

void loop::end_elsewhere(step& of, node_outcome how) noexcept {
  submits_ = true;
  end_and_queue(of, how);
  while (in_ != nullptr) leave();
}

// -------------------------------------------------------------------------------------------------
// ready nodes
void loop::make_ready(step& ready) noexcept {
  enter(*ready.home);
  ready.is_special ? begin_special(ready) : queue(ready);
}

void loop::queue(step& ready) noexcept {
  core& of = *ready.home;
  if (of.is_ordered_) of.order_.push(index_of(ready));
  if (submits_) [[unlikely]]
    return submit(ready);
  if (me_ != nullptr && fork(ready)) [[likely]]
    return;
  ready.node->info->next_ready = put_aside_;
  put_aside_ = ready.node->info;
}

[[gnu::always_inline]] inline bool loop::fork(step& ready) noexcept {
  queue::fork_entry* const at = me_->bottom();
  if (me_->must_pause(at)) [[unlikely]]
    return sched::fork_slowly(job_of(ready)) == sched::fork_outcome::forked;
  me_->push(at, job_of(ready));
  return true;
}

step* loop::take() noexcept {
  if (me_ == nullptr || me_->bottom() == base_) return take_put_aside();
  queue::fork_entry* const at = me_->bottom() - 1;
  if (me_->pop_private(at) || me_->is_private(at) ||
      me_->take_back(at) == queue::pop_outcome::popped) [[likely]] {
    return chosen_by(*static_cast<step*>(sched::continuation::of(at->environment.read())));
  }
  // Thieves have won all entries, but may not have read them yet
  for (int i = 0; !queue::fork_stack::are_let_go(base_, at); ++i)
    i < 100 ? base::cpu_relax() : base::yield_thread();
  me_->release_all(base_, at);
  return take_put_aside();
}

// As many as find room become visible to thieves.
step* loop::take_put_aside() noexcept {
  node_info* const first = put_aside_;
  if (first == nullptr) return nullptr;
  put_aside_ = first->next_ready;
  while (put_aside_ != nullptr && me_ != nullptr) {
    node_info* const next = put_aside_->next_ready;  // not the loop's own any more after the fork
    if (!fork(step_of(*put_aside_))) break;
    put_aside_ = next;
  }
  return chosen_by(step_of(*first));
}

void loop::submit(step& ready) noexcept {
  ready.node->info->finish = [](sched::detached_job* self, sched::detached_job::fate end) {
    const node_info& about = *static_cast<node_info*>(self);
    core& of = *about.node->home;
    if (end == sched::detached_job::fate::discard) of.stop_with_the_pool(*about.node);
    loop{of}.run(step_of(about));
  };
  ready.home->pool_->submit_always(ready.node->info);
}

// -------------------------------------------------------------------------------------------------
// limits, threads, other pools
void loop::begin_special(step& ready) noexcept {
  node_info& about = *ready.node->info;
  if (about.limits == nullptr || take_limits(about)) place(ready);
}

void loop::place(step& ready) noexcept {
  node_info& about = *ready.node->info;
  about.finish = &run_placed;
  if (about.on_thread != nullptr) {
    about.on_thread->push(about);
  } else if (about.on_pool != nullptr) {
    about.on_pool->submit_always(&about);
  } else if (ready.home != in_ || submits_) {
    ready.home->pool_->submit_always(&about);  // not here: a node of another graph let it go on
  } else {
    queue(ready);
  }
}

void loop::run_placed(sched::detached_job* self, sched::detached_job::fate end) {
  const node_info& mine = *static_cast<node_info*>(self);
  core& of = *mine.node->home;
  if (end == sched::detached_job::fate::discard) of.stop_with_the_pool(*mine.node);
  loop on{of};
  const sched::worker::as_forked mode{on.me_, of.float_mode_};
  on.run_from(&step_of(mine));
}

void loop::return_limits_of(const step& ended) noexcept {
  if (ended.node->info->limits == nullptr) return;
  for (node_info* each = return_limits(*ended.node->info); each != nullptr;) {
    node_info* const next = each->next_ready;  // not ours any more once it is placed
    place(step_of(*each));
    each = next;
  }
}

// -------------------------------------------------------------------------------------------------
// runs
[[gnu::always_inline]] inline void loop::enter(core& of) noexcept {
  if (in_ == &of) [[likely]]
    return;
  do {
    leave();  // may end a run inside a node of another, and enter that
    if (in_ == nullptr) in_ = &of;
  } while (in_ != &of);
}

// The run may be gone when this returns.
void loop::leave() noexcept {
  core* const of = std::exchange(in_, nullptr);
  const std::size_t nodes = std::exchange(ended_nodes_, 0);
  if (nodes != 0 && of->left_.end(nodes)) of->end(*this);
}

}  // namespace filch::graph
