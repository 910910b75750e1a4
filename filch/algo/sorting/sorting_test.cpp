// The functions of quicksort alone. A whole sort reaches these cases only with many elements or bad
// luck.
#include <filch/algo/sort_test_values.hpp>
#include <filch/algo/sorting/divide.hpp>
#include <filch/algo/sorting/divide_in_chunks.hpp>
#include <filch/algo/sorting/pivot.hpp>
#include <filch/algo/sorting/repair.hpp>
#include <filch/algo/sorting/small_sort.hpp>

#include <algorithm>
#include <array>
#include <functional>
#include <string>
#include <vector>

namespace filch::inline v0_2::algo {
namespace {

class sorting_on : public algo_on {};
INSTANTIATE_TEST_SUITE_P(workers, sorting_on, widths);

const auto less = [](int a, int b) { return a < b; };

/// Checks that `divide` brings exactly the values below `bound` to the front.
template <class Divide>
void expect_divided(std::vector<int> values, int bound, Divide divide) {
  const auto goes_left = [bound](int value) { return value < bound; };
  auto expected = values;
  std::sort(expected.begin(), expected.end());
  const auto middle =
      values.begin() + static_cast<std::ptrdiff_t>(divide(values.data(), values.size(), goes_left));
  ASSERT_TRUE(std::all_of(values.begin(), middle, goes_left));
  ASSERT_TRUE(std::none_of(middle, values.end(), goes_left));
  std::sort(values.begin(), values.end());
  ASSERT_EQ(values, expected);
}

/// Has `divide` divide what lies before `gap` and from `beyond` on as one; what lies between stays
/// as it is.
template <class Divide>
void expect_divided_around(std::vector<int> values, std::size_t gap, std::size_t beyond, int bound,
                           Divide divide) {
  const auto at = [&values](std::size_t index) {
    return values.begin() + static_cast<std::ptrdiff_t>(index);
  };
  const auto goes_left = [bound](int value) { return value < bound; };
  const auto before = values;
  const std::vector<int> between(at(gap), at(beyond));
  const std::uint64_t left =
      divide(values.begin(), gap, at(beyond), values.size() - beyond, goes_left);
  ASSERT_TRUE(std::equal(between.begin(), between.end(), at(gap)));
  values.erase(at(gap), at(beyond));
  ASSERT_TRUE(std::is_partitioned(values.begin(), values.end(), goes_left));
  ASSERT_EQ(left, std::count_if(values.begin(), values.end(), goes_left));
  values.insert(values.end(), between.begin(), between.end());
  ASSERT_EQ(sorted_copy(values), sorted_copy(before));
}

TEST_P(sorting_on, every_way_to_divide_divides) {
  on_all_sizes([](std::size_t n, draw& random) {
    for (const arrangement_of_test each : all_arrangements) {
      const std::vector<int> values = arranged(each, n, random);
      const int bound = static_cast<int>(random(n + 2)) - 1;
      expect_divided(values, bound, [](int* v, std::uint64_t count, auto p) {
        return sorting::divide_by_moving(v, count, v, 0, p);
      });
      expect_divided(values, bound, [](int* v, std::uint64_t count, auto p) {
        return sorting::divide_from_both_ends(v, count - count / 2, v + count - count / 2,
                                              count / 2, p);
      });
      expect_divided(values, bound, [](int* v, std::uint64_t count, auto p) {
        return sorting::divide_by_blocks(v, count, p);
      });
      expect_divided(values, bound, [](int* v, std::uint64_t count, auto p) {
        return sorting::divide_by_swapping(v, count, v + count, 0, p);
      });
      if (n > 0) {
        const std::size_t gap = 1 + random(n), beyond = gap + random(n - gap + 1);
        using place = std::vector<int>::iterator;
        expect_divided_around(
            values, gap, beyond, bound,
            [](place v, std::uint64_t count, place w, std::uint64_t more, auto p) {
              return sorting::divide_by_moving(std::to_address(v), count, std::to_address(w), more,
                                               p);
            });
        expect_divided_around(
            values, gap, beyond, bound,
            [](place v, std::uint64_t count, place w, std::uint64_t more, auto p) {
              return sorting::divide_from_both_ends(std::to_address(v), count, std::to_address(w),
                                                    more, p);
            });
        expect_divided_around(
            values, gap, beyond, bound,
            [](place v, std::uint64_t count, place w, std::uint64_t more, auto p) {
              return sorting::divide(v, count, w, more, p);  // by blocks
            });
        expect_divided_around(
            values, gap, beyond, bound,
            [](place v, std::uint64_t count, place w, std::uint64_t more, auto p) {
              return sorting::divide_by_swapping(v, count, w, more, p);
            });
      }
      const auto chunks = static_cast<unsigned>(1 + random(sorting::most_chunks));
      expect_divided(values, bound, [&](int* v, std::uint64_t count, auto p) {
        const auto one = [&](int* from, std::uint64_t items, int* beyond, std::uint64_t more) {
          return sorting::divide_by_moving(from, items, beyond, more, p);
        };
        return sorting::divide_in_chunks(settings{}, v, count, count - count / 2, chunks, one);
      });
    }
  });
}

TEST_P(sorting_on, a_division_that_throws_keeps_all_elements) {
  on_all_sizes([](std::size_t n, draw& random) {
    if (n < 2 || n > 70'000) return;
    const std::vector<int> before = random.numbers(n, 100);
    auto values = before;
    base::atomic<std::int64_t> allowed{static_cast<std::int64_t>(random(n))};
    const auto goes_left = [&](int value) {
      if (allowed.fetch_sub(1, base::relaxed) == 0) throw fragile::broken{};
      return value < 50;
    };
    const bool from_both_ends = random(2) == 0;
    const auto one = [&](int* from, std::uint64_t items, int* beyond, std::uint64_t more) {
      return from_both_ends ? sorting::divide_from_both_ends(from, items, beyond, more, goes_left)
                            : sorting::divide_by_moving(from, items, beyond, more, goes_left);
    };
    EXPECT_THROW(sorting::divide_in_chunks(settings{}, values.data(), n, n - n / 2, 2, one),
                 fragile::broken);
    ASSERT_EQ(sorted_copy(values), sorted_copy(before));
  });
}

TEST_P(sorting_on, small_sorts_are_stable_and_a_heap_sorts) {
  on_all_sizes([](std::size_t n, draw& random) {
    if (n > 1'000) return;
    struct record {
      int key, place;
      bool operator==(const record&) const = default;
    };
    std::vector<record> values(n);
    for (int i = 0; auto& each : values) each = {static_cast<int>(random(1 + n / 3)), i++};
    const auto by_key = [](const record& a, const record& b) { return a.key < b.key; };
    auto expected = values, inserted = values, heaped = values;
    std::stable_sort(expected.begin(), expected.end(), by_key);
    sorting::insertion_sort(inserted.begin(), n, by_key);
    ASSERT_EQ(inserted, expected);
    if (n <= sorting::merged_at_most) {
      auto merged = values;
      sorting::merge_few<sorting::ties::kept>(merged.data(), n, by_key);
      ASSERT_EQ(merged, expected);
      sorting::merge_few<sorting::ties::free>(values.data(), n, by_key);
      ASSERT_TRUE(std::equal(values.begin(), values.end(), expected.begin(),
                             [](auto& a, auto& b) { return a.key == b.key; }));
    }
    sorting::heap_sort(heaped.begin(), n, by_key);
    ASSERT_TRUE(std::is_sorted(heaped.begin(), heaped.end(), by_key));
  });
}

TEST_P(sorting_on, what_is_nearly_in_order_is_mended) {
  on_all_sizes([](std::size_t n, draw& random) {
    if (n == 0 || n > 70'000) return;
    const auto sort = [](int* first, std::uint64_t count) { std::sort(first, first + count); };
    for (const arrangement_of_test each : all_arrangements) {
      std::vector<int> values = arranged(each, n, random);
      const std::vector<int> expected = sorted_copy(values);
      const bool is_mended = sorting::repair(values.data(), n, less, sort);
      EXPECT_TRUE(is_mended || each != arrangement_of_test::nearly_ascending || n > 30'000) << n;
      if (!is_mended) std::sort(values.begin(), values.end());
      ASSERT_EQ(values, expected) << "arrangement " << static_cast<int>(each);
    }
  });
}

/// Of so few letters that many begin alike, or with another one's end.
std::string random_text(draw& random) {
  std::string made(random(20), '\0');
  for (char& each : made) each = "\0a\x7f\x80\xff"[random(5)];
  if (random(2) == 0)
    std::ranges::fill(std::span(made).first(std::min<std::size_t>(made.size(), 8)), 'a');
  return made;
}

TEST(sorting, text_comes_in_the_order_of_its_bytes) {
  draw random{1};
  for (int i = 0; i < 100'000; ++i) {
    const std::string a = random_text(random), b = random_text(random);
    ASSERT_EQ(sorting::comes_before(a, b), a < b)
        << ::testing::PrintToString(a) << " and " << ::testing::PrintToString(b);
    ASSERT_FALSE(sorting::comes_before(a, a));
  }
}

TEST(sorting, only_what_compares_as_text_does_is_taken_for_text) {
  std::ranges::less usual;
  std::less<std::string> less_strings;
  std::greater<> greater;
  const auto length = [](const std::string& each) { return each.size(); };
  const auto end = [](const std::string& each) { return each.substr(each.size() / 2); };
  std::identity itself;
  const std::string a = "a longer one", b = "b";
  EXPECT_TRUE(sorting::order(usual, itself)(a, b));
  EXPECT_TRUE(sorting::order(less_strings, itself)(a, b));
  EXPECT_FALSE(sorting::order(greater, itself)(a, b));
  EXPECT_FALSE(sorting::order(usual, length)(a, b));
  EXPECT_TRUE(sorting::order(usual, end)(std::string(20, 'b'), std::string(20, 'c')))
      << "one that is made on the way";
}

TEST(sorting, a_few_that_are_too_great_or_too_small_are_set_aside_and_no_others) {
  const auto set_aside_of = [](std::vector<int> values) {
    sorting::set_aside<int> disturbing(values.data());
    EXPECT_TRUE(disturbing.keep_what_is_ordered(values.size(), less));
    return std::vector<int>(disturbing.begin(), disturbing.begin() + disturbing.count());
  };
  std::vector<int> values(1000);
  for (int i = 0; auto& each : values) each = i++;
  auto disturbed = values;
  disturbed[0] = 2000;
  EXPECT_EQ(set_aside_of(disturbed), std::vector{2000});
  for (int i = 0; i < 10; ++i) disturbed[static_cast<std::size_t>(500 + i)] = 3000 + i;
  EXPECT_EQ(sorted_copy(set_aside_of(disturbed)).size(), 11u);
  disturbed = values;
  for (int i = 0; i < 50; ++i) disturbed[static_cast<std::size_t>(500 + i)] = i;
  EXPECT_EQ(set_aside_of(disturbed).size(), 50u);
}

TEST(sorting, mending_loses_nothing_when_a_comparison_throws_or_makes_no_sense) {
  draw random{1};
  const auto before = arranged(arrangement_of_test::nearly_ascending, 9'000, random);
  const auto expected = sorted_copy(before);
  for (std::uint64_t quiet = 0; quiet < 30'000; quiet += 1 + random(500)) {
    auto values = before;
    std::uint64_t made = 0;
    const auto breaks_down = [&](int a, int b) {
      if (made++ >= quiet) throw fragile::broken{};
      return a < b;
    };
    try {
      sorting::repair(
          values.data(), values.size(), breaks_down,
          [&](int* first, std::uint64_t count) { sorting::heap_sort(first, count, breaks_down); });
    } catch (const fragile::broken&) {
    }
    ASSERT_EQ(sorted_copy(values), expected) << "comparison " << quiet;
  }
  for (const std::uint64_t often : {1u, 2u, 3u, 20u, 1'000u}) {
    auto values = before;
    const auto senseless = [&](int, int) { return random(often) == 0; };
    sorting::repair(values.data(), values.size(), senseless, [](int*, std::uint64_t) {});
    ASSERT_EQ(sorted_copy(values), expected) << "true once in " << often;
  }
}

TEST(sorting, a_pivot_is_near_the_median) {
  draw random{1};
  for (const std::uint64_t n : {1'000u, 100'000u, 2'000'000u}) {
    std::vector<int> values = random.numbers(n, 1'000'000);
    const int pivot = *sorting::choose_pivot(values.begin(), n, less);
    const auto below = static_cast<double>(
        std::count_if(values.begin(), values.end(), [&](int v) { return v < pivot; }));
    EXPECT_NEAR(below / static_cast<double>(n), 0.5, 0.2) << n;
  }
}

TEST(sorting, neighbours_are_looked_at_within_the_range) {
  for (std::uint64_t n = sorting::least_count_to_probe; n < 100'000; n += 777) {
    std::vector<int> values(n);
    EXPECT_EQ(sorting::probe_arrangement(guarded_iterator(values, 0), n, less),
              sorting::arrangement::ascending);
  }
}

TEST(sorting, neighbours_tell_the_arrangement) {
  draw random{1};
  const std::size_t n = 100'000;
  const auto probed = [&](arrangement_of_test each) {
    return sorting::probe_arrangement(arranged(each, n, random).begin(), n, less);
  };
  EXPECT_EQ(probed(arrangement_of_test::random), sorting::arrangement::none);
  EXPECT_EQ(probed(arrangement_of_test::organ_pipe), sorting::arrangement::none);
  EXPECT_EQ(probed(arrangement_of_test::ascending), sorting::arrangement::ascending);
  EXPECT_EQ(probed(arrangement_of_test::nearly_ascending), sorting::arrangement::ascending);
  EXPECT_EQ(probed(arrangement_of_test::nearly_descending), sorting::arrangement::descending);
}

}  // namespace
}  // namespace filch::algo
