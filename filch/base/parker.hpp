#pragma once
#include <filch/base/futex.hpp>

namespace filch::base {

/// A one-token semaphore for one thread: `unpark` leaves the token, `park` takes it or sleeps until it comes.
/// Ours, because libstdc++ 12's `atomic::wait` and `counting_semaphore` and glibc 2.36's condition variables lose wake-ups.
/// Whatever was written before `unpark` is visible after the `park` that took its token.
class parker {
 public:
  /// Blocks: until a token is there; takes it. Cost: about 2 ns with a token, else a futex wait.
  void park() noexcept;
  /// As `park`, for at most `nanoseconds`. Returns true when it took a token.
  [[nodiscard]] bool park_for(std::uint64_t nanoseconds) noexcept;
  /// Whether `park` would return at once. Threads: the one that parks.
  bool has_token() const noexcept { return state_.load(std::memory_order_relaxed) == token; }  // relaxed: `park` takes it in order
  /// Leaves a token, at most one. Cost: 5 ns when the thread is awake, 1 to 2 us when it sleeps.
  /// Lifetime: touches nothing but the address after the token is out.
  void unpark() noexcept;

 private:
  enum state : std::uint32_t { empty, token, sleeping };
  atomic<std::uint32_t> state_{empty};  ///< Writers: the parking thread, any waker. Only by read-modify-write.
};

}  // namespace filch::base
