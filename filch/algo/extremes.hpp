#pragma once
#include <filch/algo/algorithm.hpp>
#include <filch/algo/braces.hpp>
#include <filch/algo/plain_memory.hpp>
#include <filch/algo/reduce.hpp>
#include <filch/algo/simd_lanes.hpp>

#include <functional>

namespace filch::inline v0_2 {
namespace algo {

/// Which of several extreme elements is meant. `replaces(comp, next, best)`: whether `next`,
/// further right, takes the place of `best`.
struct first_smallest {
  using pick = smaller;
  static constexpr bool is_last = false;
  static bool replaces(auto& comp, auto&& next, auto&& best) {
    return std::invoke(comp, next, best);
  }
};
struct first_largest {
  using pick = larger;
  static constexpr bool is_last = false;
  static bool replaces(auto& comp, auto&& next, auto&& best) {
    return std::invoke(comp, best, next);
  }
};
struct last_largest {
  using pick = larger;
  static constexpr bool is_last = true;
  static bool replaces(auto& comp, auto&& next, auto&& best) {
    return !std::invoke(comp, next, best);
  }
};

/// Finds the extreme element of a chunk by comparisons: the offset of the best so far.
template <class Kind, class It, class Comp, class Proj>
struct compared {
  It first;
  Comp& comp;
  Proj& proj;

  std::uint64_t best_of(std::uint64_t from, std::uint64_t to) const {
    std::uint64_t best = from;
    while (++from != to) best = better(best, from);
    return best;
  }
  std::uint64_t better(std::uint64_t left, std::uint64_t right) const {
    // In one expression: temporaries, such as the elements of a zip, live until its end.
    return Kind::replaces(comp, std::invoke(proj, *advance(first, right)),
                          std::invoke(proj, *advance(first, left)))
               ? right
               : left;
  }
  std::uint64_t place(std::uint64_t best) const { return best; }
};

/// The same for numbers: finds the extreme value in lanes, and looks for its place only at the end,
/// in the chunk that has it.
template <class Kind, class It, class Comp, class Proj>
requires plainly_ordered<It, Comp, Proj>
struct compared<Kind, It, Comp, Proj> {
  using value = std::iter_value_t<It>;
  struct candidate {
    value extreme;
    std::uint64_t from, to;
  };
  It first;
  Comp& comp;
  Proj& proj;

