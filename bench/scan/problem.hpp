#pragma once
// What has to know what came before: prefix sums of `ints` and of `doubles`, sums of the `ints`
// before each (`exclusive`), and copies of the odd numbers when a tenth, half or all are odd. For
// filch also `doubles-deterministic`.
#include <bench/harness/contender.hpp>
#include <filch/base/rng.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

namespace bench::scan {

inline constexpr identity as(const char* peer) {
  return {.problem = "scan", .peer = peer, .size = 10'000'000, .variant = "ints"};
}

inline constexpr auto is_odd = [](std::uint64_t each) { return each % 2 != 0; };

/// Numbers below 1000, of which `odd_percent` are odd. Small, so that every bracketing of a sum of
/// doubles is exact.
inline std::vector<std::uint64_t> input(std::size_t count, std::uint64_t odd_percent) {
  std::vector<std::uint64_t> numbers(count);
  std::ranges::generate(numbers, [odd_percent, next = filch::base::split_mix64{1}]() mutable {
    const std::uint64_t drawn = next();
    return drawn % 500 * 2 + ((drawn >> 32) % 100 < odd_percent ? 1 : 0);
  });
  return numbers;
}

/// Times `solve(in, out)`, and asks whether `out` is what `solve_plainly` makes of the same zeros.
template <class T, class Solve, class Plain>
void measure_on(contender& me, const std::vector<T>& in, Solve solve, Plain solve_plainly) {
  std::vector<T> out(in.size()), expected(in.size());
  solve_plainly(in, expected);
  const auto compute = [&](int) {
    solve(in, out);
    return 0;
  };
  me.measure(0, compute, [&](int, int) {
    return std::string(out == expected ? "" : "the result is not that of the plain loop");
  });
}

/// Times what `solver` does in the case asked for: `sum(in, out)`, `sum_before(in, out)` or
/// `copy_odd(in, out)`. Not everybody has the latter two.
template <class Solver>
void measure(contender& me, Solver& solver) {
  const auto count = me.size<std::size_t>();
  const std::string& variant = me.variant();
  const auto sum = [&](const auto& in, auto& out) { solver.sum(in, out); };
  const auto plain_sum = [](const auto& in, auto& out) {
    std::partial_sum(in.begin(), in.end(), out.begin());
  };
  if (variant == "ints") return measure_on(me, input(count, 50), sum, plain_sum);
  if (variant.starts_with("doubles")) {
    const auto numbers = input(count, 50);
    return measure_on(me, std::vector<double>(numbers.begin(), numbers.end()), sum, plain_sum);
  }
  if (variant == "exclusive") {
    return measure_on(
        me, input(count, 50),
        [&]([[maybe_unused]] const auto& in, [[maybe_unused]] auto& out) {
          if constexpr (requires { solver.sum_before(in, out); }) solver.sum_before(in, out);
        },
        [](const auto& in, auto& out) {
          std::exclusive_scan(in.begin(), in.end(), out.begin(), std::uint64_t{0});
        });
  }
  me.require(variant == "tenth" || variant == "half" || variant == "all",
             "--case is ints, doubles, exclusive, tenth, half or all");
  measure_on(
      me,
      input(count, variant == "tenth"  ? 10
                   : variant == "half" ? 50
                                       : 100),
      [&]([[maybe_unused]] const auto& in, [[maybe_unused]] auto& out) {
        if constexpr (requires { solver.copy_odd(in, out); }) solver.copy_odd(in, out);
      },
      [](const auto& in, auto& out) { std::copy_if(in.begin(), in.end(), out.begin(), is_odd); });
}

}  // namespace bench::scan
