#pragma once
#include <cstdint>

namespace filch::inline v0_2::testing {

/// The names of `base::real_futex` over a checker's `Sync`. It never spins: the checker schedules.
template <class Sync>
struct model_futex {
  template <class T>
  using atomic = typename Sync::template atomic<T>;
  static constexpr int spin_count() noexcept { return 1; }
  static constexpr int pause_between_looks = 1;
  static void wait(atomic<std::uint32_t>& word, std::uint32_t expected) { word.wait(expected); }
  static bool wait_for(atomic<std::uint32_t>& word, std::uint32_t expected, std::uint64_t) {
    return word.wait_for(expected);
  }
  static void wake_one(atomic<std::uint32_t>& word) { word.wake_one(); }
};

}  // namespace filch::testing