  candidate best_of(std::uint64_t from, std::uint64_t to) const {
    return {fold_lanes<value, typename Kind::pick>(
                from, to, [this](std::uint64_t i) { return *advance(first, i); }),
            from, to};
  }
  candidate better(candidate left, candidate right) const {
    return Kind::replaces(comp, right.extreme, left.extreme) ? right : left;
  }
  /// The first or last that is neither less nor more. So it is found even if it is NaN.
  std::uint64_t place(candidate best) const {
    const auto differs = [&](std::uint64_t i) {
      return *advance(first, i) < best.extreme || best.extreme < *advance(first, i);
    };
    if constexpr (Kind::is_last) {
      while (best.to - 1 != best.from && differs(best.to - 1)) --best.to;
      return best.to - 1;
    } else {
      while (best.from + 1 != best.to && differs(best.from)) ++best.from;
      return best.from;
    }
  }
};

template <class Kind>
struct extreme_element_fn : algorithm<extreme_element_fn<Kind>> {
  template <std::random_access_iterator It, class Comp = std::ranges::less,
            class Proj = std::identity>
  static It run(const settings& how, It first, std::uint64_t count, Comp comp = {},
                Proj proj = {}) {
    if (count == 0) return first;
    const compared<Kind, It, Comp, Proj> kernel{first, comp, proj};
    const auto best = fold_chunks(
        for_comparing<It, Comp, Proj>(how), count,
        [&](std::uint64_t from, std::uint64_t to) { return kernel.best_of(from, to); },
        [&](const auto& left, const auto& right) { return kernel.better(left, right); });
    return advance(first, kernel.place(best));
  }
  template <stream S, class Comp = std::ranges::less, class Proj = std::identity>
  static std::optional<stream_value<S>> run(const settings& how, const S& from, Comp comp = {},
                                            Proj proj = {}) {
    using candidate = std::optional<stream_value<S>>;
    const auto better = [&](candidate left, candidate right) {
      const bool is_right = !left || (right && Kind::replaces(comp, std::invoke(proj, *right),
                                                              std::invoke(proj, *left)));
      return is_right ? std::move(right) : std::move(left);
    };
    const auto keep = [](auto&& each) { return candidate(std::forward<decltype(each)>(each)); };
    return fold_stream(how, from, candidate(), better, keep);
  }
};

struct minmax_element_fn : algorithm<minmax_element_fn> {
  template <std::random_access_iterator It, class Comp = std::ranges::less,
            class Proj = std::identity>
  static std::ranges::min_max_result<It> run(const settings& how, It first, std::uint64_t count,
                                             Comp comp = {}, Proj proj = {}) {
    if (count == 0) return {first, first};
    const compared<first_smallest, It, Comp, Proj> least{first, comp, proj};
    const compared<last_largest, It, Comp, Proj> most{first, comp, proj};
    const auto leaf = [&](std::uint64_t from, std::uint64_t to) {
      return std::pair(least.best_of(from, to), most.best_of(from, to));
    };
    const auto best = fold_chunks(for_comparing<It, Comp, Proj>(how), count, leaf,
                                  [&](const auto& left, const auto& right) {
                                    return std::pair(least.better(left.first, right.first),
                                                     most.better(left.second, right.second));
                                  });
    return {advance(first, least.place(best.first)), advance(first, most.place(best.second))};
  }
  template <stream S, class Comp = std::ranges::less, class Proj = std::identity>
  static std::optional<std::ranges::min_max_result<stream_value<S>>> run(const settings& how,
                                                                         const S& from,
                                                                         Comp comp = {},
                                                                         Proj proj = {}) {
    using value = stream_value<S>;
    using candidates = std::optional<std::ranges::min_max_result<value>>;
    const auto better = [&](candidates left, candidates right) {
      if (!left || !right) return left ? std::move(left) : std::move(right);
      if (first_smallest::replaces(comp, std::invoke(proj, right->min),
                                   std::invoke(proj, left->min)))
        left->min = std::move(right->min);
      if (last_largest::replaces(comp, std::invoke(proj, right->max), std::invoke(proj, left->max)))
        left->max = std::move(right->max);
      return left;
    };
    const auto keep = [](auto&& each) {
      value one(std::forward<decltype(each)>(each));
      return candidates({one, one});
    };
    return fold_stream(how, from, candidates(), better, keep);
  }
};

}  // namespace algo

/// `min_element(range, comp = less, proj)`: returns the first of the smallest elements, or the end
/// of an empty range. For a stream, whose elements do not stay, it returns an optional with a copy.
///
/// Cost: n - 1 comparisons, span O(log n) joins plus a leaf; no allocation, no copies. Numbers in
/// memory under `less` are not timed and compared in lanes. If some are NaN, it is unspecified
/// which element is found.
/// Throws: what the lowest chunk threw.
/// Blocks, threads: as `parallel_for`.
inline constexpr algo::comparing<algo::extreme_element_fn<algo::first_smallest>> min_element{};

/// Returns the first of the largest elements. Otherwise as `min_element`.
inline constexpr algo::comparing<algo::extreme_element_fn<algo::first_largest>> max_element{};

/// Returns `{min, max}`: the first of the smallest and the last of the largest elements, in one
/// pass of 2 n comparisons. For a stream, an optional with copies of both. Otherwise as
/// `min_element`.
inline constexpr algo::comparing<algo::minmax_element_fn> minmax_element{};

}  // namespace filch
