#include <filch/co/sync/waiting.hpp>

#include <filch/base/caller.hpp>
#include <filch/base/stopped.hpp>
#include <filch/co/sync/interrupt.hpp>
#include <filch/co/thread_waiter.hpp>
#include <filch/sched/worker/worker.hpp>

namespace filch::inline v0_2::co {

void throw_cancelled() { throw cancelled(); }

bool is_cancellation(const std::exception_ptr& error, bool was_asked) noexcept {
  try {
    std::rethrow_exception(error);
  } catch (const cancelled&) {
    return true;
  } catch (const stopped&) {
    return was_asked;
  } catch (...) {
    return false;
  }
}

namespace sync {

// -------------------------------------------------------------------------------------------------
// the end of a wait
bool wait_node::runs_where_it_is_woken() const noexcept {
  if (whole_ != nullptr) return whole_->runs_where_it_is_woken();
  return has_no_pool();
}

// A woken waiter may end, and the node with it: nothing of the node is touched after the wake.
void wait_node::wake() noexcept {
  if (whole_ != nullptr) return whole_->wake();
  if (need_ != nullptr && !std::exchange(need_, nullptr)(*this)) return;
  if (who_ == kind::thread) return thread_->wake();
  if (!has_no_pool()) return own_->make_ready();
  if (!sched::is_outside()) sched::current_worker().begins_nested();
  run_here(self());
}

void wake_each(const served_chain& served) noexcept {
  served_chain later;
  for (wait_link* each = served.first(); each != nullptr;) {
    wait_node& node = static_cast<wait_node&>(*each);
    each = std::exchange(node.next, nullptr);
    if (node.runs_where_it_is_woken()) {
      later.add(&node);  // it may wait for a waiter behind it
    } else {
      node.wake();
    }
  }
  for (wait_link* each = later.first(); each != nullptr;) {
    wait_node& node = static_cast<wait_node&>(*each);
    each = node.next;
    node.wake();
  }
}

void wait_node::interrupt(served_chain& woken) noexcept {
  base::lock_guard guard{*lock_};
  sync::interrupt(*this, woken);
}

// Wakes the waiters after `ask` has released its lock, which the task passes through: a coroutine
// that runs here may wait for that task.
void cancellation_slot::call::operator()() const noexcept {
  served_chain woken;
  at.ask([&](wait_node& waits) { waits.interrupt(woken); });
  wake_all(woken);
}

// -------------------------------------------------------------------------------------------------
// the waiter
bool wait_node::is_about_to_wait(std::coroutine_handle<> self, promise_base* own) {
  may_return = false;
  is_foreign_ = own == nullptr;
  who_ = is_foreign_ ? kind::foreign : kind::ours;
  if (is_foreign_) {
    foreign_ = self.address();
    return true;
  }
  own_ = own;
  own->resumes = self;
  if (own->root() == nullptr) return true;
  cancellation_slot& point = own->interrupts();
  const bool may_wait = point.arm(*this);
  may_wait ? static_cast<void>(point_ = &point) : static_cast<void>(at = state::interrupted);
  may_return = may_wait;
  return may_wait;
}

wait_node& wait_node::armed_by(sched::detached_job& own) noexcept {
  return static_cast<promise_base&>(own).interrupts().armed();
}

void wait_node::goes_on_waiting() noexcept { sched::current_worker().steal_was_useless(); }

void wait_node::forget() {
  is_foreign_ = false;
  if (point_ != nullptr) std::exchange(point_, nullptr)->disarm();
  if (at == state::interrupted) throw_cancelled();
}

void wait_node::withdraw() noexcept {
  is_foreign_ = false;
  served_chain served;
  {
    base::lock_guard guard{*lock_};
    sync::withdraw(*this, served);
  }
  wake_all(served);
}

void wait_node::block(bool (*lists)(wait_node&) noexcept) noexcept {
  thread_waiter me;
  may_return = false;
  who_ = kind::thread;
  thread_ = &me;
  if (!lists(*this)) me.sleep(base::caller());
}

}  // namespace sync
}  // namespace filch::co
