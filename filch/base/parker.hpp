#pragma once
#include <filch/base/edges.hpp>
#include <filch/base/futex.hpp>

namespace filch::inline v0_2::base {

/// A one-token semaphore for one thread: `unpark` leaves the token, `park` takes it or sleeps until
/// it comes. What was written before `unpark` is visible after the `park` that took its token.
/// Ours, because libstdc++ 12's `atomic::wait` and `counting_semaphore` and glibc 2.36's condition
/// variables lose wake-ups.
template <class Futex>
class FILCH_EXPORT basic_parker {
 public:
  /// Blocks until there is a token, and takes it. Cost: about 2 ns with a token, else a futex wait.
  void park() noexcept;
  /// As `park`, for at most `nanoseconds`. Returns true when it took a token.
  [[nodiscard]] bool park_for(std::uint64_t nanoseconds) noexcept;
  /// Whether `park` would return at once. Threads: the one that parks.
  // Relaxed: `park` takes it in order
  bool has_token() const noexcept { return state_.load(relaxed) == token; }
  /// Leaves a token, at most one. Cost: 5 ns if the thread is awake, 1 to 2 us if it sleeps.
  /// Lifetime: touches nothing but the address once the token is out.
  void unpark() noexcept;

 private:
  enum state : std::uint32_t { empty, token, sleeping };
  bool falls_asleep() noexcept {
    std::uint32_t seen = empty;
    // Relaxed: the exchange that takes a token receives what it brings
    return state_.compare_exchange(seen, sleeping, relaxed);
  }
  bool is_asleep() const noexcept { return state_.load(relaxed) == sleeping; }  // relaxed: the same
  bool take_token() noexcept { return state_.exchange(empty, acquire<edge::token>) == token; }

  /// Writers: the parking thread, any waker. Only by read-modify-write.
  typename Futex::template atomic<std::uint32_t> state_{empty};
};

template <class Futex>
void basic_parker<Futex>::park() noexcept {
  if (falls_asleep()) {
    while (is_asleep()) Futex::wait(state_, sleeping);
  }
  take_token();
}

template <class Futex>
bool basic_parker<Futex>::park_for(std::uint64_t nanoseconds) noexcept {
  if (falls_asleep()) {
    while (is_asleep() && Futex::wait_for(state_, sleeping, nanoseconds)) {
    }
  }
  return take_token();
}

template <class Futex>
void basic_parker<Futex>::unpark() noexcept {
  if (state_.exchange(token, release<edge::token>) == sleeping) Futex::wake_one(state_);
}

extern template class basic_parker<real_futex>;
using parker = basic_parker<real_futex>;

}  // namespace filch::base
