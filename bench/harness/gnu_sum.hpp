#pragma once
#include <parallel/algorithm>
#include <parallel/numeric>

#include <cstdint>
#include <vector>

namespace bench {

/// Sums `term` of each index in gcc's parallel mode. It has no `transform_reduce` (and its
/// `inner_product` forgets the functions that it is given if it runs serially), so the terms are
/// written down first, into `terms`.
template <class Index, class Term>
std::uint64_t gnu_sum(const std::vector<Index>& all, std::vector<std::uint64_t>& terms, Term term) {
  terms.resize(all.size());
  __gnu_parallel::transform(all.begin(), all.end(), terms.begin(), term,
                            __gnu_parallel::parallel_balanced);
  return __gnu_parallel::accumulate(terms.begin(), terms.end(), std::uint64_t{0});
}

}  // namespace bench
