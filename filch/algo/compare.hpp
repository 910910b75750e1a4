#pragma once
#include <filch/algo/algorithm.hpp>
#include <filch/algo/braces.hpp>
#include <filch/algo/first_match.hpp>
#include <filch/algo/plain_memory.hpp>

#include <cstring>
#include <functional>
#include <memory>

namespace filch::inline v0_2 {
namespace algo {

/// Numbers of one type in contiguous memory, compared by ==: many at once.
template <class I1, class I2, class Equal, class Proj1, class Proj2>
concept plainly_comparable = plain_memory<I1> && plain_memory<I2> &&
    std::is_arithmetic_v<std::iter_value_t<I1>> &&
    std::same_as<std::iter_value_t<I1>, std::iter_value_t<I2>> &&
    (std::same_as<Equal, std::ranges::equal_to> || std::same_as<Equal, std::equal_to<>>)&&std::
        same_as<Proj1, std::identity>&& std::same_as<Proj2, std::identity>;

/// Integers of one type, which are equal if their bytes are.
template <class I1, class I2, class Equal, class Proj1, class Proj2>
concept comparable_as_bytes =
    plainly_comparable<I1, I2, Equal, Proj1, Proj2> && std::integral<std::iter_value_t<I1>>;

/// The lowest offset below `count` at which two ranges differ, or `count`.
template <class I1, class I2, class Equal, class Proj1, class Proj2>
std::uint64_t first_difference(const settings& how, std::uint64_t count, I1 first1, I2 first2,
                               Equal& equal, Proj1& proj1, Proj2& proj2) {
  if constexpr (comparable_as_bytes<I1, I2, Equal, Proj1, Proj2>) {
    constexpr std::uint64_t least_interval = 4096 / sizeof(std::iter_value_t<I1>);
    const auto* const one = std::to_address(first1);
    const auto* const other = std::to_address(first2);
    const auto differ = [=](std::uint64_t from, std::uint64_t to) {
      if (std::memcmp(one + from, other + from, (to - from) * sizeof(*one)) == 0) return to;
      while (one[from] == other[from]) ++from;
      return from;
    };
    return first_match(at_known_cost<I1>(how), count, differ, least_interval);
  } else if constexpr (plainly_comparable<I1, I2, Equal, Proj1, Proj2>) {
    return first_match_in_blocks<sizeof(std::iter_value_t<I1>)>(
        at_known_cost<I1>(how), count, [=](std::uint64_t i) {
          return !std::equal_to<>{}(*advance(first1, i), *advance(first2, i));
        });
  } else {
    return first_match_one_by_one(how, count, [&, first1, first2](std::uint64_t i) {
      return !std::invoke(equal, std::invoke(proj1, *advance(first1, i)),
                          std::invoke(proj2, *advance(first2, i)));
    });
  }
}

struct mismatch_fn : algorithm_of_two<mismatch_fn> {
  template <class I1, class I2, class Equal = std::ranges::equal_to, class Proj1 = std::identity,
            class Proj2 = std::identity>
  static std::ranges::in_in_result<I1, I2> run(const settings& how, I1 first1, std::uint64_t count1,
                                               I2 first2, std::uint64_t count2, Equal equal = {},
                                               Proj1 proj1 = {}, Proj2 proj2 = {}) {
    const std::uint64_t at =
        first_difference(how, (std::min)(count1, count2), first1, first2, equal, proj1, proj2);
    return {advance(first1, at), advance(first2, at)};
  }
};

struct equal_fn : algorithm_of_two<equal_fn> {
  template <class I1, class I2, class Equal = std::ranges::equal_to, class Proj1 = std::identity,
            class Proj2 = std::identity>
  static bool run(const settings& how, I1 first1, std::uint64_t count1, I2 first2,
                  std::uint64_t count2, Equal equal = {}, Proj1 proj1 = {}, Proj2 proj2 = {}) {
    return count1 == count2 &&
           first_difference(how, count1, first1, first2, equal, proj1, proj2) == count1;
  }
};

struct lexicographical_compare_fn : algorithm_of_two<lexicographical_compare_fn> {
  template <class I1, class I2, class Less = std::ranges::less, class Proj1 = std::identity,
            class Proj2 = std::identity>
  static bool run(const settings& how, I1 first1, std::uint64_t count1, I2 first2,
                  std::uint64_t count2, Less less = {}, Proj1 proj1 = {}, Proj2 proj2 = {}) {
    const auto is_less = [&](std::uint64_t i) -> bool {
      return std::invoke(less, std::invoke(proj1, *advance(first1, i)),
                         std::invoke(proj2, *advance(first2, i)));
    };
    const auto is_more = [&](std::uint64_t i) -> bool {
      return std::invoke(less, std::invoke(proj2, *advance(first2, i)),
                         std::invoke(proj1, *advance(first1, i)));
    };
    const std::uint64_t both = (std::min)(count1, count2);
    const auto first_of_two = [&] {
      if constexpr (std::same_as<Less, std::ranges::less> &&
                    comparable_as_bytes<I1, I2, std::ranges::equal_to, Proj1, Proj2>) {
        std::ranges::equal_to same;
        return first_difference(how, both, first1, first2, same, proj1, proj2);
      } else {
        return first_match_one_by_one(how, both,
                                      [&](std::uint64_t i) { return is_less(i) || is_more(i); });
      }
    };
    const std::uint64_t at = first_of_two();
    return at == both ? count1 < count2 : is_less(at);
  }
};

}  // namespace algo

/// `mismatch(range1, range2, equal = ==, proj1, proj2)`: returns `{in1, in2}`, the first place at
/// which the ranges differ, or at which the shorter one ends.
///
/// Cost, throws, blocks, threads: as `find_if`. Numbers of one type in memory are not timed; many
/// are compared at once.
inline constexpr algo::comparing<algo::mismatch_fn, std::ranges::equal_to> mismatch{};

/// `equal(range1, range2, equal = ==, proj1, proj2)`: whether both have the same length and equal
/// elements in the same order. Otherwise as `mismatch`.
inline constexpr algo::comparing<algo::equal_fn, std::ranges::equal_to> equal{};

/// `lexicographical_compare(range1, range2, less = <, proj1, proj2)`: whether the first range comes
/// before the second in a dictionary. That is: its element is less at the first difference, or it
/// is a shorter prefix of the second. Otherwise as `mismatch`.
inline constexpr algo::comparing<algo::lexicographical_compare_fn> lexicographical_compare{};

}  // namespace filch
