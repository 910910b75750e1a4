#pragma once
#include <filch/co/sync/acquiring.hpp>
#include <filch/co/sync/guard.hpp>

namespace filch {

/// A lock that a coroutine may hold across awaits, and for which it is suspended instead of its
/// thread.
///
/// `async_lock held = co_await m.lock();` in coroutines, `filch::wait(m.lock())` in plain
/// functions. Not recursive. In order of arrival, but that whoever comes has it at once while the
/// first that waits is on its way, and that one's next turn is sure (co/sync/README.md, "Order").
/// Cost: a compare-and-swap each way while nobody waits, some 15 ns together, and mostly where
/// tasks of several workers take short turns; else a suspension and a turn in the ready queue.
/// Blocks:  never a coroutine's thread; `unlock` never.
/// Threads: any; locked by one, it may be unlocked by another, as a coroutine may wander.
/// Throws:  an await `co::cancelled`, `std::bad_alloc` at the first wait of a task.
/// Lifetime: may be destroyed by who was the last to lock it, as soon as that one has it.
class async_mutex {
 public:
  async_mutex() noexcept = default;
  async_mutex(const async_mutex&) = delete;
  async_mutex& operator=(const async_mutex&) = delete;

  /// What holds it.
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
  locking lock() noexcept { return locking{*this}; }
  held try_lock() noexcept { return permit_.try_acquire() ? held{*this} : held{}; }

 private:
  co::sync::permits permit_ = co::sync::permits::of_one();
};

/// Holds an `async_mutex`.
using async_lock = async_mutex::held;

}  // namespace filch
