#pragma once
#include <filch/base/panic.hpp>
#include <filch/co/sync/async_mutex.hpp>

namespace filch::inline v0_2 {

/// Waits until a condition holds that an `async_mutex` guards: `while (!ready) co_await
/// c.wait(held);`, or `filch::wait(c.wait(held))`.
///
/// The wait gives the lock up once it is listed, and has it again when it returns, so it misses no
/// notice in between. A notified waiter goes straight into the line of the lock: if the notifier
/// holds it, no waiter wakes only to wait again. No wait returns without a notice, but another task
/// may have had the lock in between and changed the condition: hence the `while`.
/// Cost: a lock, some 15 ns, a suspension, that of the mutex, and a turn in the ready queue. No
/// allocation.
/// Blocks:  never a coroutine's thread; notifying never.
/// Threads: any may notify, with or without the lock.
/// Throws: an await `co::cancelled`, with the lock held again; a stop request does not end the wait
/// for that lock. `std::bad_alloc` at the first wait of a task, with the lock held.
/// Lifetime: outlives every wait. Each wait's mutex outlives that wait.
/// Source: Hoare, Monitors, 1974, with the notices of Lampson and Redell, Mesa, 1980: a notified
/// waiter competes for the lock like any other task.
/// Example: examples/sync_primitives.cpp
class async_condition {
 public:
  async_condition() noexcept = default;
  async_condition(const async_condition&) = delete;
  async_condition& operator=(const async_condition&) = delete;

  class [[nodiscard]] waiting : public co::sync::waiting<waiting> {
   public:
    waiting(async_condition& of, async_lock& held) noexcept
        : co::sync::waiting<waiting>{of.lock_},
          of_{of},
          held_{held},
          again_(held.mutex()->lock()) {}
    ~waiting() {
      leave();
      if (gave_up_ != nullptr) [[unlikely]]
        again_.withdraw();
    }
    static bool try_at_once() noexcept { return false; }
    bool try_or_list() noexcept { return of_.list_and_give_up(*this); }
    void ended() noexcept {
      again_.is_part_of(nullptr);
      if (gave_up_ != nullptr) held_ = async_lock{*std::exchange(gave_up_, nullptr)};
    }
    base::awaited awaited() const noexcept { return {"a notice of async_condition", &of_}; }
    static void result() noexcept {}

   private:
    static bool takes_lock_again(co::sync::wait_node& self) noexcept {
      waiting& mine = static_cast<waiting&>(self);
      base::task_now_waits(mine.self().address(), mine.again_.awaited());
      return mine.again_.try_or_list();
    }

    async_condition& of_;
    async_lock& held_;
    async_mutex::locking again_;
    async_mutex* gave_up_ = nullptr;  ///< Set from giving it up until `held_` holds it again.
    friend async_condition;
  };
  /// `held` holds the mutex that guards the condition. It is empty while this waits.
  waiting wait(async_lock& held) noexcept {
    FILCH_ASSERT(held, "a condition is waited for with its lock held");
    return {*this, held};
  }
  /// Wakes the longest waiter, if any.
  void notify_one() noexcept {
    co::sync::served_chain served;
    {
      base::lock_guard guard{lock_};
      served.add(waiting_.serve_first());
    }
    wake_all(served);
  }
  /// Wakes all tasks that wait now.
  void notify_all() noexcept {
    co::sync::served_chain served;
    {
      base::lock_guard guard{lock_};
      served.add_all(waiting_);
    }
    wake_all(served);
  }

 private:
  // Once listed, `waits` may be destroyed as soon as `lock_` is released. It cannot go on before
  // `given_up` is put back: it needs that mutex first.
  bool list_and_give_up(waiting& waits) noexcept {
    async_lock given_up;
    {
      base::lock_guard guard{lock_};
      if (waits.at == co::sync::wait_link::state::interrupted) return true;
      given_up = std::move(waits.held_);
      waits.gave_up_ = given_up.mutex();
      waits.again_.is_part_of(&waits);
      waits.needs_at_last(&waiting::takes_lock_again);
      waiting_.push_back(waits);
    }
    return false;
  }

  base::mutex lock_;
  co::sync::wait_list waiting_ FILCH_GUARDED_BY(lock_);
};

}  // namespace filch
