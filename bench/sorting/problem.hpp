#pragma once
// What the two sorts have in common: the input, and how to tell that it was sorted and nothing
// else.
#include <filch/base/rng.hpp>

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace bench::sorting {

using value = std::uint64_t;

struct parameters {
  std::size_t count = 10'000'000;
  std::uint64_t seed = 1;
};

inline std::vector<value> input(const parameters& p) {
  std::vector<value> values(p.count);
  std::ranges::generate(values, filch::base::split_mix64{p.seed});
  return values;
}

/// Sums a hash of every value: the same for any order, and in practice for no other values.
inline std::uint64_t fingerprint(std::span<const value> values) noexcept {
  std::uint64_t sum = 0;
  for (const value v : values) sum += filch::base::split_mix64{v}();
  return sum;
}

/// Says what is wrong with `values` as the sorted input; empty when nothing.
inline std::string check(const parameters& p, std::span<const value> values) {
  const auto disorder = std::ranges::is_sorted_until(values);
  if (disorder != values.end()) {
    return "element " + std::to_string(disorder - values.begin()) +
           " is less than the one before it";
  }
  if (values.size() == p.count && fingerprint(values) == fingerprint(input(p))) return {};
  return "the values are in order, but they are not those of the input";
}

/// Below this an insertion sort wins over any recursion, as in every standard library. Source:
/// Knuth, TAOCP 3, 5.2.2.
inline constexpr std::size_t insertion_size = 24;

inline void insertion_sort(std::span<value> values) noexcept {
  for (std::size_t i = 1; i < values.size(); ++i) {
    const value v = values[i];
    std::size_t gap = i;
    for (; gap > 0 && v < values[gap - 1]; --gap) values[gap] = values[gap - 1];
    values[gap] = v;
  }
}

}  // namespace bench::sorting
