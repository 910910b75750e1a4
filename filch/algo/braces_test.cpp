#include <filch/algo.hpp>
#include <filch/algo/braces.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <vector>

namespace {

using namespace filch;
using namespace filch::algo;
using list = std::vector<int>;

/// Expects the same result of both for `call(algorithm)`, which passes `{}` in all ways that the
/// standard's algorithm takes.
template <class Ours, class Theirs, class Call>
void expect_same(const Ours& ours, const Theirs& theirs, Call call) {
  EXPECT_EQ(call(ours), call(theirs));
}

const list some{3, 1, 2, 5, 4};
constexpr std::ranges::less less;
constexpr std::negate<> negate;
constexpr auto is_odd = [](int x) { return x % 2 != 0; };

/// Whether the order it is given is the usual one.
struct order_fn : comparing<algorithm<order_fn>> {
  template <class It, class Comp, class Proj = std::identity>
  static bool run(const settings&, It, std::uint64_t, Comp comp, Proj proj = {}) {
    return comp(proj(1), proj(2));
  }
};
constexpr order_fn has_usual_order{};

TEST(braces, stand_for_the_usual_order) {
  std::vector<int> v(5);
  EXPECT_TRUE(has_usual_order(v, {}));
  EXPECT_FALSE(has_usual_order(v, {}, negate));
  EXPECT_TRUE(has_usual_order(par, v, {}));
  EXPECT_FALSE(has_usual_order(par, v.begin(), v.end(), {}, negate));
  EXPECT_FALSE(has_usual_order(v.begin(), v.end(), {}, negate));
  EXPECT_TRUE(has_usual_order(v.begin(), v.end(), std::greater<>{}, negate));
}

TEST(braces, stand_for_the_comparison_wherever_that_stands) {
  const list v{3, 2, 1};  // in order if negated
  const auto begin = v.begin(), end = v.end();
  EXPECT_TRUE(equal(v, list{-3, -2, -1}, {}, std::identity{}, negate));
  EXPECT_EQ(mismatch(par, v, list{-3, 2, -1}, {}, std::identity{}, negate).in1, begin + 1);
  EXPECT_EQ(mismatch(begin, end, begin, end - 1, {}, negate, negate).in1, end - 1);
  EXPECT_TRUE(lexicographical_compare(par, begin, end, begin + 1, end, {}, negate, negate));
  list out(6), places = v;
  EXPECT_EQ(merge(v, v, out.begin(), {}, negate, negate).out, out.end());
  EXPECT_EQ(out, (list{3, 3, 2, 2, 1, 1}));
  EXPECT_EQ(set_union(par, v, v, out, {}, negate, negate).out, out.begin() + 3);
  EXPECT_EQ(set_difference(begin, end, begin + 1, end, out.begin(), {}, negate, negate).out,
            out.begin() + 1);
  EXPECT_EQ(set_intersection(par, begin, end, end - 1, end, out.begin(), {}, negate, negate).out,
            out.begin() + 1);
  EXPECT_EQ(out, (list{1, 2, 1, 2, 1, 1}));
  nth_element(places, places.begin() + 1, {});
  EXPECT_EQ(places[1], 2);
  partial_sort(par, places.begin(), places.begin() + 2, places.end(), {}, negate);
  EXPECT_EQ(places, v);
  EXPECT_EQ(top_k(v, 2, {}, negate), (list{1, 2}));
  EXPECT_EQ(top_k(par, v | views::filter([](int each) { return each != 2; }), 1, {}), list{3});
}

TEST(braces, stand_for_comparison_and_projection_of_what_sorts) {
  const auto calls = [](const auto& sorts) {
    std::vector<list> found(7, some);
    sorts(found[0], {});
    sorts(found[1], {}, {});
    sorts(found[2], less, {});
    sorts(found[3], {}, negate);
    sorts(found[4].begin(), found[4].end(), {}, {});
    sorts(found[5].begin(), found[5].end(), std::greater<>{}, {});
    sorts(std::counted_iterator(found[6].begin(), 5), std::default_sentinel, {}, {});
    return found;
  };
  expect_same(sort, std::ranges::sort, calls);
  expect_same(stable_sort, std::ranges::stable_sort, calls);
  list kept = some, few = some;
  sort(par, kept, {}, {});
  sort(par, few.begin(), few.end(), {}, {});
  EXPECT_EQ(kept, few);
  EXPECT_TRUE(is_sorted(kept, {}, {}));
  EXPECT_TRUE(std::ranges::equal(sorted(some, {}, {}), kept));
  EXPECT_EQ(top_k(some, 2, {}, {}), (list{5, 4}));
  integer_sort(few = some, {});
  EXPECT_EQ(few, kept);
}

TEST(braces, stand_for_comparison_and_projection_beside_a_place) {
  const auto calls = [](const auto& sorts_in_part) {
    std::vector<list> found(4, some);
    sorts_in_part(found[0], found[0].begin() + 2, {}, {});
    sorts_in_part(found[1], found[1].begin() + 2, less, {});
    sorts_in_part(found[2].begin(), found[2].begin() + 2, found[2].end(), {}, {});
    sorts_in_part(found[3].begin(), found[3].begin() + 2, found[3].end(), less, {});
    list second;
    for (const list& each : found) second.push_back(each[1] + (each[0] < 3 ? 10 : 0));
    return second;
  };
  expect_same(partial_sort, std::ranges::partial_sort, calls);
  list part = some;
  nth_element(part, part.begin() + 2, {}, {});
  EXPECT_EQ(part[2], 3);
  nth_element(par, part.begin(), part.begin() + 3, part.end(), less, {});
  EXPECT_EQ(part[3], 4);
}

TEST(braces, stand_for_comparison_and_projection_of_what_looks) {
  const auto places = [](const auto& looks) {
    return std::vector{looks(some, {}, {}) - some.begin(), looks(some, less, {}) - some.begin(),
                       looks(some.begin(), some.end(), {}, {}) - some.begin(),
                       looks(some, {}, negate) - some.begin()};
  };
  expect_same(min_element, std::ranges::min_element, places);
  expect_same(max_element, std::ranges::max_element, places);
  expect_same(is_sorted_until, std::ranges::is_sorted_until, places);
  expect_same(minmax_element, std::ranges::minmax_element,
              [](const auto& looks) { return *looks(some, {}, {}).max; });
  expect_same(is_sorted, std::ranges::is_sorted,
              [](const auto& looks) { return looks(some, {}, {}); });
  EXPECT_EQ(min_element(some | views::filter(is_odd), {}, {}), 1);
}

TEST(braces, stand_for_both_projections) {
  const auto calls = [](const auto& compares) {
    return std::vector<bool>{
        compares(some, some, {}, {}, {}), compares(some, some, {}, negate, {}),
        compares(some, some, {}, {}, negate), compares(some, some, {}, {}),
        compares(some.begin(), some.end(), some.begin(), some.end(), {}, {}, {})};
  };
  expect_same(equal, std::ranges::equal, calls);
  expect_same(lexicographical_compare, std::ranges::lexicographical_compare, calls);
  expect_same(mismatch, std::ranges::mismatch, [](const auto& compares) {
    return compares(some, some, {}, {}, {}).in2 == some.end();
  });
  const auto joined = [](const auto& joins) {
    list found(10), at_ends(10), by_less(10), whole = some;
    std::ranges::sort(whole);
    joins(whole, whole, found.begin(), {}, {}, {});
    joins(whole.begin(), whole.end(), whole.begin(), whole.end(), at_ends.begin(), {}, {}, {});
    joins(whole, whole, by_less.begin(), less, {}, {});
    return std::vector{found, at_ends, by_less};
  };
  expect_same(merge, std::ranges::merge, joined);
  expect_same(set_union, std::ranges::set_union, joined);
  expect_same(set_intersection, std::ranges::set_intersection, joined);
  list within(10);
  EXPECT_EQ(merge(par, list{1, 3}, list{2}, within, {}, {}, {}).out, within.begin() + 3)
      << "an output that is a range";
}

TEST(braces, stand_for_the_projection_behind_a_predicate) {
  const auto counts = [](const auto& counts_some) {
    return counts_some(some, is_odd, {}) + counts_some(some.begin(), some.end(), is_odd, {});
  };
  expect_same(count_if, std::ranges::count_if, counts);
  const auto finds = [](const auto& finds_one) {
    return finds_one(some, is_odd, {}) == finds_one(some.begin(), some.end(), is_odd, {});
  };
  expect_same(find_if, std::ranges::find_if, finds);
  expect_same(find_if_not, std::ranges::find_if_not, finds);
  const auto asks = [](const auto& asks_all) { return asks_all(some, is_odd, {}); };
  expect_same(all_of, std::ranges::all_of, asks);
  expect_same(any_of, std::ranges::any_of, asks);
  expect_same(none_of, std::ranges::none_of, asks);
  expect_same(find, std::ranges::find,
              [](const auto& finds_one) { return *finds_one(some, 2, {}); });
  expect_same(count, std::ranges::count,
              [](const auto& counts_one) { return counts_one(some, 2, {}); });
}

TEST(braces, stand_for_the_projection_of_what_writes) {
  list out(10), rest(10), left = some;
  EXPECT_EQ(copy_if(some, out.begin(), is_odd, {}).out, out.begin() + 3);
  EXPECT_EQ(copy_if(par, some, out, is_odd, {}).out, out.begin() + 3);
  EXPECT_EQ(partition_copy(some, out.begin(), rest.begin(), is_odd, {}).out2, rest.begin() + 2);
  EXPECT_EQ(partition_copy(some, out, rest, is_odd, {}).out2, rest.begin() + 2)
      << "outputs that are ranges";
  EXPECT_EQ(transform(some, out.begin(), negate, {}).out, out.begin() + 5);
  EXPECT_EQ(transform(some, some, out.begin(), std::plus<>{}, {}, {}).out, out.begin() + 5);
  EXPECT_EQ(out[0], 6);
  EXPECT_EQ(std::ranges::size(remove_if(left, is_odd, {})), 3u);
  EXPECT_EQ(std::ranges::size(unique(left = some, {}, {})), 0u);
  EXPECT_EQ(std::ranges::size(stable_partition(left = some, is_odd, {})), 2u);
  for_each(left, [](int& each) { each = 7; }, {});
  EXPECT_EQ(left, list(5, 7));
}

}  // namespace
