#pragma once
#include <filch/algo/algorithm.hpp>
#include <filch/algo/braces.hpp>
#include <filch/algo/first_match.hpp>
#include <filch/algo/plain_memory.hpp>

#include <functional>
#include <optional>

namespace filch::inline v0_2 {
namespace algo {

/// The offset of the first element for which `pred` is `Wanted`, or `count`.
template <bool Wanted, std::random_access_iterator It, class Pred, class Proj>
std::uint64_t first_that(const settings& how, It first, std::uint64_t count, Pred& pred,
                         Proj& proj) {
  return first_match_one_by_one(how, count, [&, first](std::uint64_t i) {
    return static_cast<bool>(std::invoke(pred, std::invoke(proj, *advance(first, i)))) == Wanted;
  });
}

/// The lowest place of a stream that gives an element for which `pred` is `Wanted`, or the number
/// of places.
template <bool Wanted, stream S, class Pred>
std::uint64_t first_place(const settings& how, const S& from, Pred& pred) {
  return first_match_one_by_one(how, from.positions(), [&](std::uint64_t place) {
    return !from.visit(place, place + 1, [&](auto&& each) {
      return static_cast<bool>(std::invoke(pred, each)) != Wanted;
    });
  });
}

template <bool Wanted>
struct find_if_fn : algorithm<find_if_fn<Wanted>> {
  template <std::random_access_iterator It, class Pred, class Proj = std::identity>
  static It run(const settings& how, It first, std::uint64_t count, Pred&& pred, Proj proj = {}) {
    return advance(first, first_that<Wanted>(how, first, count, pred, proj));
  }
  template <stream S, class Pred>
  static std::optional<stream_value<S>> run(const settings& how, const S& from, Pred&& pred) {
    std::optional<stream_value<S>> found;
    const std::uint64_t place = first_place<Wanted>(how, from, pred);
    if (place == from.positions()) return found;
    from.visit(place, place + 1, [&](auto&& each) {
      if (static_cast<bool>(std::invoke(pred, each)) != Wanted) return true;
      found.emplace(std::forward<decltype(each)>(each));
      return false;
    });
    return found;
  }
};

/// Whether `pred` is `Unwanted` for no element; negated if `Negated`.
template <bool Unwanted, bool Negated>
struct no_element_fn : algorithm<no_element_fn<Unwanted, Negated>> {
  template <std::random_access_iterator It, class Pred, class Proj = std::identity>
  static bool run(const settings& how, It first, std::uint64_t count, Pred&& pred, Proj proj = {}) {
    return (first_that<Unwanted>(how, first, count, pred, proj) == count) != Negated;
  }
  template <stream S, class Pred>
  static bool run(const settings& how, const S& from, Pred&& pred) {
    return (first_place<Unwanted>(how, from, pred) == from.positions()) != Negated;
  }
};

struct find_fn : algorithm<find_fn> {
  template <std::random_access_iterator It, class T, class Proj = std::identity>
  static It run(const settings& how, It first, std::uint64_t count, const T& value,
                Proj proj = {}) {
    using element = std::iter_value_t<It>;
    if constexpr (plain_memory<It> && std::is_arithmetic_v<element> && std::is_arithmetic_v<T> &&
                  std::same_as<Proj, std::identity>) {
      return advance(first, first_match_in_blocks<(std::max)(sizeof(element), sizeof(T))>(
                                at_known_cost<It>(how), count, [first, value](std::uint64_t i) {
                                  return std::equal_to<>{}(*advance(first, i), value);
                                }));
    } else {
      const auto is_equal = [&value](const auto& each) { return std::equal_to<>{}(each, value); };
      return advance(first, first_that<true>(how, first, count, is_equal, proj));
    }
  }
  template <stream S, class T>
  static std::optional<stream_value<S>> run(const settings& how, const S& from, const T& value) {
    return find_if_fn<true>::run(
        how, from, [&value](const auto& each) { return std::equal_to<>{}(each, value); });
  }
};

}  // namespace algo

/// `find_if(range, pred, proj)`: returns the first element for which `pred(proj(element))` holds,
/// or the end.
///
/// For a stream, `find_if(stream, pred)` returns an optional with the element; the chain that makes
/// it is called once more for its place. `pred` is called at most once for each element, in any
/// order. It is also called for some elements behind the first match.
///
/// Cost: work m for a match at place m, shared by all workers, plus chunks behind the match that
/// had begun; each of these ends after a sixteenth at most. Span O(log n) joins plus a leaf. A
/// match at the front costs a call and about 100 ns. No allocation.
/// Throws: what `pred` threw for one of the elements that it was called for; `stopped`.
/// Blocks, threads: as `parallel_for`.
inline constexpr algo::projecting<algo::find_if_fn<true>> find_if{};

/// Returns the first element for which `pred` does not hold. Otherwise as `find_if`.
inline constexpr algo::projecting<algo::find_if_fn<false>> find_if_not{};

/// `find(range, value, proj)`, `find(stream, value)`: returns the first element equal to `value`,
/// or the end. Numbers in memory are not timed; many are compared at once. Otherwise as `find_if`.
inline constexpr algo::projecting<algo::find_fn> find{};

/// `all_of(range, pred, proj)`, `any_of`, `none_of`: whether `pred(proj(element))` holds for all
/// elements, for at least one, for none. Otherwise as `find_if`.
inline constexpr algo::projecting<algo::no_element_fn<false, false>> all_of{};
inline constexpr algo::projecting<algo::no_element_fn<true, true>> any_of{};
inline constexpr algo::projecting<algo::no_element_fn<true, false>> none_of{};

}  // namespace filch
