#pragma once
#include <filch/base/language.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace filch::inline v0_2 {

/// How many durations lay between one power of two and the next.
struct duration_histogram {
  /// `counts[0]`: below 1 ns; `counts[i]`: at least 2^(i-1) ns and below 2^i; the last one: 19
  /// hours and longer.
  std::array<std::uint64_t, 48> counts{};

  /// Counts one more duration.
  void add(double ns) noexcept {
    const std::size_t bucket =
        ns < 1 ? 0
               : static_cast<std::size_t>(64 - std::countl_zero(static_cast<std::uint64_t>(ns)));
    ++counts[bucket < counts.size() ? bucket : counts.size() - 1];
  }
  duration_histogram& operator+=(const duration_histogram& other) noexcept {
    for (std::size_t i = 0; i != counts.size(); ++i) counts[i] += other.counts[i];
    return *this;
  }
  /// The shortest duration of `bucket`.
  static constexpr std::int64_t begin_ns(std::size_t bucket) noexcept {
    return bucket == 0 ? 0 : std::int64_t{1} << (bucket - 1);
  }
  friend bool operator==(const duration_histogram&, const duration_histogram&) = default;
};

}  // namespace filch
