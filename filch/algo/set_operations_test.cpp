#include <filch/algo/algo_test.hpp>
#include <filch/algo/fragile_test.hpp>
#include <filch/algo/set_operations.hpp>

#include <algorithm>
#include <stdexcept>
#include <string>

namespace filch::inline v0_2::algo {
namespace {

class set_operations_on : public algo_on {};
INSTANTIATE_TEST_SUITE_P(workers, set_operations_on, widths);

/// A key and its place, which shows which of equal elements were taken.
struct element {
  int key;
  int origin;
  friend bool operator==(const element&, const element&) = default;
};

std::vector<element> sorted(draw& random, std::size_t count, int bound, int origin) {
  std::vector<element> all;
  for (const int key : random.numbers(count, bound)) all.push_back({key, 0});
  std::sort(all.begin(), all.end(),
            [](const element& a, const element& b) { return a.key < b.key; });
  for (element& each : all) each.origin = origin++;
  return all;
}

template <class Ours, class Theirs>
void expect_the_same(const settings& how, Ours ours, Theirs theirs, const std::vector<element>& a,
                     const std::vector<element>& b) {
  std::vector<element> expected(a.size() + b.size()), found(a.size() + b.size());
  const auto end = theirs(a, b, expected.begin(), {}, &element::key, &element::key);
  const auto done =
      ours(how, a, b, found.begin(), std::ranges::less{}, &element::key, &element::key);
  ASSERT_EQ(done.out - found.begin(), end.out - expected.begin());
  ASSERT_EQ(found, expected);
}

TEST_P(set_operations_on, take_the_very_elements_that_those_of_the_standard_take) {
  on_all_sizes([](std::size_t n, draw& random) {
    const std::size_t in_first = random(n + 1);
    const int bound = 1 + static_cast<int>(random(2 * n + 2));  // few distinct keys now and then
    const settings how = random(2) == 0 ? settings{} : with(grain_items{1 + random(20 + n / 100)});
    const auto a = sorted(random, in_first, bound, 0),
               b = sorted(random, n - in_first, bound, 1'000'000);
    expect_the_same(how, set_union, std::ranges::set_union, a, b);
    expect_the_same(how, set_intersection, std::ranges::set_intersection, a, b);
    expect_the_same(how, set_difference, std::ranges::set_difference, a, b);
    expect_the_same(how, set_symmetric_difference, std::ranges::set_symmetric_difference, a, b);
  });
}

TEST_P(set_operations_on, work_in_small_chunks_and_in_reverse_order) {
  on_all_sizes([](std::size_t n, draw& random) {
    if (n > 5'000) return;
    std::vector<int> a = random.numbers(n, 50), b = random.numbers(random(n + 1), 50), expected,
                     found(2 * n);
    std::sort(a.begin(), a.end(), std::greater<>{});
    std::sort(b.begin(), b.end(), std::greater<>{});
    std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(expected),
                   std::greater<>{});
    const auto done = set_union(with(grain_items{1 + random(5)}), a.begin(), a.end(), b.begin(),
                                b.end(), found.begin(), std::greater<>{});
    found.erase(done.out, found.end());
    EXPECT_EQ(found, expected);
    EXPECT_EQ(done.in1, a.end());
    EXPECT_EQ(done.in2, b.end());
  });
}

TEST_P(set_operations_on, rethrow_what_a_comparison_throws) {
  repeatedly([](draw& random) {
    const std::vector<int> a(50, 1), b(50, 1);
    std::vector<int> out(100);
    const auto fails_at = random(100);
    base::atomic<std::uint64_t> calls{0};
    EXPECT_THROW(set_intersection(with(grain_items{3}), a, b, out.begin(),
                                  [&](int x, int y) {
                                    if (calls.fetch_add(1, base::relaxed) >= fails_at)
                                      throw std::runtime_error("here");
                                    return x < y;
                                  }),
                 std::runtime_error);
  });
}

TEST_P(set_operations_on, leave_old_elements_or_new_ones_wherever_a_copy_throws) {
  repeatedly([](draw&) {
    const auto expect_whole = [](auto operation) {
      std::vector<fragile> a, b, out;
      for (int i = 0; i < 20; ++i) a.emplace_back(2 * i), b.emplace_back(3 * i);
      for (int i = 0; i < 40; ++i) out.emplace_back(-5);
      fragile::at_every_step([&] { operation(with(grain_items{4}), a, b, out.begin()); },
                             [&](bool) {
                               for (const fragile& each : out)
                                 ASSERT_TRUE(each.number() >= 0 || each.number() == -5);
                               ASSERT_EQ(fragile::live, 80);
                             });
    };
    expect_whole(set_union);
    expect_whole(set_intersection);
    expect_whole(set_difference);
    expect_whole(set_symmetric_difference);
    EXPECT_EQ(fragile::live, 0);
  });
}

}  // namespace
}  // namespace filch::algo
