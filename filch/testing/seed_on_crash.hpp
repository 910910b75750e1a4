#pragma once
#include <filch/base/language.hpp>

#include <cstdint>

namespace filch::testing {

/// While it lives, a process that dies of a signal says first which seed it was running, once a
/// signal. Then the signal takes its course, with whatever handler was there before.
/// Threads: any; of explorations side by side the last one begun is named.
class seed_on_crash {
 public:
  seed_on_crash() noexcept;
  ~seed_on_crash();
  seed_on_crash(const seed_on_crash&) = delete;
  seed_on_crash& operator=(const seed_on_crash&) = delete;
  void running(std::uint64_t seed) noexcept;
};

}  // namespace filch::testing
