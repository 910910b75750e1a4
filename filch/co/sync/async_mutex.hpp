#pragma once
#include <filch/co/sync/acquiring.hpp>

#include <utility>

namespace filch {

class async_mutex;

/// Holds an `async_mutex` until it is destroyed or `unlock` is called. Move-only; empty where `try_lock` found it held.
class [[nodiscard]] async_lock {
 public:
  async_lock() noexcept = default;
  async_lock(async_lock&& other) noexcept : held_{std::exchange(other.held_, nullptr)} {}
  async_lock& operator=(async_lock&& other) noexcept {
    if (this != &other) {
      unlock();
      held_ = std::exchange(other.held_, nullptr);
    }
    return *this;
  }
  ~async_lock() { unlock(); }

  explicit operator bool() const noexcept { return held_ != nullptr; }
  /// Gives the mutex up now. Does nothing where it is empty.
  void unlock() noexcept;

 private:
  explicit async_lock(async_mutex& held) noexcept : held_{&held} {}
  async_mutex* held_ = nullptr;
  friend async_mutex;
};

/// A lock that a coroutine may hold across awaits, and for which it is suspended instead of its thread.
///
/// `async_lock held = co_await m.lock();` in coroutines, `filch::wait(m.lock())` in plain functions. Not recursive. In order of arrival: who gives it up
/// hands it to the first that waits, which nobody can overtake.
/// Cost:    a compare-and-swap each way while nobody waits, some 15 ns together; else a suspension and a turn in the ready queue.
/// Blocks:  never a coroutine's thread; `unlock` never.
/// Threads: any; locked by one, it may be unlocked by another, as a coroutine may wander.
/// Throws:  an await `co::cancelled`, `std::bad_alloc` at the first wait of a task.
/// Lifetime: may be destroyed by who was the last to lock it, as soon as that one has it.
class async_mutex {
 public:
  async_mutex() noexcept = default;
  async_mutex(const async_mutex&) = delete;
  async_mutex& operator=(const async_mutex&) = delete;

  class locking : public co::sync::acquiring<locking> {
   public:
    explicit locking(async_mutex& locks) noexcept : acquiring{locks.permit_}, locks_{locks} {}
    async_lock result() noexcept { return async_lock{locks_}; }

   private:
    async_mutex& locks_;
  };
  locking lock() noexcept { return locking{*this}; }
  async_lock try_lock() noexcept { return permit_.try_acquire() ? async_lock{*this} : async_lock{}; }

 private:
  co::sync::permits permit_{1};
  friend async_lock;
};

inline void async_lock::unlock() noexcept {
  if (async_mutex* const held = std::exchange(held_, nullptr)) co::sync::put_back(held->permit_);
}

}  // namespace filch
