#pragma once
#include <filch/base/clock.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>

namespace filch::cli::prove {

template <class F>
std::uint64_t ns_of(F&& f) {
  const std::uint64_t start_ns = base::now_ns();
  f();
  return base::now_ns() - start_ns;
}

/// The least of several times, which is what others on the machine disturb least.
class least_time {
 public:
  template <class F>
  void add(F&& f) {
    ns_ = std::min(ns_, ns_of(f));
  }
  std::uint64_t ns() const noexcept { return ns_; }
  double seconds() const noexcept { return static_cast<double>(ns_) * 1e-9; }

 private:
  std::uint64_t ns_ = std::numeric_limits<std::uint64_t>::max();
};

}  // namespace filch::cli::prove
