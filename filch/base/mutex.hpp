#pragma once
#include <filch/base/futex.hpp>

#if defined(__clang__)
#define FILCH_THREAD_ANNOTATION(x) __attribute__((x))
#else
#define FILCH_THREAD_ANNOTATION(x)
#endif
#define FILCH_CAPABILITY(x) FILCH_THREAD_ANNOTATION(capability(x))
#define FILCH_SCOPED_CAPABILITY FILCH_THREAD_ANNOTATION(scoped_lockable)
#define FILCH_GUARDED_BY(x) FILCH_THREAD_ANNOTATION(guarded_by(x))
#define FILCH_REQUIRES(...) FILCH_THREAD_ANNOTATION(requires_capability(__VA_ARGS__))
#define FILCH_ACQUIRE(...) FILCH_THREAD_ANNOTATION(acquire_capability(__VA_ARGS__))
#define FILCH_RELEASE(...) FILCH_THREAD_ANNOTATION(release_capability(__VA_ARGS__))
#define FILCH_TRY_ACQUIRE(...) FILCH_THREAD_ANNOTATION(try_acquire_capability(__VA_ARGS__))

namespace filch::base {

/// A four-byte lock on a futex word. Uncontended: one locked instruction each way, no system call.
/// Source: Drepper, "Futexes Are Tricky", 2011, mutex 2. We differ: a short spin first, since our sections are short.
class FILCH_CAPABILITY("mutex") mutex {
 public:
  void lock() noexcept FILCH_ACQUIRE() {
    std::uint32_t seen = open;
    if (!state_.compare_exchange(seen, held, std::memory_order_acquire)) [[unlikely]] lock_slow();
    if (simulation* const stage = current_simulation()) stage->locked(this);
  }
  [[nodiscard]] bool try_lock() noexcept FILCH_TRY_ACQUIRE(true) {
    std::uint32_t seen = open;
    const bool is_ours = state_.compare_exchange(seen, held, std::memory_order_acquire);
    if (simulation* const stage = current_simulation(); stage != nullptr && is_ours) stage->locked(this);
    return is_ours;
  }
  void unlock() noexcept FILCH_RELEASE() {
    if (simulation* const stage = current_simulation()) stage->unlocked(this);
    if (state_.exchange(open, std::memory_order_release) == contended) [[unlikely]] futex_wake_one(state_);
  }

 private:
  enum state : std::uint32_t { open, held, contended };
  void lock_slow() noexcept;
  atomic<std::uint32_t> state_{open};  ///< Writers: everybody who locks. Only by read-modify-write.
};

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
