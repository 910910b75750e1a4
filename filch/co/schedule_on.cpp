#include <filch/co/schedule_on.hpp>

#include <filch/sched/worker/scheduler.hpp>

namespace filch::inline v0_2::co::detail {

bool moving::needs_to_move() const {
  FILCH_ASSERT(!mover_->is_in_fork() && mover_->forks().is_joined(),
               "a task that was forked stays in its pool, and its parent stays until the join",
               mover_);
  const promise_base* const root = mover_->root();
  if (root == nullptr ? to_.is_current() : &root->pool() == &to_.core()) return false;
  to_.core().admit();
  return true;
}

std::coroutine_handle<> moving::move(void* self) noexcept {
  const moving& mine = *static_cast<moving*>(self);
  if (promise_base* const root = mine.mover_->root()) {
    root->move_to(mine.to_.core(), *mine.mover_);
  } else {
    sched::scheduler& to = mine.to_.core();
    // This may be the last job that the pool waits for
    const sched::keep_alive stays{to};
    to.submit_always(mine.mover_->as_job());
  }
  return nullptr;
}

}  // namespace filch::co::detail
