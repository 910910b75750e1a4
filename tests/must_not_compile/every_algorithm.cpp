// Every algorithm: accepted with a vector; refused with a list, and with a range that has no end,
// in one sentence each. A row is a line with CALL. ROW names one, 0 means all.
#ifndef ROW
#define ROW 0
#endif

#include <filch/algo.hpp>

#include <functional>
#include <iterator>
#include <list>
#include <vector>

struct endless {
  int* begin() const;
  std::unreachable_sentinel_t end() const;
};

#define CALL(...) \
  if constexpr (ROW == 0 || ROW == __LINE__) __VA_ARGS__

template <class R>  // tidy: sizes a table, a row an algorithm
void call(R& r, std::vector<int>& other, std::vector<int>& out) {
  const auto is_odd = [](int each) { return each % 2 == 1; };
  const auto same = [](int each) { return each; };
  const auto ignore = [](auto&&...) {};
  filch::reducer<int, std::plus<>> sum;

  CALL(filch::adjacent_difference(r, out));
  CALL(filch::adjacent_difference(other, r));
  CALL(filch::all_of(r, is_odd));
  CALL(filch::any_of(r, is_odd));
  CALL(filch::copy(r, out));
  CALL(filch::copy(other, r));
  CALL(filch::copy_if(r, out, is_odd));
  CALL(filch::copy_if(other, r, is_odd));
  CALL(filch::count(r, 1));
  CALL(filch::count_by_key(r));
  CALL(filch::count_if(r, is_odd));
  CALL(filch::equal(r, other));
  CALL(filch::equal(other, r));
  CALL(filch::exclusive_scan(r, out, 0));
  CALL(filch::exclusive_scan(other, r, 0));
  CALL(filch::fill(r, 1));
  CALL(filch::find(r, 1));
  CALL(filch::find_if(r, is_odd));
  CALL(filch::find_if_not(r, is_odd));
  CALL(filch::flatten(std::vector<R>()));
  CALL(filch::for_each(r, ignore));
  CALL(filch::for_each_chunk(r, ignore));
  CALL(filch::generate(r, [] { return 1; }));
  CALL(filch::group_by_key(r));
  CALL(filch::histogram(r, 10));
  CALL(filch::inclusive_scan(r, out));
  CALL(filch::inclusive_scan(other, r));
  CALL(filch::integer_sort(r));
  CALL(filch::iota(r, 1));
  CALL(filch::is_sorted(r));
  CALL(filch::is_sorted_until(r));
  CALL(filch::lexicographical_compare(r, other));
  CALL(filch::max_element(r));
  CALL(filch::merge(r, other, out));
  CALL(filch::merge(other, other, r));
  CALL(filch::min_element(r));
  CALL(filch::minmax_element(r));
  CALL(filch::mismatch(r, other));
  CALL(filch::none_of(r, is_odd));
  CALL(filch::nth_element(r, r.begin()));
  CALL(filch::pack(r, other, out));
  CALL(filch::pack(other, r, out));
  CALL(filch::parallel_for(r, ignore));
  CALL(filch::parallel_for(r.begin(), r.end(), ignore));
  CALL(filch::parallel_reduce(r.begin(), r.end(), 0, same, std::plus<>{}));
  CALL(filch::parallel_reduce(r, 0, same, std::plus<>{}));
  CALL(filch::partial_sort(r, r.begin()));
  CALL(filch::partition_copy(r, out, out, is_odd));
  CALL(filch::partition_copy(other, r, out, is_odd));
  CALL(filch::random_shuffle(r, 1u));
  CALL(filch::reduce(r));
  CALL(filch::reduce(r.begin(), r.end()));
  CALL(filch::reduce_by_key(r, same, same));
  CALL(filch::remove_if(r, is_odd));
  CALL(filch::reverse(r));
  CALL(filch::rotate(r, r.begin()));
  CALL(filch::set_difference(r, other, out));
  CALL(filch::set_intersection(r, other, out));
  CALL(filch::set_symmetric_difference(r, other, out));
  CALL(filch::set_union(r, other, out));
  CALL(filch::sort(r));
  CALL(filch::sort(r.begin(), r.end()));
  CALL(filch::sort(filch::with(filch::deterministic), r));
  CALL(filch::sort(r, {}, same));
  CALL(filch::sorted(r));
  CALL(filch::stable_partition(r, is_odd));
  CALL(filch::stable_sort(r));
  CALL(filch::tabulate(r, [](std::size_t i) { return static_cast<int>(i); }));
  CALL(filch::to<std::vector>(r));
  CALL(filch::top_k(r, 3));
  CALL(filch::transform(r, out, same));
  CALL(filch::transform(other, r, same));
  CALL(filch::transform(r, other, out, std::plus{}));
  CALL(filch::transform_exclusive_scan(r, out, 0, std::plus{}, same));
  CALL(filch::transform_inclusive_scan(r, out, std::plus{}, same));
  CALL(filch::transform_reduce(r, 0, std::plus{}, same));
  CALL(filch::transform_reduce(r, other, 0));
  CALL(filch::unique(r));
  CALL(filch::views::chunk(r, 2));
  CALL(filch::views::enumerate(r));
  CALL(filch::views::zip(other, r));
  CALL(sum.over(r, ignore));
  CALL(sum.over(r.begin(), r.end(), ignore));
  CALL(static_cast<void>(r | filch::views::filter(is_odd)));
  CALL(static_cast<void>(r | filch::views::transform(same)));
  CALL(static_cast<void>(r | filch::views::chunk(2)));
  CALL(static_cast<void>(r | filch::views::enumerate));
  CALL(static_cast<void>(r | filch::to<std::vector>()));
}

#ifdef REFUSED
template void call(std::list<int>&, std::vector<int>&, std::vector<int>&);
template void call(endless&, std::vector<int>&, std::vector<int>&);
#else
template void call(std::vector<int>&, std::vector<int>&, std::vector<int>&);
#endif
