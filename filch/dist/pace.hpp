#pragma once
#include <filch/base/language.hpp>

#include <cstddef>
#include <cstdint>

namespace filch::inline v0_2::dist {

/// How many tasks a worker runs between two looks at the messages: as many as take 50 to 200 us. A
/// look costs about 1 us with Open MPI and MPICH, and a thief waits for one.
class pace {
 public:
  static constexpr std::uint64_t shortest_ns = 50'000, longest_ns = 200'000;
  static constexpr std::size_t most = std::size_t{1} << 20;

  constexpr std::size_t count() const noexcept { return count_; }
  /// `done` tasks took so long.
  constexpr void took(std::uint64_t nanoseconds, std::size_t done) noexcept {
    if (nanoseconds > longest_ns && count_ > 1) count_ /= 2;
    if (nanoseconds < shortest_ns && done >= count_ && count_ < most) count_ *= 2;
  }

 private:
  std::size_t count_ = 16;
};

}  // namespace filch::dist
