#pragma once
// The naive Fibonacci recursion: nothing but calls, so what a fork costs is all there is to see.
#include <cstdint>
#include <string>

namespace bench::fib {

struct parameters {
  unsigned n = 39;
};

inline constexpr unsigned largest_n = 93;  ///< The last Fibonacci number that fits 64 bits.

constexpr std::uint64_t serial(unsigned n) noexcept {
  return n < 2 ? n : serial(n - 1) + serial(n - 2);
}

inline std::uint64_t serial(const parameters& p) noexcept { return serial(p.n); }

/// Adds upwards, without recursion.
constexpr std::uint64_t by_adding(unsigned n) noexcept {
  std::uint64_t current = 0, next = 1;
  for (unsigned i = 0; i < n; ++i) {
    const std::uint64_t sum = current + next;
    current = next;
    next = sum;
  }
  return current;
}

/// The calls the recursion makes, itself included: 2 fib(n + 1) - 1.
constexpr std::uint64_t call_count(const parameters& p) noexcept {
  return 2 * by_adding(p.n + 1) - 1;
}

/// Says what is wrong with `result`; empty when nothing.
inline std::string check(const parameters& p, std::uint64_t result) {
  const std::uint64_t expected = by_adding(p.n);
  if (result == expected) return {};
  return "fib(" + std::to_string(p.n) + ") is " + std::to_string(expected) + ", not " +
         std::to_string(result);
}

}  // namespace bench::fib
