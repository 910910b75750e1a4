// Everything that an algorithm calls may itself call any function of filch: bodies, comparisons,
// predicates, keys.
#include <filch/algo/algo_test.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <functional>
#include <numeric>

namespace filch::inline v0_2::algo {
namespace {

class bodies_on : public algo_on {};
INSTANTIATE_TEST_SUITE_P(workers, bodies_on, widths);

#if defined(FILCH_TESTING)
constexpr std::size_t many = 20;  // each call forks, and each fork is a step of the schedule
#else
constexpr std::size_t many = 700;
#endif

/// Computes `x` by a sum, a sort and a search, of which other workers may take halves.
int through_filch(int x) {
  const settings how = with(grain_items{1});
  const auto x_once = [x](int i) { return i == 1 ? x : 0; };
  const int sum = parallel_reduce(how, 0, 3, 0, x_once, std::plus<>{});
  std::array<int, 3> around{sum + 1, sum, sum - 1};
  sort(how, around);
  return *find_if(how, around, [x](int each) { return each >= x; });
}

constexpr auto same = [](int x) { return through_filch(x); };
constexpr auto is_less = [](int a, int b) { return through_filch(a) < b; };
constexpr auto is_odd = [](int x) { return through_filch(x) % 2 != 0; };

settings some_grain(draw& random) { return with(grain_items{1 + random(20)}); }

TEST_P(bodies_on, what_orders_elements_may_call_filch) {
  repeatedly([](draw& random) {
    const std::vector<int> in = random.numbers(many, 100);
    std::vector<int> expected = in, found = in;
    std::ranges::sort(expected);
    sort(found, is_less);
    EXPECT_EQ(found, expected);
    stable_sort(found = in, {}, same);
    EXPECT_EQ(found, expected);
    found = in;
    nth_element(found, found.begin() + std::ssize(found) / 2, is_less);
    EXPECT_EQ(found[many / 2], expected[many / 2]);
    EXPECT_EQ(top_k(some_grain(random), in, 3, is_less),
              std::vector<int>(expected.begin(), expected.begin() + 3));
    std::vector<int> merged(2 * many), both = expected;
    both.insert(both.end(), expected.begin(), expected.end());
    std::ranges::sort(both);
    merge(expected, expected, merged.begin(), is_less);
    EXPECT_EQ(merged, both);
  });
}

TEST_P(bodies_on, what_chooses_elements_may_call_filch) {
  repeatedly([](draw& random) {
    const std::vector<int> in = random.numbers(many, 100);
    const settings how = some_grain(random);
    const auto is_plainly_odd = [](int x) { return x % 2 != 0; };
    EXPECT_EQ(count_if(how, in, is_odd), std::ranges::count_if(in, is_plainly_odd));
    EXPECT_EQ(find_if(how, in, [&](int x) { return through_filch(x) == in.back(); }),
              std::ranges::find(in, in.back()));
    std::vector<int> expected, found(many);
    std::ranges::copy_if(in, std::back_inserter(expected), is_plainly_odd);
    found.erase(copy_if(how, in, found.begin(), is_odd).out, found.end());
    EXPECT_EQ(found, expected);
    stable_partition(how, found = in, is_odd);
    std::ranges::copy_if(in, std::back_inserter(expected), std::not_fn(is_plainly_odd));
    EXPECT_EQ(found, expected);
    found.erase(remove_if(how, found, is_odd).begin(), found.end());
    std::erase_if(expected, is_plainly_odd);
    EXPECT_EQ(found, expected);
  });
}

TEST_P(bodies_on, what_makes_or_counts_elements_may_call_filch) {
  repeatedly([](draw& random) {
    const std::vector<int> in = random.numbers(many, 100);
    const settings how = some_grain(random);
    const auto in_again = [&](std::size_t i) { return through_filch(in[i]); };
    EXPECT_TRUE(std::ranges::equal(tabulate(how, many, in_again), in));
    EXPECT_EQ(to<std::vector>(how, in | views::transform(same)), in);
    std::vector<int> found(many), expected(many);
    std::inclusive_scan(in.begin(), in.end(), expected.begin(), std::bit_xor<>{});
    inclusive_scan(how, in, found.begin(), [](int a, int b) { return through_filch(a ^ b); });
    EXPECT_EQ(found, expected);
    std::vector<std::uint64_t> counts(100);
    for (const int each : in) ++counts[static_cast<std::size_t>(each)];
    EXPECT_EQ(histogram(how, in, 100, same), counts);
    const auto by_key = count_by_key(how, in, same);
    for (int key = 0; key != 100; ++key)
      EXPECT_EQ(by_key.value_or(key, 0), counts[static_cast<std::size_t>(key)]);
    EXPECT_TRUE(std::ranges::is_sorted(group_by_key(how, in, same).elements()));
  });
}

TEST_P(bodies_on, what_adds_to_a_list_may_call_filch) {
  repeatedly([](draw&) {
    std::atomic<int> sum{0};
    for_each_worklist(with(grain_items{1}), std::vector<int>{9, 5, 7},
                      [&](int x, feeder<int>& more) {
                        sum += through_filch(x);
                        if (x > 0) more.add(through_filch(x - 1));
                      });
    EXPECT_EQ(sum, 45 + 15 + 28);
  });
}

}  // namespace
}  // namespace filch::algo
