#pragma once
#include <filch/base/language.hpp>

#include <cstdint>

namespace filch::inline v0_2::span {

/// How long the calling thread was ready to run while the processor ran other threads, as the
/// kernel counts it (schedstat).
/// Threads: the one that made it.
class run_delay {
 public:
  /// If the system does not count this, `since_last` returns 0.
  run_delay() noexcept;
  ~run_delay();
  run_delay(const run_delay&) = delete;
  run_delay& operator=(const run_delay&) = delete;

  /// Nanoseconds since the last call, or since the beginning. Cost: a system call, about 1 us.
  std::uint64_t since_last() noexcept;

 private:
  std::uint64_t read() const noexcept;

  int file_;
  std::uint64_t before_ = 0;
};

}  // namespace filch::span
