#include <filch/sched/worker/external_scope.hpp>

#include <filch/base/caller.hpp>
#include <filch/base/stack_overflow.hpp>
#include <filch/sched/edges.hpp>
#include <filch/sched/strands.hpp>
#include <filch/sched/worker/roots.hpp>
#include <filch/sched/worker/scheduler.hpp>

namespace filch::inline v0_2::sched {
namespace {

unsigned forks_of_process = 0;  // written in the child of a fork() only, where there is one thread

bool is_outside_every_pool() noexcept { return is_outside() && !blocking_region::is_under_way(); }

/// Observes a thread that runs alone: its forks run as plain calls. Records nothing.
class lone_observer final : public strand_observer {
 public:
  void fork(const void* /*site*/) override {}
  void begin_right() noexcept override {}
  spawn_point* spawn(const void* /*site*/) override { return nullptr; }
  void begin_spawned(const void* /*site*/, const spawn_point* /*from*/) noexcept override {}
  void end_job() noexcept override {}
  strand_doing change(strand_doing next) noexcept override { return next; }
  void submit() noexcept override {}
};
constinit lone_observer nobody_else;

}  // namespace

constinit base::atomic<root_watcher*> watcher_of_roots{nullptr};

void watch_roots(root_watcher* by) noexcept {
  watcher_of_roots.store(by, base::release<edge::enlist>);
}

bool will_be_watched() noexcept {
  return is_outside_every_pool() && who_watches_roots() != nullptr;
}

worker& blocking_region::me() const noexcept { return static_cast<worker&>(*left_); }

blocking_region::blocking_region() noexcept
    : left_slot{is_outside() ? nullptr : &current_pool_stack(), false},
      generation_{forks_of_process} {
  if (left_ == nullptr) return;
  me().reports.record_event(event::kind::blocking_entered);
  before_ = change_strand(strand_doing::blocked);
  innermost = this;
  current_stack = &outside_stack;
  me().leave_slot(base::caller());
}

blocking_region::~blocking_region() {
  if (left_ == nullptr || generation_ != forks_of_process) return;
  me().take_slot();
  current_stack = left_;
  innermost = outer_;
  change_strand(before_);
}

worker* blocking_region::find(const scheduler& pool) noexcept {
  if (!is_outside() && &current_worker().core == &pool) return &current_worker();
  for (const left_slot* each = innermost; each != nullptr; each = each->outer_) {
    if (!each->polls_ && &each->left_->core == &pool) return &static_cast<worker&>(*each->left_);
  }
  return nullptr;
}

bool blocking_region::is_inside(const scheduler& pool) noexcept {
  for (const left_slot* each = innermost; each != nullptr; each = each->outer_) {
    if (&each->left_->core == &pool) return true;
  }
  return !is_outside() && &current_worker().core == &pool;
}

bool blocking_region::is_under_way() noexcept {
  const left_slot* each = innermost;
  while (each != nullptr && each->polls_) each = each->outer_;
  return each != nullptr;
}

pool_stack* blocking_region::nearest() noexcept {
  if (!is_outside()) return &current_pool_stack();
  return innermost == nullptr ? nullptr : innermost->left_;
}

void blocking_region::forget_all() noexcept {
  ++forks_of_process;
  current_stack = &outside_stack;
  current_observer = nullptr;
  watch_roots(nullptr);
  innermost = nullptr;
}

external_scope::external_scope(scheduler& pool)
    : worker_{blocking_region::find(pool)},
      generation_{forks_of_process},
      is_return_{worker_ != nullptr} {
  const bool is_root = is_outside_every_pool() && current_observer == nullptr;
  if (is_return_) {
    worker_->take_slot();
  } else {
    worker_ = pool.enter();
  }
  if (is_alone()) {
    begin_alone();
    return;
  }
  worker_->tell_float_mode();
  current_stack = worker_;
  base::tell_of_stack_overflow(&forks_here);
  before_ = change_strand(strand_doing::computing);
  if (is_root) root_ = who_watches_roots();
  if (root_ != nullptr) root_->begin_root();
  if (current_observer != nullptr) worker_->pause_forks();
}

void external_scope::begin_alone() noexcept {
  began_alone_ = current_observer == nullptr;
  if (began_alone_) current_observer = &nobody_else;
}

bool external_scope::runs_alone() noexcept {
  return current_observer == &nobody_else && is_outside();
}

external_scope::~external_scope() {
  if (generation_ != forks_of_process) return;
  if (is_alone()) {
    if (began_alone_) current_observer = nullptr;
    return;
  }
  if (root_ != nullptr) root_->end_root();
  change_strand(before_);
  current_stack = &outside_stack;
  if (is_return_) {
    worker_->leave_slot(base::caller());
  } else {
    worker_->core.leave(*worker_);
  }
}

}  // namespace filch::sched
