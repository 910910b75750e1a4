#pragma once
#include <filch/algo/braces.hpp>
#include <filch/algo/reduce.hpp>

namespace filch::inline v0_2 {
namespace algo {

struct count_if_fn : algorithm<count_if_fn> {
  template <std::random_access_iterator It, class Pred, class Proj = std::identity>
  static std::iter_difference_t<It> run(const settings& how, It first, std::uint64_t count,
                                        Pred&& pred, Proj proj = {}) {
    std::plus<> op;
    const auto is_one = [first, &pred, &proj](std::uint64_t i) -> bool {
      return std::invoke(pred, std::invoke(proj, *advance(first, i)));
    };
    return static_cast<std::iter_difference_t<It>>(fold(how, count, std::uint64_t{0}, op, is_one));
  }
  template <stream S, class Pred>
  static std::ptrdiff_t run(const settings& how, const S& from, Pred&& pred) {
    std::plus<> op;
    const auto is_one = [&pred](auto&& each) -> std::ptrdiff_t {
      return static_cast<bool>(std::invoke(pred, each));
    };
    return fold_stream(how, from, std::ptrdiff_t{0}, op, is_one);
  }
};

struct count_fn : algorithm<count_fn> {
  template <std::random_access_iterator It, class T, class Proj = std::identity>
  static std::iter_difference_t<It> run(const settings& how, It first, std::uint64_t count,
                                        const T& value, Proj proj = {}) {
    const auto is_equal = [&value](const auto& each) -> bool {
      return std::equal_to<>{}(each, value);
    };
    if constexpr (std::same_as<Proj, std::identity> &&
                  std::is_arithmetic_v<std::iter_value_t<It>>) {
      return count_if_fn::run(at_known_cost<It>(how), first, count, is_equal);
    } else {
      return count_if_fn::run(how, first, count, is_equal, proj);
    }
  }
  template <stream S, class T>
  static std::ptrdiff_t run(const settings& how, const S& from, const T& value) {
    return count_if_fn::run(
        how, from, [&value](const auto& each) -> bool { return std::equal_to<>{}(each, value); });
  }
};

}  // namespace algo

/// `count_if(range, pred, proj)`, `count_if(stream, pred)`: returns for how many elements
/// `pred(proj(element))` holds. `pred` is called once for each, in any order.
///
/// Cost: work W, span O(log n) joins plus a leaf; no allocation.
/// Throws: what the lowest chunk threw.
/// Blocks, threads: as `parallel_for`.
inline constexpr algo::projecting<algo::count_if_fn> count_if{};

/// `count(range, value, proj)`: returns how many elements equal `value`. Numbers in memory are not
/// timed. Otherwise as `count_if`.
inline constexpr algo::projecting<algo::count_fn> count{};

}  // namespace filch
