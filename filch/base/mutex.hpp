#pragma once
#include <filch/base/clock.hpp>
#include <filch/base/edges.hpp>
#include <filch/base/futex.hpp>

/// Clang's annotations of locks. For filch's own parts. They are empty in a user's build: there
/// -Wthread-safety-negative would require an annotation on every function that takes a lock.
#if defined(__clang__) && defined(FILCH_CHECK_LOCKS)
#define FILCH_THREAD_ANNOTATION(x) __attribute__((x))
#else
#define FILCH_THREAD_ANNOTATION(x)
#endif
#define FILCH_CAPABILITY(x) FILCH_THREAD_ANNOTATION(capability(x))
#define FILCH_SCOPED_CAPABILITY FILCH_THREAD_ANNOTATION(scoped_lockable)
#define FILCH_GUARDED_BY(x) FILCH_THREAD_ANNOTATION(guarded_by(x))
#define FILCH_RETURN_CAPABILITY(x) FILCH_THREAD_ANNOTATION(lock_returned(x))
#define FILCH_REQUIRES(...) FILCH_THREAD_ANNOTATION(requires_capability(__VA_ARGS__))
#define FILCH_ACQUIRE(...) FILCH_THREAD_ANNOTATION(acquire_capability(__VA_ARGS__))
#define FILCH_RELEASE(...) FILCH_THREAD_ANNOTATION(release_capability(__VA_ARGS__))
#define FILCH_UNCHECKED FILCH_THREAD_ANNOTATION(no_thread_safety_analysis)
#define FILCH_TRY_ACQUIRE(...) FILCH_THREAD_ANNOTATION(try_acquire_capability(__VA_ARGS__))

namespace filch::inline v0_2::base {

/// A four-byte lock on a futex word. Uncontended: one locked instruction each way, no system call.
/// Source: Drepper, "Futexes Are Tricky", 2011, mutex 2. We differ: a thread that finds it held
/// first looks again a few times, since our sections are short. It looks rarely, so that the holder
/// can lock it dozens of times before the lines move (Anderson, "The Performance of Spin Lock
/// Alternatives for Shared-Memory Multiprocessors", IEEE TPDS 1990, section 3).
template <class Futex>
class FILCH_EXPORT FILCH_CAPABILITY("mutex") basic_mutex {
 public:
  void lock() noexcept FILCH_ACQUIRE() {
    if (!take_open()) [[unlikely]]
      lock_slow();
    if (simulation* const sim = current_simulation()) sim->locked(this);
  }
  [[nodiscard]] bool try_lock() noexcept FILCH_TRY_ACQUIRE(true) {
    const bool is_ours = take_open();
    if (simulation* const sim = current_simulation(); sim != nullptr && is_ours) sim->locked(this);
    return is_ours;
  }
  void unlock() noexcept FILCH_RELEASE() {
    if (simulation* const sim = current_simulation()) sim->unlocked(this);
    if (state_.exchange(open, release<edge::unlock>) == contended) [[unlikely]]
      Futex::wake_one(state_);
  }

 private:
  enum state : std::uint32_t { open, held, contended };
  bool take_open() noexcept {
    std::uint32_t seen = open;
    return state_.compare_exchange(seen, held, acquire<edge::unlock>);
  }
  void lock_slow() noexcept;
  /// Writers: all threads that lock. Only by read-modify-write.
  typename Futex::template atomic<std::uint32_t> state_{open};
};

template <class Futex>
void basic_mutex<Futex>::lock_slow() noexcept {
  for (int i = Futex::spin_count(); i > 0; --i) {
    if (state_.load(relaxed) == open && take_open()) return;  // relaxed: a look
    for (int pause = Futex::pause_between_looks; pause > 0; --pause) cpu_relax();
  }
  // From here on each unlock wakes a thread: this thread cannot know whether it is the last one
  // that waits.
  while (state_.exchange(contended, acquire<edge::unlock>) != open) Futex::wait(state_, contended);
}

extern template class basic_mutex<real_futex>;
using mutex = basic_mutex<real_futex>;

class FILCH_SCOPED_CAPABILITY lock_guard {
 public:
  explicit lock_guard(mutex& m) noexcept FILCH_ACQUIRE(m) : mutex_{m} { mutex_.lock(); }
  ~lock_guard() FILCH_RELEASE() { mutex_.unlock(); }
  lock_guard(const lock_guard&) = delete;
  lock_guard& operator=(const lock_guard&) = delete;

 private:
  mutex& mutex_;
};

}  // namespace filch::base
