#pragma once
// The part of a run that matters.
#include <filch/base/clock.hpp>

#include <cstdint>

namespace filch::scaling {

/// Sums times of parts of a run.
class stopwatch {
 public:
  template <class F>
  void time(F f) {
    const std::uint64_t begin = base::now_ns();
    f();
    sum_ns_ += base::now_ns() - begin;
  }
  void reset() noexcept { sum_ns_ = 0; }
  std::uint64_t sum_ns() const noexcept { return sum_ns_; }

 private:
  std::uint64_t sum_ns_ = 0;
};

}  // namespace filch::scaling
