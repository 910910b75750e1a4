#pragma once
#include <filch/algo/braces.hpp>
#include <filch/algo/ranges/to.hpp>
#include <filch/algo/sort.hpp>

namespace filch::inline v0_2 {
namespace algo {

struct sorted_fn : algorithm<sorted_fn> {
  template <std::random_access_iterator It, class Comp = std::ranges::less,
            class Proj = std::identity>
  static auto run(const settings& how, It first, std::uint64_t count, Comp comp = {},
                  Proj proj = {}) {
    return in_order(how, iterator_range<It>(first, advance(first, count)), std::move(comp),
                    std::move(proj));
  }
  template <stream S, class Comp = std::ranges::less, class Proj = std::identity>
  static auto run(const settings& how, const S& from, Comp comp = {}, Proj proj = {}) {
    return in_order(how, from, std::move(comp), std::move(proj));
  }

 private:
  template <class From, class Comp, class Proj>
  static auto in_order(const settings& how, const From& from, Comp comp, Proj proj) {
    auto all = collect<std::vector>(how, from);
    sort_fn::run(how, all.begin(), all.size(), std::move(comp), std::move(proj));
    return all;
  }
};

}  // namespace algo

/// `sorted([how,] range or stream, comp, proj)`: returns the elements of a range or a chain of
/// views in order, in a `std::vector`.
///
/// Equal elements come in any order. The range is not changed.
///
/// Cost: that of `to<std::vector>`, then of `sort`.
/// Blocks, throws, threads: as those.
inline constexpr algo::comparing<algo::sorted_fn> sorted{};

}  // namespace filch
