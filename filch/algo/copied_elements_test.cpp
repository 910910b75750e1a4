// What an algorithm leaves that only reads a range, or copies its result: an unchanged range, and
// no element too many, whichever call, copy, move or allocation fails.
#include <filch/algo/kept_elements_test.hpp>
#include <filch/testing/replaced_new_test.hpp>

#include <optional>
#include <utility>

void filch::testing::will_allocate() {
  filch::algo::faults::happens(filch::algo::step::allocation);
}
void filch::testing::will_release() noexcept {}

namespace filch::inline v0_2::algo {
namespace {

class copied_elements_on : public ::testing::TestWithParam<unsigned> {};
INSTANTIATE_TEST_SUITE_P(workers, copied_elements_on, ::testing::Values(1u, 3u));

template <class T>
using rows_of = std::vector<algorithm_row<T>>;

/// A row of an algorithm that leaves what it reads as it is: `run(how, all, all.in)`.
template <class T>
algorithm_row<T> reading(const char* name, auto run, keys arranged = keys::at_random) {
  return {name,
          left::unchanged,
          [run](const settings& how, elements<T>& all) { run(how, all, std::as_const(all.in)); },
          {},
          arranged};
}

constexpr auto doubled = []<class T>(const T& one) { return T{2 * key_of(one), first_new_number}; };
constexpr auto sum_of = []<class T>(const T& a, const T& b) {
  return T{key_of(a) + b.key, first_new_number};
};

template <class T>
rows_of<T> rows_that_copy() {
  return {
      reading<T>("copy", [](auto& how, auto& all, auto& in) { copy(how, in, all.out.begin()); }),
      reading<T>("copy_if", [](auto& how, auto& all,
                               auto& in) { copy_if(how, in, all.out.begin(), is_odd, key_of); }),
      reading<T>("pack",
                 [](auto& how, auto& all, auto& in) {
                   pack(how, in, std::vector<char>(in.size(), 1), all.out.begin());
                 }),
      reading<T>("partition_copy",
                 [](auto& how, auto& all, auto& in) {
                   partition_copy(how, in, all.out.begin(), all.out.begin() + std::ssize(in),
                                  is_odd, key_of);
                 }),
      reading<T>("transform", [](auto& how, auto& all,
                                 auto& in) { transform(how, in, all.out.begin(), doubled); }),
      reading<T>("adjacent_difference",
                 [](auto& how, auto& all, auto& in) {
                   adjacent_difference(how, in, all.out.begin(), sum_of);
                 }),
      reading<T>(
          "inclusive_scan",
          [](auto& how, auto& all, auto& in) { inclusive_scan(how, in, all.out.begin(), sum_of); }),
      reading<T>("exclusive_scan",
                 [](auto& how, auto& all, auto& in) {
                   auto fixed = how;
                   fixed.is_deterministic = true;
                   exclusive_scan(fixed, in, all.out.begin(), T{0, first_new_number}, sum_of);
                 }),
  };
}

/// Of two ranges in order.
template <class T>
rows_of<T> rows_that_merge() {
  const auto of_both = [](const char* name, auto algorithm) {
    const auto run = [algorithm](auto& how, auto& all, auto& in) {
      algorithm(how, in, std::as_const(all.other), all.out.begin(), is_less, key_of, key_of);
    };
    return reading<T>(name, run, keys::ascending);
  };
  return {
      of_both("merge", merge),
      of_both("set_union", set_union),
      of_both("set_intersection", set_intersection),
      of_both("set_difference", set_difference),
      of_both("set_symmetric_difference", set_symmetric_difference),
  };
}

template <class T>
rows_of<T> rows_that_return_elements() {
  return {
      reading<T>("sorted", [](auto& how, auto&, auto& in) { sorted(how, in, is_less, key_of); }),
      reading<T>("top_k", [](auto& how, auto&,
                             auto& in) { top_k(how, in, in.size() / 8 + 1, is_less, key_of); }),
      reading<T>("top_k", [](auto& how, auto&,
                             auto& in) { top_k(how, in, in.size() / 2, is_less, key_of); }),
      reading<T>("to",
                 [](auto& how, auto&, auto& in) {
                   to<std::vector>(how, in | views::filter([](auto& e) { return is_odd(e.key); }));
                 }),
      reading<T>("group_by_key", [](auto& how, auto&, auto& in) { group_by_key(how, in, key_of); }),
      reading<T>(
          "reduce_by_key",
          [](auto& how, auto&, auto& in) { reduce_by_key(how, in, key_of, doubled, sum_of); }),
      reading<T>("reduce_by_key",
                 [](auto& how, auto&, auto& in) {
                   auto fixed = how;
                   fixed.is_deterministic = true;
                   reduce_by_key(fixed, in, key_of, doubled, sum_of);
                 }),
      reading<T>("tabulate",
                 [](auto& how, auto&, auto& in) {
                   tabulate(how, in.size(), [&](std::size_t i) { return doubled(in[i]); });
                 }),
      reading<T>("flatten",
                 [](auto& how, auto& all, auto& in) {
                   const iterator_range one(in.begin(), in.end()),
                       other(all.other.cbegin(), all.other.cend());
                   flatten(how, std::vector{one, other, one});
                 }),
  };
}

/// Their results are made of all elements, or their stages hand elements on.
template <class T>
rows_of<T> rows_that_pass_elements_on() {
  return {
      reading<T>("reduce",
                 [](auto& how, auto&, auto& in) {
                   reduce(how, in, T{0, first_new_number}, sum_of);
                 }),
      reading<T>("transform_reduce",
                 [](auto& how, auto&, auto& in) {
                   transform_reduce(how, in, T{0, first_new_number}, sum_of, doubled);
                 }),
      reading<T>(
          "parallel_reduce",
          [](auto& how, auto&, auto& in) {
            parallel_reduce(how, in.begin(), in.end(), T{0, first_new_number}, doubled, sum_of);
          }),
      reading<T>("reducer",
                 [](auto& how, auto&, auto& in) {
                   const auto join = [](std::vector<T> left, const std::vector<T>& right) {
                     left.insert(left.end(), right.begin(), right.end());
                     return left;
                   };
                   reducer<std::vector<T>, decltype(join)> all({}, join);
                   all.over(how, in, [](const T& each, std::vector<T>& view) {
                     view.push_back(doubled(each));
                   });
                 }),
      reading<T>("for_each_worklist",
                 [](auto& how, auto&, auto& in) {
                   for_each_worklist(how, std::vector<T>(in), [](const T& each, feeder<T>& more) {
                     if (is_odd(each.key)) more.add(T{2 * each.key, first_new_number});
                   });
                 }),
      reading<T>("pipeline",
                 [](auto& how, auto&, auto& in) {
                   auto source = [&in, next = std::size_t{0}]() mutable {
                     return next == in.size() ? std::nullopt : std::optional<T>(in[next++]);
                   };
                   pipeline(how, {}, source, parallel_stage(doubled),
                            serial_in_order_stage([](const T& each) { key_of(each); }));
                 }),
  };
}

template <class T>
rows_of<T> rows_that_read() {
  const auto is_never = [](int key) { return is_odd(key) && key < 0; };
  return {
      reading<T>("for_each", [](auto& how, auto&, auto& in) { for_each(how, in, is_odd, key_of); }),
      reading<T>("count_if", [](auto& how, auto&, auto& in) { count_if(how, in, is_odd, key_of); }),
      reading<T>("count", [](auto& how, auto&, auto& in) { count(how, in, 1, key_of); }),
      reading<T>("find_if",
                 [=](auto& how, auto&, auto& in) { find_if(how, in, is_never, key_of); }),
      reading<T>(
          "find_if_not",
          [=](auto& how, auto&, auto& in) { find_if_not(how, in, std::not_fn(is_never), key_of); }),
      reading<T>("find", [](auto& how, auto&, auto& in) { find(how, in, -1, key_of); }),
      reading<T>("all_of", [=](auto& how, auto&,
                               auto& in) { all_of(how, in, std::not_fn(is_never), key_of); }),
      reading<T>("any_of", [=](auto& how, auto&, auto& in) { any_of(how, in, is_never, key_of); }),
      reading<T>("none_of",
                 [=](auto& how, auto&, auto& in) { none_of(how, in, is_never, key_of); }),
      reading<T>("min_element",
                 [](auto& how, auto&, auto& in) { min_element(how, in, is_less, key_of); }),
      reading<T>("max_element",
                 [](auto& how, auto&, auto& in) { max_element(how, in, is_less, key_of); }),
      reading<T>("minmax_element",
                 [](auto& how, auto&, auto& in) { minmax_element(how, in, is_less, key_of); }),
      reading<T>("mismatch", [](auto& how, auto&,
                                auto& in) { mismatch(how, in, in, is_same, key_of, key_of); }),
      reading<T>("equal",
                 [](auto& how, auto&, auto& in) { equal(how, in, in, is_same, key_of, key_of); }),
      reading<T>("lexicographical_compare",
                 [](auto& how, auto&, auto& in) {
                   lexicographical_compare(how, in, in, is_less, key_of, key_of);
                 }),
      reading<T>(
          "is_sorted", [](auto& how, auto&, auto& in) { is_sorted(how, in, is_less, key_of); },
          keys::ascending),
      reading<T>(
          "is_sorted_until",
          [](auto& how, auto&, auto& in) { is_sorted_until(how, in, is_less, key_of); },
          keys::ascending),
      reading<T>("count_by_key", [](auto& how, auto&, auto& in) { count_by_key(how, in, key_of); }),
      reading<T>("histogram",
                 [](auto& how, auto&, auto& in) { histogram(how, in, in.size() + 2, key_of); }),
  };
}

template <class T>
void try_all(unsigned workers, const std::vector<step>& kinds) {
  for (const auto& rows :
       {rows_that_copy<T>(), rows_that_merge<T>(), rows_that_return_elements<T>(),
        rows_that_pass_elements_on<T>(), rows_that_read<T>()})
    try_short_ranges(rows, workers, kinds);
}

TEST_P(copied_elements_on, are_none_too_many_whatever_fails) {
  try_all<whole_element<false>>(
      GetParam(), {step::call, step::projection, step::copy, step::allocation, step::stop});
}

// Copies go into a result that is dropped, and are moved there.
TEST_P(copied_elements_on, are_none_too_many_where_moves_throw) {
  try_all<whole_element<true>>(GetParam(), {step::call, step::copy, step::move, step::allocation});
}

}  // namespace
}  // namespace filch::algo
