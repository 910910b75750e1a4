#pragma once
// Work of any length that keeps a processor busy.
#include <bench/declared_work.hpp>

namespace filch::scaling {

/// 1.35 ns each, as `bench/skewed` has them.
[[gnu::noinline]] inline std::uint64_t rounds(std::uint64_t start, unsigned count) noexcept {
  bench::declare_work(count);
  std::uint64_t acc = start;
  for (unsigned i = 0; i < count; ++i) acc = (acc ^ acc >> 29) * 31 + 7;
  return acc;
}

/// Makes the compiler believe that `value` is used.
inline void use(std::uint64_t value) noexcept { asm volatile("" : : "r"(value)); }

inline constexpr double round_ns = 1.35;
/// So many rounds take that long.
constexpr unsigned rounds_of_ns(double ns) noexcept { return static_cast<unsigned>(ns / round_ns); }

}  // namespace filch::scaling
