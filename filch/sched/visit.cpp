#include <filch/sched/visit.hpp>

#include <filch/base/caller.hpp>
#include <filch/base/stack_overflow.hpp>
#include <filch/sched/core.hpp>
#include <filch/sched/edges.hpp>
#include <filch/sched/roots.hpp>
#include <filch/sched/sitting.hpp>
#include <filch/sched/strands.hpp>

namespace filch::sched {
namespace {

FILCH_TLS_INITIAL_EXEC constinit thread_local const place_left* innermost = nullptr;
unsigned forks_of_process = 0;  // written in the child of a fork() only, where there is one thread

bool is_outside_every_pool() noexcept { return is_outside() && !slot_leave::is_under_way(); }

/// Watches a thread that runs alone: what it forks runs as plain calls, and nobody asks about it.
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

slot_leave::slot_leave() noexcept
    : place_left{is_outside() ? nullptr : &current_worker(), innermost, false},
      generation_{forks_of_process} {
  if (worker_ == nullptr) return;
  worker_->record_event(event::kind::blocking_entered);
  before_ = change_strand(strand_doing::blocked);
  innermost = this;
  current_stack = &outside_stack;
  worker_->leave_slot(base::caller());
}

slot_leave::~slot_leave() {
  if (worker_ == nullptr || generation_ != forks_of_process) return;
  worker_->take_slot();
  current_stack = worker_;
  innermost = outer_;
  change_strand(before_);
}

worker* slot_leave::find(const pool_core& pool) noexcept {
  if (!is_outside() && &current_worker().core == &pool) return &current_worker();
  for (const place_left* each = innermost; each != nullptr; each = each->outer_) {
    if (!each->sits_ && &each->worker_->core == &pool) return each->worker_;
  }
  return nullptr;
}

bool slot_leave::is_inside(const pool_core& pool) noexcept {
  for (const place_left* each = innermost; each != nullptr; each = each->outer_) {
    if (&each->worker_->core == &pool) return true;
  }
  return !is_outside() && &current_worker().core == &pool;
}

bool slot_leave::is_under_way() noexcept {
  const place_left* each = innermost;
  while (each != nullptr && each->sits_) each = each->outer_;
  return each != nullptr;
}

worker* slot_leave::nearest() noexcept {
  if (!is_outside()) return &current_worker();
  return innermost == nullptr ? nullptr : innermost->worker_;
}

void slot_leave::forget_all() noexcept {
  ++forks_of_process;
  current_stack = &outside_stack;
  current_observer = nullptr;
  watch_roots(nullptr);
  innermost = nullptr;
}

sitting::sitting(worker& me) noexcept : place_left{&me, innermost, true} {
  innermost = this;
  current_stack = &outside_stack;  // it has no slot
}

sitting::~sitting() {
  current_stack = worker_;
  innermost = outer_;
}

visit::visit(pool_core& pool)
    : worker_{slot_leave::find(pool)},
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

void visit::begin_alone() noexcept {
  began_alone_ = current_observer == nullptr;
  if (began_alone_) current_observer = &nobody_else;
}

bool visit::runs_alone() noexcept { return current_observer == &nobody_else && is_outside(); }

visit::~visit() {
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
