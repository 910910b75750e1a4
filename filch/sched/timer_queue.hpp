#pragma once
#include <filch/base/cache_line.hpp>
#include <filch/base/mutex.hpp>
#include <filch/base/panic.hpp>
#include <filch/sched/timer_heap.hpp>

namespace filch::inline v0_2::sched {

/// The timers that were started by holders of one slot. Threads: any.
class alignas(base::cache_line_bytes) timer_queue {
 public:
  timer_queue() noexcept = default;
  timer_queue(const timer_queue&) = delete;
  timer_queue& operator=(const timer_queue&) = delete;
  ~timer_queue() {
    FILCH_ASSERT(timers_.is_empty(), "a pool outlives the timers that were started in it",
                 timers_.first());
  }

  /// Guards the timers, and the state of each wait for one.
  base::mutex& lock() noexcept FILCH_RETURN_CAPABILITY(lock_) { return lock_; }
  /// Under the lock. True when it is now the first: then the caller must ensure that a thread is
  /// awake by then (`parking_lot::timer_added`).
  bool add(timer& added) noexcept FILCH_REQUIRES(lock_) {
    timers_.add(added);
    if (timers_.first() != &added) return false;
    publish();
    return true;
  }
  /// Under the lock.
  void remove(timer& cancelled) noexcept FILCH_REQUIRES(lock_) {
    timers_.remove(cancelled);
    publish();
  }
  /// When the first is due, or `timer::never`. May be old: a thread that must not miss a timer that
  /// was just added looks again after the idle word.
  std::uint64_t first_ns() const noexcept { return first_ns_.load(base::relaxed); }
  /// Takes out the first and marks it expired, if it is due by `now_ns`; else null. The caller must
  /// resume its waiter: `timer::go_on`, without any lock.
  FILCH_EXPORT [[nodiscard]] timer* take_due(std::uint64_t now_ns) noexcept;

 private:
  // Relaxed: ordered by the idle word if it must be seen. (edge::announce)
  void publish() noexcept FILCH_REQUIRES(lock_) {
    const std::uint64_t first = timers_.is_empty() ? timer::never : timers_.first()->due_ns;
    if (first != first_ns()) first_ns_.store(first, base::relaxed);
  }

  base::mutex lock_;
  timer_heap timers_ FILCH_GUARDED_BY(lock_);
  // A line of its own: all threads that look for timers read it. Starting or cancelling a timer
  // that is not the first does not write it.
  alignas(base::cache_line_bytes) base::atomic<std::uint64_t> first_ns_{
      timer::never};  ///< Writers: under `lock_`. Readers: all.
};

}  // namespace filch::sched
