#pragma once
#include <bench/sorting/problem.hpp>
#include <bench/ways.hpp>

#include <utility>

namespace bench::quicksort {

using sorting::check, sorting::input, sorting::parameters, sorting::value;

inline value median_of_three(std::span<const value> values) noexcept {
  const value a = values.front(), b = values[values.size() / 2], c = values.back();
  return std::max(std::min(a, b), std::min(std::max(a, b), c));
}

/// Moves values so that those before the returned index are at most the pivot and the others at
/// least; neither side is empty.
///
/// Source: Hoare, Computer Journal 1962.
inline std::size_t partition(std::span<value> values) noexcept {
  const value pivot = median_of_three(values);
  std::size_t low = 0, high = values.size() - 1;
  for (;; ++low, --high) {
    while (values[low] < pivot) ++low;
    while (pivot < values[high]) --high;
    if (low >= high) return std::max<std::size_t>(low, 1);
    std::swap(values[low], values[high]);
  }
}

/// Cost: work O(n log n) expected, span O(n): the first partition is serial.
template <class Both>
void sort(std::span<value> values, const Both& both) {
  if (values.size() <= sorting::insertion_size) return sorting::insertion_sort(values);
  const std::size_t middle = partition(values);
  both([&] { sort(values.first(middle), both); }, [&] { sort(values.subspan(middle), both); });
}

inline void serial(std::span<value> values) { sort(values, in_order{}); }

}  // namespace bench::quicksort
