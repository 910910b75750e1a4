#include <filch/co/schedule_on.hpp>

#include <filch/sched/core.hpp>

namespace filch::co {

bool moving::needs_to_move() const {
  FILCH_ASSERT(!mover_->is_in_fork() && mover_->forks().is_joined(),
               "a task that was forked stays in its pool, and who has forked until its join",
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
    sched::pool_core& to = mine.to_.core();
    // What it hands over may be all that the pool waits for
    const sched::pool_core::guest stays{to};
    to.submit_always(mine.mover_->as_job());
  }
  return nullptr;
}

}  // namespace filch::co
