#pragma once
#include <filch/co/sync/waiting.hpp>

namespace filch::inline v0_2 {

/// A flag that tasks wait for. It stays set until `reset`. `co_await e.wait()`, or
/// `filch::wait(e.wait())`: until `set`.
///
/// Cost: a lock, some 15 ns; if it waits, a suspension and a turn in the ready queue. `set` wakes
/// the waiters one after the other.
/// Throws:  an await `co::cancelled`, `std::bad_alloc` at the first wait of a task.
/// Threads: any. A waiter sees what was done before `set`.
/// Lifetime: may be destroyed, even before `set` returns, as soon as every wait has returned or, if
/// no task waits, `is_set` has returned true. One of several waits is not enough: a thread that
/// asks another served task to stop may still take the lock.
class async_event {
 public:
  async_event() noexcept = default;
  async_event(const async_event&) = delete;
  async_event& operator=(const async_event&) = delete;

  class [[nodiscard]] waiting : public co::sync::waiting<waiting> {
   public:
    explicit waiting(async_event& of) noexcept : co::sync::waiting<waiting>{of.lock_}, of_{of} {}
    bool try_at_once() noexcept { return of_.is_set(); }
    bool try_locked(co::sync::served_chain&) const noexcept
        FILCH_THREAD_ANNOTATION(no_thread_safety_analysis) {
      return of_.is_set_;
    }
    void list(co::sync::served_chain&) noexcept FILCH_THREAD_ANNOTATION(no_thread_safety_analysis) {
      of_.waiting_.push_back(*this);
    }
    base::awaited awaited() const noexcept { return {"async_event", &of_}; }
    static void result() noexcept {}

   private:
    async_event& of_;
  };
  /// Waits until it is set.
  waiting wait() noexcept { return waiting{*this}; }
  /// Wakes all waiters. Later waits return at once.
  void set() noexcept {
    co::sync::served_chain served;
    {
      base::lock_guard guard{lock_};
      is_set_ = true;
      served.add_all(waiting_);
    }
    wake_all(served);
  }
  /// From now on `wait` waits again.
  void reset() noexcept {
    base::lock_guard guard{lock_};
    is_set_ = false;
  }
  bool is_set() const noexcept {
    base::lock_guard guard{lock_};
    return is_set_;
  }

 private:
  mutable base::mutex lock_;
  bool is_set_ FILCH_GUARDED_BY(lock_) = false;
  co::sync::wait_list waiting_ FILCH_GUARDED_BY(lock_);
};

}  // namespace filch
