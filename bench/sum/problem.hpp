#pragma once
// Sums a million elements of very unequal cost: element i takes i % 100 + 1 rounds of acc * factor
// + offset, starting from i.
#include <cstdint>
#include <string>

namespace bench::sum {

struct parameters {
  std::uint64_t count = 1'000'000;
  std::uint64_t factor = 31,
                /// Not constants: of rounds by constants LLVM makes several at once, and gcc does
      /// not.
      offset = 7;
};

inline constexpr std::uint64_t cost_period = 100;

constexpr std::uint64_t element(const parameters& p, std::uint64_t i) noexcept {
  std::uint64_t acc = i;
  for (std::uint64_t round = 0; round <= i % cost_period; ++round) acc = acc * p.factor + p.offset;
  return acc;
}

inline std::uint64_t serial(const parameters& p) noexcept {
  std::uint64_t total = 0;
  for (std::uint64_t i = 0; i < p.count; ++i) total += element(p, i);
  return total;
}

/// Sums first, first + step, ... of `count` terms, modulo 2^64.
constexpr std::uint64_t arithmetic_series(std::uint64_t first, std::uint64_t step,
                                          std::uint64_t count) noexcept {
  const std::uint64_t pairs = count % 2 == 0 ? count / 2 * (count - 1) : (count - 1) / 2 * count;
  return first * count + step * pairs;
}

/// The total in closed form. All elements with the same i % 100 go through the same map i -> factor
/// * i + offset.
constexpr std::uint64_t expected(const parameters& p) noexcept {
  std::uint64_t total = 0, factor = 1, offset = 0;
  for (std::uint64_t residue = 0; residue < cost_period; ++residue) {
    factor *= p.factor;
    offset = offset * p.factor + p.offset;
    const std::uint64_t members = p.count / cost_period + (residue < p.count % cost_period);
    total += factor * arithmetic_series(residue, cost_period, members) + offset * members;
  }
  return total;
}

/// Says what is wrong with `total`; empty when nothing.
inline std::string check(const parameters& p, std::uint64_t total) {
  if (total == expected(p)) return {};
  return "the sum is " + std::to_string(expected(p)) + ", not " + std::to_string(total);
}

}  // namespace bench::sum
