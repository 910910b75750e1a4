#pragma once
// One pass over floats in memory, larger than any cache: `sum`, `dot` (of the two halves), `square`
// (x = x * x in place); and for filch `sum-deterministic`. The floats are small integers of both
// signs, so that every bracketing of a sum is exact.
#include <bench/harness/contender.hpp>
#include <filch/base/rng.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace bench::reduce {

inline constexpr identity as(const char* peer) {
  return {.problem = "reduce", .peer = peer, .size = 100'000'000, .variant = "sum"};
}

/// Numbers -1, 0 and 1. Squaring them twice changes nothing, so the pass in place can be repeated.
inline std::vector<float> input(std::size_t count) {
  std::vector<float> numbers(count);
  std::ranges::generate(numbers, [next = filch::base::split_mix64{1}]() mutable {
    return static_cast<float>(next() % 3) - 1;
  });
  return numbers;
}

/// Times what `solver` does in the case asked for: `sum(span)` and `dot(span, span)` return floats,
/// `square(span)` returns nothing.
template <class Solver>
void measure(contender& me, Solver& solver) {
  std::vector<float> numbers = input(me.size<std::size_t>());
  const std::size_t half = numbers.size() / 2;
  const std::span<float> all(numbers), left = all.first(half), right = all.subspan(half, half);
  const bool is_sum = me.variant().starts_with("sum"), is_dot = me.variant() == "dot",
             is_square = me.variant() == "square";
  me.require(is_sum || is_dot || is_square, "--case is sum, dot or square");

  std::int64_t expected = 0;
  for (std::size_t i = 0; is_sum && i != all.size(); ++i)
    expected += static_cast<std::int64_t>(all[i]);
  for (std::size_t i = 0; is_dot && i != half; ++i)
    expected += static_cast<std::int64_t>(left[i] * right[i]);

  const auto compute = [&](int) -> float {
    if (is_sum) return solver.sum(all);
    if (is_dot) return solver.dot(left, right);
    solver.square(all);
    return 0;
  };
  me.measure(0, compute, [&](int, float result) -> std::string {
    if (is_square && std::ranges::any_of(all, [](float x) { return x != 0 && x != 1; }))
      return "there is a number that is no square";
    if (result == static_cast<float>(expected)) return {};
    return "the result is " + std::to_string(expected) + ", not " + std::to_string(result);
  });
}

}  // namespace bench::reduce
