#pragma once
// A loop whose iterations cost very unequally, about 50 rounds of a few operations on average:
// `ramp` (i % 100 + 1 of them), `pareto` (shape 1.4: the costliest hundredth costs a quarter of
// all), `rare` (one in a thousand costs a thousand times as much as the others), `clustered` (64
// neighbors cost nearly all).
#include <bench/harness/contender.hpp>
#include <filch/base/rng.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace bench::skewed {

inline constexpr identity as(const char* peer) {
  return {.problem = "skewed", .peer = peer, .size = 1'000'000, .variant = "ramp"};
}

/// How many rounds each element takes.
struct parameters {
  std::vector<std::uint32_t> rounds;
};

inline std::uint32_t rounds_of(const std::string& variant, std::uint64_t i, std::uint64_t random) {
  if (variant == "ramp") return static_cast<std::uint32_t>(i % 100 + 1);
  if (variant == "clustered") return i / 64 == 5'000 ? 780'000 : 1;
  if (variant == "rare") return random % 1000 == 0 ? 25'000 : 25;
  const double uniform = (static_cast<double>(random >> 11) + 1) * 0x1p-53;  // in (0, 1]
  return static_cast<std::uint32_t>(std::min(15 * std::pow(uniform, -1 / 1.4), 1e6));
}

inline parameters make(const std::string& variant, std::uint64_t count) {
  parameters made;
  filch::base::split_mix64 random{1};
  for (std::uint64_t i = 0; i < count; ++i) made.rounds.push_back(rounds_of(variant, i, random()));
  return made;
}

/// Not a line, of which LLVM makes several rounds at once.
inline std::uint64_t element(const parameters& p, std::uint64_t i) noexcept {
  std::uint64_t acc = i;
  for (std::uint32_t round = 0; round < p.rounds[i]; ++round) acc = (acc ^ acc >> 29) * 31 + 7;
  return acc;
}

inline std::uint64_t serial(const parameters& p) noexcept {
  std::uint64_t total = 0;
  for (std::uint64_t i = 0; i < p.rounds.size(); ++i) total += element(p, i);
  return total;
}

/// Times `solve(parameters)`, and holds its total against the serial one.
template <class Solve>
void measure(contender& me, Solve solve) {
  const bool is_known = me.variant() == "ramp" || me.variant() == "pareto" ||
                        me.variant() == "rare" || me.variant() == "clustered";
  me.require(is_known, "--case is ramp, pareto, rare or clustered");
  const parameters input = make(me.variant(), me.size<std::uint64_t>());
  me.measure(input, solve, [](const parameters& p, std::uint64_t total) -> std::string {
    const std::uint64_t expected = serial(p);
    return total == expected
               ? ""
               : "the sum is " + std::to_string(expected) + ", not " + std::to_string(total);
  });
}

}  // namespace bench::skewed
