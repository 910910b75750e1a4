#include <filch/co/scope.hpp>

#include <filch/base/caller.hpp>
#include <filch/base/clock.hpp>
#include <filch/base/thread.hpp>
#include <filch/co/cancelled.hpp>
#include <filch/co/thread_waiter.hpp>
#include <filch/sched/worker/scheduler.hpp>

namespace filch::inline v0_2::co::detail {

task_set::task_set(std::stop_token outer, over_after when, frames what)
    : waiter{&child_ended},
      when_{when},
      frames_{what},
      outer_{std::move(outer), cancelling{stop_}} {}

task_set::~task_set() {
  if (parent_ != nullptr) {
    const std::size_t children = left_.left();
    FILCH_ASSERT(children == 0, "a scope outlives its join", children);
    return;
  }
  cancel();
  const base::waiting_for why{base::awaited{base::a_task, this}};
  thread_waiter me;
  if (wait_with(me)) me.sleep(base::caller());
  report_unseen();
}

// If an exception leaves the scope, that one is reported: a child's counts as a later one.
void task_set::report_unseen() noexcept {
  std::exception_ptr unseen;
  sched::escaped_exception_handler handler = nullptr;
  {
    base::lock_guard guard{lock_};
    if (when_ == over_after::failure && !was_discarded_) unseen = std::exchange(error_, nullptr);
    handler = on_unseen_;
  }
  if (unseen && !is_left_by_exception()) sched::handle_escaped(handler, std::move(unseen));
}

// No coroutine begins or resumes with an exception of its own in flight, on whatever thread. So
// those that its thread counted below the run loop are not its own.
bool task_set::is_left_by_exception() const noexcept {
  return std::uncaught_exceptions() >
         (base::is_on_this_stack(this) ? exceptions_before_ : sched::exceptions_below);
}

void task_set::adopt(promise_base& child, std::coroutine_handle<> self, spawn_options how) {
  child.share_stop_source(stop_);
  base::task_is_part_of(self.address(), this);
  const std::size_t counted = left_.add();
  FILCH_ASSERT(counted != 0, "nothing is spawned in a scope whose join has ended", counted);
  FILCH_TRY { child.spawn_on(how.pool_or_here().core(), self, how.urgency, this, &begin_child); }
  FILCH_CATCH_ALL {
    left_.end_one();  // not the last: the caller is counted
    FILCH_RETHROW;
  }
}

void task_set::begin_child(sched::detached_job* child, sched::detached_job::fate end) {
  promise_base& mine = static_cast<promise_base&>(*child);
  const task_set& all = static_cast<const task_set&>(mine.done().stays());
  // Relaxed: a child that begins in spite of a failure is asked to stop
  const bool is_needed = !all.has_failed_.load(base::relaxed);
  if (is_needed || end == sched::detached_job::fate::discard) return promise_base::run(child, end);
  mine.end_without_beginning();
}

std::coroutine_handle<> task_set::child_ended(waiter& self, promise_base& child) noexcept {
  task_set& mine = static_cast<task_set&>(self);
  mine.look_at(child);
  return mine.left_.end_one() ? mine.parent_->notify(*mine.parent_, child) : nullptr;
}

bool task_set::has_failed(const promise_base& child) const noexcept {
  return child.error() && !is_cancellation(child.error(), stop_.stop_requested());
}

void task_set::look_at(promise_base& child) noexcept {
  bool is_first = false;
  // Relaxed: a hint, so that the exception of a child that did not begin is not looked at.
  const bool may_be_first = !has_failed_.load(base::relaxed);
  if (may_be_first && (when_ == over_after::any_end || has_failed(child))) {
    base::lock_guard guard{lock_};
    is_first = first_ == nullptr;
    if (is_first) {
      first_ = &child;
      if (when_ == over_after::any_end) first_end_ns_ = base::now_ns();
      error_ = child.error();
      on_unseen_ = child.on_unobserved();
      was_discarded_ = !child.has_begun;
    }
  }
  if (is_first) {
    // Relaxed: publishes nothing else
    if (when_ == over_after::failure) has_failed_.store(true, base::relaxed);
    cancel();
  }
  if (frames_ == frames::freed) child.resumes.destroy();
}

bool task_set::wait_with(waiter& waits) noexcept {
  FILCH_ASSERT(parent_ == nullptr, "a scope is joined once", parent_);
  parent_ = &waits;
  return !left_.end_one();
}

void task_set::take_back_parent() noexcept {
  FILCH_ASSERT(
      left_.add_again(),
      "the task that joins a scope is not destroyed once the scope has ended and is to resume it",
      this);
  parent_ = nullptr;
}

std::coroutine_handle<> task_set::joining::wait(void* self) noexcept {
  joining& mine = *static_cast<joining*>(self);
  return mine.all_.wait_with(*mine.me_) ? nullptr : mine.me_->handle;
}

void task_set::rethrow() {
  std::exception_ptr error;
  {
    base::lock_guard guard{lock_};
    if (when_ == over_after::failure) error = std::exchange(error_, nullptr);
  }
  if (error) std::rethrow_exception(std::move(error));
}

}  // namespace filch::co::detail
