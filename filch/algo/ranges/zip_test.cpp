// Views that are ranges: zip, enumerate and chunk of elements that lie side by side.
#include <filch/algo/algo_test.hpp>

#include <algorithm>
#include <memory>
#include <numeric>
#include <ranges>
#include <string>
#include <tuple>
#include <utility>

namespace filch::inline v0_2::algo {
namespace {

class zip_on : public algo_on {};
INSTANTIATE_TEST_SUITE_P(workers, zip_on, widths);

constexpr auto first_of = [](const auto& each) -> const auto& { return std::get<0>(each); };

/// So many numbers, and beside each its place as text.
struct table {
  std::vector<int> keys;
  std::vector<std::string> names;

  table(std::size_t n, draw& random) : keys{random.numbers(n, 50)} {
    for (std::size_t i = 0; i < n; ++i) names.push_back(std::to_string(i));
  }
  using row = std::pair<int, std::string>;
  std::vector<row> rows() const {
    std::vector<row> all;
    for (std::size_t i = 0; i < keys.size(); ++i) all.emplace_back(keys[i], names[i]);
    return all;
  }
};

TEST_P(zip_on, sorting_by_one_column_moves_the_others_along) {
  on_all_sizes([](std::size_t n, draw& random) {
    if (n > 70'000) return;
    table made(n, random);
    auto expected = made.rows();
    std::ranges::stable_sort(expected, {}, &std::pair<int, std::string>::first);
    table unstable = made;
    EXPECT_EQ(filch::sort(views::zip(unstable.keys, unstable.names), {}, first_of) -
                  views::zip(made.keys, made.names).begin(),
              static_cast<std::ptrdiff_t>(n));
    auto rows = unstable.rows();
    EXPECT_TRUE(std::ranges::is_sorted(rows, {}, &std::pair<int, std::string>::first));
    std::ranges::sort(rows);
    auto in_any_order = expected;
    std::ranges::sort(in_any_order);
    EXPECT_EQ(rows, in_any_order) << "a row was torn apart";
    filch::stable_sort(views::zip(made.keys, made.names), {}, first_of);
    EXPECT_EQ(made.rows(), expected);
  });
}

TEST_P(zip_on, columns_of_plain_numbers_are_sorted_as_rows) {
  on_all_sizes([](std::size_t n, draw& random) {
    std::vector<int> a = random.numbers(n, 1'000);
    std::vector<double> b(a.size());
    std::ranges::transform(a, b.begin(), [](int each) { return each * 0.5; });
    const std::vector<int> before = a;
    filch::sort(views::zip(a, b), std::ranges::greater{}, first_of);
    std::vector<int> expected = before;
    std::ranges::sort(expected, std::ranges::greater{});
    EXPECT_EQ(a, expected);
    for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(b[i], a[i] * 0.5);
  });
}

TEST_P(zip_on, the_usual_order_of_rows_is_that_of_tuples) {
  on_all_sizes([](std::size_t n, draw& random) {
    if (n > 5'000) return;
    std::vector<int> a = random.numbers(n, 5), b = random.numbers(n, 5);
    std::vector<std::pair<int, int>> expected;
    for (std::size_t i = 0; i < n; ++i) expected.emplace_back(a[i], b[i]);
    std::ranges::sort(expected);
    filch::sort(views::zip(a, b));
    for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(std::pair(a[i], b[i]), expected[i]);
  });
}

TEST_P(zip_on, elements_that_can_only_be_moved_are_sorted_too) {
  repeatedly([](draw& random) {
    std::vector<int> keys = random.numbers(700, 100);
    std::vector<std::unique_ptr<int>> owners;
    for (const int key : keys) owners.push_back(std::make_unique<int>(key));
    filch::sort(views::zip(keys, owners), {}, first_of);
    EXPECT_TRUE(std::ranges::is_sorted(keys));
    for (std::size_t i = 0; i < keys.size(); ++i) ASSERT_EQ(*owners[i], keys[i]);
  });
}

TEST_P(zip_on, algorithms_take_it_as_any_range) {
  on_all_sizes([](std::size_t n, draw& random) {
    std::vector<int> a = random.numbers(n, 100), b = random.numbers(n + random(3), 100);
    const auto pairs = views::zip(a, b);
    EXPECT_EQ(
        transform_reduce(pairs, 0L, std::plus<>{},
                         [](auto each) { return long{std::get<0>(each)} * std::get<1>(each); }),
        std::inner_product(a.begin(), a.end(), b.begin(), 0L));
    const auto agrees = [](const auto& each) { return std::get<0>(each) == std::get<1>(each); };
    std::size_t first = 0;
    while (first != n && a[first] != b[first]) ++first;
    EXPECT_EQ(find_if(pairs, agrees) - pairs.begin(), static_cast<std::ptrdiff_t>(first));
    std::vector<int> swapped_a = b, swapped_b = a;
    swapped_a.resize(n);
    for_each(pairs, [](const auto& each) { std::swap(std::get<0>(each), std::get<1>(each)); });
    EXPECT_TRUE(std::equal(a.begin(), a.end(), swapped_a.begin()) &&
                std::equal(swapped_b.begin(), swapped_b.end(), b.begin()));
    reverse(pairs);
    std::ranges::reverse(swapped_a);
    EXPECT_EQ(a, swapped_a);
    EXPECT_EQ(pairs | views::filter(agrees) |
                  views::transform([](auto each) { return std::get<0>(each); }) | to<std::vector>(),
              to<std::vector>(pairs | views::filter([](auto each) {
                                return std::get<1>(each) == std::get<0>(each);
                              }) |
                              views::transform([](auto each) { return std::get<1>(each); })));
  });
}

constexpr auto has_low_key = [](const auto& each) { return std::get<0>(each) < 20; };
constexpr auto same_tens = [](const auto& a, const auto& b) {
  return std::get<0>(a) / 10 == std::get<0>(b) / 10;
};

/// Whether the first rows are these.
bool begins_with(const table& found, const std::vector<table::row>& expected) {
  const auto rows = found.rows();
  return rows.size() >= expected.size() &&
         std::equal(expected.begin(), expected.end(), rows.begin());
}

TEST_P(zip_on, what_moves_rows_moves_them_whole) {
  on_all_sizes([](std::size_t n, draw& random) {
    if (n > 70'000) return;
    table moved(n, random);
    auto expected = moved.rows();
    const auto rows = views::zip(moved.keys, moved.names);
    const settings how = random(2) == 0 ? settings{} : with(grain_items{1 + random(20 + n / 100)});
    filch::stable_partition(how, rows, has_low_key);
    std::ranges::stable_sort(expected, {},
                             [](const table::row& each) { return !has_low_key(each); });
    EXPECT_TRUE(begins_with(moved, expected));
    const auto middle = static_cast<std::ptrdiff_t>(random(n + 1));
    filch::rotate(how, rows, rows.begin() + middle);
    std::rotate(expected.begin(), expected.begin() + middle, expected.end());
    EXPECT_TRUE(begins_with(moved, expected));
    filch::integer_sort(how, rows, first_of);
    std::ranges::stable_sort(expected, {}, &table::row::first);
    EXPECT_TRUE(begins_with(moved, expected));
  });
}

TEST_P(zip_on, what_drops_rows_keeps_the_others_whole) {
  on_all_sizes([](std::size_t n, draw& random) {
    if (n > 70'000) return;
    table left(n, random);
    auto expected = left.rows();
    const auto rows = views::zip(left.keys, left.names);
    const settings how = random(2) == 0 ? settings{} : with(grain_items{1 + random(20 + n / 100)});
    std::erase_if(expected, has_low_key);
    const auto dropped = filch::remove_if(how, rows, has_low_key);
    EXPECT_EQ(dropped.begin() - rows.begin(), std::ssize(expected));
    EXPECT_TRUE(begins_with(left, expected));
    expected.erase(std::unique(expected.begin(), expected.end(), same_tens), expected.end());
    EXPECT_EQ(filch::unique(how, rows.begin(), dropped.begin(), same_tens).begin() - rows.begin(),
              std::ssize(expected));
    EXPECT_TRUE(begins_with(left, expected));
  });
}

TEST_P(zip_on, what_brings_rows_into_another_order_keeps_them_whole) {
  on_all_sizes([](std::size_t n, draw& random) {
    if (n > 70'000) return;
    table made(n, random);
    auto expected = made.rows();
    std::ranges::sort(expected);
    const auto rows = views::zip(made.keys, made.names);
    const auto expect_all_rows = [&] {
      auto found = made.rows();
      std::ranges::sort(found);
      EXPECT_EQ(found, expected) << "a row was torn apart";
    };
    filch::random_shuffle(rows, random());
    expect_all_rows();
    const std::size_t nth = random(n + 1);
    filch::nth_element(rows, rows.begin() + static_cast<std::ptrdiff_t>(nth), {}, first_of);
    if (nth != n) {
      EXPECT_EQ(made.keys[nth], expected[nth].first);
    }
    expect_all_rows();
  });
}

TEST_P(zip_on, rows_are_copied_and_merged_into_another_zip) {
  on_all_sizes([](std::size_t n, draw& random) {
    if (n > 70'000) return;
    table left(n, random), right(n / 2, random), copied(n, random), both(n + n / 2, random);
    filch::copy(views::zip(left.keys, left.names), views::zip(copied.keys, copied.names));
    EXPECT_EQ(copied.rows(), left.rows());
    filch::stable_sort(views::zip(left.keys, left.names), {}, first_of);
    filch::stable_sort(views::zip(right.keys, right.names), {}, first_of);
    filch::merge(views::zip(left.keys, left.names), views::zip(right.keys, right.names),
                 views::zip(both.keys, both.names), {}, first_of, first_of);
    const auto key = &table::row::first;
    std::vector<table::row> expected;
    std::ranges::merge(left.rows(), right.rows(), std::back_inserter(expected), {}, key, key);
    EXPECT_EQ(both.rows(), expected);
  });
}

TEST_P(zip_on, rows_that_are_made_on_the_way_last_as_long_as_they_are_looked_at) {
  on_all_sizes([](std::size_t n, draw& random) {
    table left(n, random), right(n / 2, random);
    filch::sort(left.keys);
    filch::sort(right.keys);
    const auto rows = views::zip(left.keys, left.names),
               others = views::zip(right.keys, right.names);
    filch::sort(rows);
    filch::sort(others);
    using row = std::tuple<int, std::string>;
    std::vector<row> both(rows.size() + others.size()), expected;
    both.resize(static_cast<std::size_t>(set_union(rows, others, both.begin()).out - both.begin()));
    std::ranges::set_union(std::vector<row>(rows.begin(), rows.end()),
                           std::vector<row>(others.begin(), others.end()),
                           std::back_inserter(expected));
    EXPECT_EQ(both, expected);
    EXPECT_EQ(max_element(rows), n == 0 ? rows.end() : std::ranges::find(rows, row(rows[n - 1])));
    const auto numbered = views::enumerate(left.keys);
    EXPECT_EQ(transform_reduce(numbered, std::uint64_t{0}, std::plus<>{}, first_of),
              n * (n - (n != 0)) / 2);
    EXPECT_EQ(parallel_reduce(numbered.begin(), numbered.end(), std::uint64_t{0}, first_of,
                              std::plus<>{}),
              n * (n - (n != 0)) / 2);
  });
}

TEST_P(zip_on, enumerate_numbers_a_range_or_what_a_function_makes_of_it) {
  on_all_sizes([](std::size_t n, draw& random) {
    const std::vector<int> values = random.numbers(n, 3);
    std::vector<std::uint64_t> expected;
    for (std::size_t i = 0; i < n; ++i) {
      if (values[i] == 1) expected.push_back(i);
    }
    const auto is_one = [](const auto& each) { return std::get<1>(each) == 1; };
    const auto number = [](const auto& each) { return std::get<0>(each); };
    EXPECT_EQ(values | views::enumerate | views::filter(is_one) | views::transform(number) |
                  to<std::vector>(),
              expected);
    EXPECT_EQ(values | views::transform([](int i) { return i + 1; }) | views::enumerate |
                  views::filter([](const auto& each) { return std::get<1>(each) == 2; }) |
                  views::transform(number) | to<std::vector>(),
              expected);
    EXPECT_EQ(std::vector<int>(values) | views::enumerate | views::filter(is_one) |
                  views::transform(number) | to<std::vector>(),
              expected);
    EXPECT_EQ(count_if(values | views::enumerate, is_one),
              static_cast<std::ptrdiff_t>(expected.size()));
    const auto found = find_if(views::enumerate(values), is_one);
    EXPECT_EQ(static_cast<std::uint64_t>(found - views::enumerate(values).begin()),
              expected.empty() ? n : expected.front());
  });
}

TEST_P(zip_on, chunks_stand_in_a_chain_and_can_be_found) {
  on_all_sizes([](std::size_t n, draw& random) {
    std::vector<int> values = random.numbers(n, 100);
    const std::uint64_t length = 1 + random(12);
    const auto sum = [](auto chunk) { return std::accumulate(chunk.begin(), chunk.end(), 0); };
    std::vector<int> expected;
    for (std::size_t i = 0; i < n; i += length) {
      expected.push_back(std::accumulate(
          values.begin() + static_cast<std::ptrdiff_t>(i),
          values.begin() + static_cast<std::ptrdiff_t>(std::min(n, i + length)), 0));
    }
    EXPECT_EQ(values | views::chunk(length) | views::transform(sum) | to<std::vector>(), expected);
    const auto chunks = values | views::chunk(length);
    EXPECT_EQ(chunks.size(), expected.size());
    const auto is_dear = [&](auto chunk) { return sum(chunk) > 300; };
    EXPECT_EQ(
        find_if(chunks, is_dear) - chunks.begin(),
        std::ranges::find_if(expected, [](int each) { return each > 300; }) - expected.begin());
    for_each(chunks, [](auto chunk) {
      for (int& each : chunk) each = 1;
    });
    EXPECT_EQ(values, std::vector<int>(n, 1));
    EXPECT_EQ(
        values | views::chunk(length) | views::enumerate | views::filter([&](const auto& each) {
          return std::get<0>(each) * length + std::get<1>(each).size() == n;
        }) | views::transform([](const auto& each) { return std::get<0>(each); }) |
            to<std::vector>(),
        n == 0 ? std::vector<std::uint64_t>() : std::vector<std::uint64_t>{expected.size() - 1});
  });
}

TEST_P(zip_on, of_the_numbers_beyond_32_bits_chunks_are_counted_and_found) {
  repeatedly([](draw&) {
    constexpr std::uint64_t count = (std::uint64_t{1} << 42) + 5, length = std::uint64_t{1} << 30;
    const place_range<offset_places> numbers({}, count);
    const auto chunks = numbers | views::chunk(length);
    EXPECT_EQ(transform_reduce(chunks, std::uint64_t{0}, std::plus<>{},
                               [](auto chunk) { return std::uint64_t{chunk.size()}; }),
              count);
    const auto has = [](std::uint64_t wanted) {
      return [wanted](auto chunk) {
        return *chunk.begin() <= wanted && wanted < *chunk.begin() + chunk.size();
      };
    };
    EXPECT_EQ(find_if(chunks, has(count - 6)) - chunks.begin(), 4095);
    EXPECT_EQ(find_if(chunks, has(count - 1)) - chunks.begin(), 4096);
    EXPECT_EQ(count_if(chunks, [](auto chunk) { return *chunk.begin() > ~std::uint32_t{0}; }),
              4093);
    EXPECT_EQ(find_if(numbers, [](std::uint64_t each) { return each == 3; }) - numbers.begin(), 3);
  });
}

}  // namespace
}  // namespace filch::algo
