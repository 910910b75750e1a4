#pragma once
#include <filch/base/language.hpp>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <numeric>
#include <utility>
#include <vector>

namespace filch::inline v0_2::base {

/// Sorts by `comp` on what `proj` makes of the elements; equal ones keep their order.
/// `std::stable_sort` of libstdc++ 12 gets its memory from a function that clang 19 warns about at
/// every call.
template <class T, class Comp = std::ranges::less, class Proj = std::identity>
void sort_stably(std::vector<T>& all, Comp comp = {}, Proj proj = {}) {
  std::vector<std::size_t> order(all.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
    if (std::invoke(comp, std::invoke(proj, all[a]), std::invoke(proj, all[b]))) return true;
    return a < b && !std::invoke(comp, std::invoke(proj, all[b]), std::invoke(proj, all[a]));
  });
  std::vector<T> sorted;
  sorted.reserve(all.size());
  for (const std::size_t each : order) sorted.push_back(std::move(all[each]));
  all = std::move(sorted);
}

}  // namespace filch::base
