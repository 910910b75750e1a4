#pragma once
// The kernel's wait-on-address call, and its replacement on systems without one.
#include <filch/base/atomic.hpp>

#include <cstdint>

namespace filch::inline v0_2::base {

/// Sleeps while `word` holds `expected`. May return early for no reason: the caller must check
/// `word` again.
FILCH_EXPORT void futex_wait(atomic<std::uint32_t>& word, std::uint32_t expected) noexcept;

/// As `futex_wait`, for at most `nanoseconds`. Returns false if the time ran out.
FILCH_EXPORT bool futex_wait_for(atomic<std::uint32_t>& word, std::uint32_t expected,
                                 std::uint64_t nanoseconds) noexcept;

/// Wakes one sleeper on `word`, if any. `word` may already be freed: only its address is used.
FILCH_EXPORT void futex_wake_one(atomic<std::uint32_t>& word) noexcept;

/// The base of `basic_mutex` and `basic_parker`; a model checker brings its own.
struct FILCH_EXPORT real_futex {
  template <class T>
  using atomic = base::atomic<T>;
  /// How often a thread looks at a lock before it sleeps: about 6 us together if a pause is 25 ns.
  /// That is less than the system calls of a sleep and a wake.
  static int spin_count() noexcept {
    const simulation* const sim = current_simulation();
    return sim == nullptr || !sim->explores ? 8 : 0;
  }
  /// About 0.8 us. With 1, a value passes a channel between two workers in 120 ns, with 32 in 29
  /// (`bench/channel` at two workers), with 64 in 26; to one receiver in 109, 47 and 56.
  static constexpr int pause_between_looks = 32;
  static void wait(atomic<std::uint32_t>& word, std::uint32_t expected) noexcept {
    futex_wait(word, expected);
  }
  static bool wait_for(atomic<std::uint32_t>& word, std::uint32_t expected,
                       std::uint64_t nanoseconds) noexcept {
    return futex_wait_for(word, expected, nanoseconds);
  }
  static void wake_one(atomic<std::uint32_t>& word) noexcept { futex_wake_one(word); }
};

}  // namespace filch::base
