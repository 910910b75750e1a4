#pragma once
#include <filch/base/language.hpp>

#include <cstdint>

namespace filch::inline v0_2::testing {

/// While it lives, a process that dies of a signal first prints the seed that it was running, once
/// for each signal. Then the signal goes to the handler that was there before.
/// Threads: any; if explorations run side by side, it prints the seed of the last one begun.
class seed_on_crash {
 public:
  seed_on_crash() noexcept;
  ~seed_on_crash();
  seed_on_crash(const seed_on_crash&) = delete;
  seed_on_crash& operator=(const seed_on_crash&) = delete;
  void running(std::uint64_t seed) noexcept;
};

}  // namespace filch::testing
