#include <filch/sched/visit.hpp>

#include <filch/sched/core.hpp>
#include <filch/sched/edges.hpp>
#include <filch/sched/roots.hpp>
#include <filch/sched/sitting.hpp>
#include <filch/sched/strands.hpp>

namespace filch::sched {
namespace {

constinit thread_local slot_leave* innermost = nullptr;
constinit thread_local worker* sitter = nullptr;
unsigned forks_of_process = 0;  // written in the child of a fork() only, where there is one thread

bool is_outside_every_pool() noexcept { return is_outside() && innermost == nullptr; }

}  // namespace

constinit base::atomic<root_watcher*> watcher_of_roots{nullptr};

void watch_roots(root_watcher* by) noexcept { watcher_of_roots.store(by, base::release<edge::enlist>); }

bool will_be_watched() noexcept { return is_outside_every_pool() && who_watches_roots() != nullptr; }

slot_leave::slot_leave() noexcept
    : worker_{is_outside() ? nullptr : &current_worker()}, outer_{innermost}, generation_{forks_of_process} {
  if (worker_ == nullptr) return;
  worker_->emit(event::kind::blocking_entered);
  before_ = change_strand(strand_doing::blocked);
  innermost = this;
  current_stack = &outside_stack;
  worker_->leave_slot();
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
  for (const slot_leave* each = innermost; each != nullptr; each = each->outer_) {
    if (&each->worker_->core == &pool) return each->worker_;
  }
  return nullptr;
}

bool slot_leave::is_inside(const pool_core& pool) noexcept {
  return (sitter != nullptr && &sitter->core == &pool) || find(pool) != nullptr;
}

worker* slot_leave::nearest() noexcept {
  if (!is_outside()) return &current_worker();
  return innermost == nullptr ? sitter : innermost->worker_;
}

void slot_leave::forget_all() noexcept {
  ++forks_of_process;
  current_stack = &outside_stack;
  current_observer = nullptr;
  watch_roots(nullptr);
  innermost = nullptr;
  sitter = nullptr;
}

sitting::sitting(worker& me) noexcept : me_{me} {
  sitter = &me;
  current_stack = &outside_stack;  // it has no slot
}

sitting::~sitting() {
  current_stack = &me_;
  sitter = nullptr;
}

visit::visit(pool_core& pool) : worker_{slot_leave::find(pool)}, generation_{forks_of_process}, is_return_{worker_ != nullptr} {
  const bool is_root = is_outside_every_pool() && current_observer == nullptr;
  if (is_return_) {
    worker_->take_slot();
  } else {
    worker_ = &pool.enter();
  }
  current_stack = worker_;
  before_ = change_strand(strand_doing::computing);
  if (is_root) root_ = who_watches_roots();
  if (root_ != nullptr) root_->begin_root();
  if (current_observer != nullptr) worker_->pause_forks();
}

visit::~visit() {
  if (generation_ != forks_of_process) return;
  if (root_ != nullptr) root_->end_root();
  change_strand(before_);
  current_stack = &outside_stack;
  if (is_return_) {
    worker_->leave_slot();
  } else {
    worker_->core.leave(*worker_);
  }
}

}  // namespace filch::sched
