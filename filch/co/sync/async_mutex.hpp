#pragma once
#include <filch/co/sync/acquiring.hpp>
#include <filch/co/sync/guard.hpp>

namespace filch::inline v0_2 {

/// A lock that a coroutine may hold across awaits. A coroutine that waits for it is suspended; its
/// thread goes on.
///
/// `async_lock held = co_await m.lock();` in coroutines, `filch::wait(m.lock())` in plain
/// functions. Not recursive. Locked in order of arrival, with one exception: while the first waiter
/// is on its way others may lock at once; then its next turn is sure (co/sync/README.md, "Order").
/// An `async_semaphore` of one permit keeps strict order.
/// Cost: a compare-and-swap each way while no task waits, some 15 ns together, and mostly so for
/// short turns of tasks on several workers; else a suspension and a turn in the ready queue.
/// Blocks:  never a coroutine's thread; `unlock` never.
/// Threads: any; one may lock it and another unlock it, as a coroutine may change threads.
/// Throws:  an await `co::cancelled`, `std::bad_alloc` at the first wait of a task.
/// Lifetime: the last task that locks it may destroy it as soon as it has the lock.
class async_mutex {
 public:
  async_mutex() noexcept = default;
  async_mutex(const async_mutex&) = delete;
  async_mutex& operator=(const async_mutex&) = delete;

  /// Unlocks it. For filch's own parts.
  struct giving_up {
    void operator()(async_mutex& of) const noexcept { locking::put_back(of.permit_); }
  };
  using held = co::sync::guard<async_mutex, giving_up>;

  class [[nodiscard]] locking : public co::sync::acquiring<locking> {
   public:
    explicit locking(async_mutex& locks) noexcept : acquiring{locks.permit_}, locks_{locks} {}
    base::awaited awaited() const noexcept { return {"async_mutex", &locks_}; }
    held result() noexcept { return held{locks_}; }

   private:
    async_mutex& locks_;
  };
  /// Waits for the lock. The await gives an `async_lock`.
  locking lock() noexcept { return locking{*this}; }
  /// Empty if it cannot have the lock at once.
  held try_lock() noexcept { return permit_.try_acquire() ? held{*this} : held{}; }

 private:
  co::sync::permits permit_ = co::sync::permits::of_one();
};

/// Holds an `async_mutex`.
using async_lock = async_mutex::held;

}  // namespace filch
