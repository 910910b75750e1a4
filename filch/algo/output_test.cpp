// Outputs that are ranges: what fits is written, and the results say where it ended.
#include <filch/algo/algo_test.hpp>

#include <algorithm>
#include <functional>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string>

namespace filch::inline v0_2::algo {
namespace {

class output_on : public algo_on {};
INSTANTIATE_TEST_SUITE_P(workers, output_on, widths);

using list = std::vector<int>;
constexpr auto is_odd = [](int each) { return each % 2 != 0; };
constexpr auto squared = [](int each) { return each * each; };

/// Returns that many unwritten places.
list room_for(std::size_t n) { return list(n, -1); }
/// The first `n` of these, then what `room_for` has.
list begin_of(const list& all, std::size_t n, std::size_t room) {
  list expected = room_for(room);
  std::copy_n(all.begin(), std::min({n, room, all.size()}), expected.begin());
  return expected;
}

TEST_P(output_on, copies_and_maps_end_where_the_output_does) {
  on_all_sizes([](std::size_t n, draw& random) {
    const list a = random.numbers(n, 100), b = random.numbers(n + random(3), 100);
    const std::size_t room = random(n + 10);
    const auto reached = static_cast<std::ptrdiff_t>(std::min(n, room));
    list out = room_for(room), expected(n);
    const auto copied = copy(par, a, out);
    EXPECT_EQ(copied.in - a.begin(), reached);
    EXPECT_EQ(copied.out - out.begin(), reached);
    EXPECT_EQ(out, begin_of(a, n, room));
    std::ranges::transform(a, expected.begin(), squared);
    out = room_for(room);
    EXPECT_EQ(transform(a, out, squared).in - a.begin(), reached);
    EXPECT_EQ(out, begin_of(expected, n, room));
    std::ranges::transform(a, b, expected.begin(), std::plus<>{});
    out = room_for(room);
    const auto added = transform(with(grain_items{7}), a, b, out, std::plus<>{});
    EXPECT_EQ(added.in1 - a.begin(), reached);
    EXPECT_EQ(added.in2 - b.begin(), reached);
    EXPECT_EQ(added.out - out.begin(), reached);
    EXPECT_EQ(out, begin_of(expected, n, room));
    std::adjacent_difference(a.begin(), a.end(), expected.begin());
    out = room_for(room);
    EXPECT_EQ(adjacent_difference(a, out).out - out.begin(), reached);
    EXPECT_EQ(out, begin_of(expected, n, room));
  });
}

TEST_P(output_on, scans_end_where_the_output_does) {
  on_all_sizes([](std::size_t n, draw& random) {
    const list a = random.numbers(n, 100);
    const std::size_t room = random(n + 10);
    const auto reached = static_cast<std::ptrdiff_t>(std::min(n, room));
    list out = room_for(room), expected(n);
    std::inclusive_scan(a.begin(), a.end(), expected.begin());
    EXPECT_EQ(inclusive_scan(a, out).in - a.begin(), reached);
    EXPECT_EQ(out, begin_of(expected, n, room));
    std::exclusive_scan(a.begin(), a.end(), expected.begin(), 5);
    EXPECT_EQ(exclusive_scan(par, a, out, 5).out - out.begin(), reached);
    EXPECT_EQ(out, begin_of(expected, n, room));
    std::transform_exclusive_scan(a.begin(), a.end(), expected.begin(), 5, std::plus<>{}, squared);
    EXPECT_EQ(transform_exclusive_scan(a, out, 5, std::plus<>{}, squared).out - out.begin(),
              reached);
    EXPECT_EQ(out, begin_of(expected, n, room));
    std::transform_inclusive_scan(a.begin(), a.end(), expected.begin(), std::plus<>{}, squared);
    EXPECT_EQ(transform_inclusive_scan(a, out, std::plus<>{}, squared).out - out.begin(), reached);
    EXPECT_EQ(out, begin_of(expected, n, room));
  });
}

/// Where the first of more than `room` elements with this property lies, or the end.
template <class Pred>
std::ptrdiff_t first_without_room(const list& from, std::size_t room, Pred pred) {
  std::size_t chosen = 0, at = 0;
  for (; at != from.size(); ++at) {
    if (pred(from[at]) && chosen++ == room) break;
  }
  return static_cast<std::ptrdiff_t>(at);
}

TEST_P(output_on, a_choice_ends_at_the_first_for_which_there_is_no_room) {
  on_all_sizes([](std::size_t n, draw& random) {
    const list a = random.numbers(n, 100);
    const std::size_t room = random(n + 10) / (1 + random(3));
    list chosen, out = room_for(room);
    std::ranges::copy_if(a, std::back_inserter(chosen), is_odd);
    const auto copied = copy_if(a, out, is_odd);
    EXPECT_EQ(copied.in - a.begin(), first_without_room(a, room, is_odd));
    EXPECT_EQ(copied.out - out.begin(), static_cast<std::ptrdiff_t>(std::min(room, chosen.size())));
    EXPECT_EQ(out, begin_of(chosen, chosen.size(), room));
    std::vector<char> flags(n);
    std::ranges::transform(a, flags.begin(), is_odd);
    out = room_for(room);
    EXPECT_EQ(pack(par, a, flags, out).in - a.begin(), copied.in - a.begin());
    EXPECT_EQ(out, begin_of(chosen, chosen.size(), room));
  });
}

TEST_P(output_on, a_partition_ends_where_either_output_does) {
  on_all_sizes([](std::size_t n, draw& random) {
    const list a = random.numbers(n, 100);
    const std::size_t yes_room = random(n + 10) / (1 + random(3)),
                      no_room = random(n + 10) / (1 + random(3));
    list yes, no, yes_out = room_for(yes_room), no_out = room_for(no_room);
    const auto is_even = [](int each) { return !is_odd(each); };
    const std::ptrdiff_t end =
        std::min(first_without_room(a, yes_room, is_odd), first_without_room(a, no_room, is_even));
    std::partition_copy(a.begin(), a.begin() + end, std::back_inserter(yes), std::back_inserter(no),
                        is_odd);
    const auto parted = partition_copy(a, yes_out, no_out, is_odd);
    EXPECT_EQ(parted.in - a.begin(), end);
    EXPECT_EQ(list(yes_out.begin(), parted.out1), yes);
    EXPECT_EQ(list(no_out.begin(), parted.out2), no);
  });
}

TEST_P(output_on, a_merge_gives_what_comes_first) {
  on_all_sizes([](std::size_t n, draw& random) {
    list a = random.numbers(n, 50), b = random.numbers(random(n + 20), 50), all;
    std::ranges::sort(a);
    std::ranges::sort(b);
    std::ranges::merge(a, b, std::back_inserter(all));
    const std::size_t room = random(all.size() + 10);
    list out = room_for(room);
    const auto merged = merge(a, b, out);
    EXPECT_EQ(out, begin_of(all, all.size(), room));
    EXPECT_EQ(merged.out - out.begin(), (merged.in1 - a.begin()) + (merged.in2 - b.begin()));
    list again;
    std::merge(a.begin(), merged.in1, b.begin(), merged.in2, std::back_inserter(again));
    EXPECT_EQ(again, list(out.begin(), merged.out));
  });
}

TEST_P(output_on, a_set_operation_writes_all_or_nothing) {
  on_all_sizes([](std::size_t n, draw& random) {
    list a = random.numbers(n, 50), b = random.numbers(random(n + 20), 50), all, common;
    std::ranges::sort(a);
    std::ranges::sort(b);
    std::ranges::set_union(a, b, std::back_inserter(all));
    std::ranges::set_intersection(a, b, std::back_inserter(common));
    list out = room_for(all.size());
    const auto united = set_union(a, b, out);
    EXPECT_EQ(out, all);
    EXPECT_TRUE(united.in1 == a.end() && united.in2 == b.end() && united.out == out.end());
    out = room_for(common.size() + 1);
    EXPECT_EQ(set_intersection(par, a, b, out).out, out.end() - 1);
    EXPECT_EQ(out, begin_of(common, common.size(), common.size() + 1));
    if (all.empty()) return;
    out = room_for(all.size() - 1);
    EXPECT_THROW(set_union(a, b, out), std::length_error);
    EXPECT_EQ(out, room_for(all.size() - 1));
  });
}

TEST(output, of_a_temporary_range_dangles) {
  using std::ranges::dangling;
  using at = list::iterator;
  list kept;
  static_assert(
      std::same_as<decltype(copy(kept, list{})), std::ranges::in_out_result<at, dangling>>);
  static_assert(
      std::same_as<decltype(copy(par, list{}, kept)), std::ranges::in_out_result<dangling, at>>);
  static_assert(std::same_as<decltype(transform(kept, list{}, kept, std::plus<>{})),
                             std::ranges::in_in_out_result<at, dangling, at>>);
  static_assert(std::same_as<decltype(copy_if(list{}, std::span(kept), is_odd)),
                             std::ranges::in_out_result<dangling, std::span<int>::iterator>>);
  static_assert(std::same_as<decltype(merge(kept, kept, list{})),
                             std::ranges::in_in_out_result<at, at, dangling>>);
  static_assert(
      std::same_as<decltype(set_difference(kept, kept, kept)), std::ranges::in_out_result<at, at>>);
  static_assert(std::same_as<decltype(partition_copy(kept, list{}, kept, is_odd)),
                             std::ranges::partition_copy_result<at, dangling, at>>);
  const std::vector<std::string> words{"a", "b"};
  std::vector<std::string> sums(2);
  exclusive_scan(words, sums, std::string("<"));
  EXPECT_EQ(sums, (std::vector<std::string>{"<", "<a"})) << "a start that is a range is no output";
}

}  // namespace
}  // namespace filch::algo
