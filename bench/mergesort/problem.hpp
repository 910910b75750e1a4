#pragma once
#include <bench/sorting/problem.hpp>
#include <bench/ways.hpp>

namespace bench::mergesort {

using sorting::check, sorting::input, sorting::parameters, sorting::value;

/// Below this a plain merge is quicker than two searches and a fork.
inline constexpr std::size_t plain_merge_size = 4096;

/// Merges two sorted runs into `out`; equal values keep their order. Both halves of `out` are
/// independent once a value of the longer run has been located in the other. Cost: work O(n), span
/// O(log^2 n).
template <class Both>
void merge(std::span<const value> left, std::span<const value> right, std::span<value> out,
           const Both& both) {
  if (out.size() <= plain_merge_size) {
    std::ranges::merge(left, right, out.begin());
    return;
  }
  std::size_t l = left.size() / 2, r = right.size() / 2;
  if (left.size() >= right.size()) {
    r = static_cast<std::size_t>(std::ranges::lower_bound(right, left[l]) - right.begin());
  } else {
    l = static_cast<std::size_t>(std::ranges::upper_bound(left, right[r]) - left.begin());
  }
  both([&] { merge(left.first(l), right.first(r), out.first(l + r), both); },
       [&] { merge(left.subspan(l), right.subspan(r), out.subspan(l + r), both); });
}

/// Sorts `target`; `source` must hold the same values and is used up. The halves swap the roles, so
/// nothing is copied twice.
///
/// Cost: work O(n log n), span O(log^3 n).
template <class Both>
void sort_into(std::span<value> target, std::span<value> source, const Both& both) {
  if (target.size() <= sorting::insertion_size) return sorting::insertion_sort(target);
  const std::size_t middle = target.size() / 2;
  both([&] { sort_into(source.first(middle), target.first(middle), both); },
       [&] { sort_into(source.subspan(middle), target.subspan(middle), both); });
  merge(source.first(middle), source.subspan(middle), target, both);
}

template <class Both>
void sort(std::span<value> values, const Both& both) {
  std::vector<value> copy(values.begin(), values.end());
  sort_into(values, copy, both);
}

inline void serial(std::span<value> values) { sort(values, in_order{}); }

}  // namespace bench::mergesort
