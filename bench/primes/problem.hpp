#pragma once
// Counts primes by dividing each number by those before its root: a loop whose later iterations
// cost more. In 32 bits: LLVM looks whether 64-bit numbers are so small, and divides by the shorter
// instruction then; g++ does not.
#include <cstdint>
#include <string>
#include <vector>

namespace bench::primes {

struct parameters {
  std::uint32_t below = 5'000'000;
};

/// Below this bound no square of a divisor overflows.
inline constexpr std::int64_t most_below = std::int64_t{1} << 30;

constexpr bool is_prime(std::uint32_t number) noexcept {
  if (number < 4) return number >= 2;
  if (number % 2 == 0) return false;
  for (std::uint32_t divisor = 3; divisor * divisor <= number; divisor += 2) {
    if (number % divisor == 0) return false;
  }
  return true;
}

inline std::uint64_t serial(const parameters& p) noexcept {
  std::uint64_t count = 0;
  for (std::uint32_t number = 0; number < p.below; ++number) count += is_prime(number) ? 1 : 0;
  return count;
}

/// Crosses out multiples, as Eratosthenes did.
inline std::uint64_t by_sieve(std::uint64_t below) {
  std::vector<bool> is_crossed(below);
  std::uint64_t count = 0;
  for (std::uint64_t number = 2; number < below; ++number) {
    if (is_crossed[number]) continue;
    ++count;
    for (std::uint64_t multiple = number * number; multiple < below; multiple += number)
      is_crossed[multiple] = true;
  }
  return count;
}

/// Says what is wrong with `count`; empty when nothing.
inline std::string check(const parameters& p, std::uint64_t count) {
  const std::uint64_t expected = by_sieve(p.below);
  if (count == expected) return {};
  return "there are " + std::to_string(expected) + " primes, not " + std::to_string(count);
}

}  // namespace bench::primes
