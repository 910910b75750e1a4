#include <filch/algo/algo_test.hpp>
#include <filch/algo/copy.hpp>
#include <filch/algo/fill.hpp>
#include <filch/algo/fragile_test.hpp>
#include <filch/algo/tabulate.hpp>
#include <filch/algo/transform.hpp>

#include <algorithm>
#include <atomic>
#include <functional>
#include <limits>
#include <numeric>
#include <string>

namespace filch::inline v0_2::algo {
namespace {

class fill_on : public algo_on {};
INSTANTIATE_TEST_SUITE_P(workers, fill_on, widths);

TEST_P(fill_on, fill_generate_and_iota_write_every_element) {
  on_all_sizes([](std::size_t n, draw&) {
    std::vector<std::string> words(n);
    EXPECT_EQ(filch::fill(words, "word"), words.end());
    EXPECT_EQ(words, std::vector<std::string>(n, "word"));

    std::vector<int> numbers(n), expected(n);
    std::atomic<int> calls{0};
    EXPECT_EQ(filch::generate(numbers, [&] { return ++calls; }), numbers.end());
    std::ranges::sort(numbers);
    std::iota(expected.begin(), expected.end(), 1);
    EXPECT_EQ(numbers, expected) << "each call's result is in one place";

    filch::fill(with(grain_items{10}), numbers.begin(), numbers.end(), 0);
    EXPECT_EQ(filch::iota(numbers, 1), numbers.end());
    EXPECT_EQ(numbers, expected);
    std::vector<const int*> places(n);
    filch::iota(places, numbers.data());
    for (std::size_t i = 0; i != n; ++i) ASSERT_EQ(places[i], &numbers[i]);
  });
}

TEST(tabulate, takes_a_function_that_returns_its_argument) {
  const auto places = filch::tabulate(1'000, std::identity{});
  for (std::size_t i = 0; i != places.size(); ++i) ASSERT_EQ(places[i], i);
}

TEST(fill, takes_an_element_of_the_range_for_its_value) {
  struct picky {
    int value = 0;
    picky() = default;
    picky(const picky&) = default;
    picky& operator=(const picky& other) {
      EXPECT_NE(this, &other) << "another worker may be reading it";
      value = other.value;
      return *this;
    }
  };
  std::vector<picky> all(100);
  all[50].value = 7;
  filch::fill(all, all[50]);
  EXPECT_TRUE(std::ranges::all_of(all, [](const picky& each) { return each.value == 7; }));
}

TEST(iota, of_floats_does_not_stand_still) {
  EXPECT_EQ(counted_up(1.0f, 20'000'000), 20'000'000.0f);
}

/// A constant expression: the compiler refuses what is undefined there.
TEST(iota, of_integers_goes_on_from_the_least_behind_the_greatest) {
  constexpr int least = std::numeric_limits<int>::min(), greatest = std::numeric_limits<int>::max();
  static_assert(counted_up(greatest, 1) == least);
  static_assert(counted_up(-1, std::uint64_t{1} << 31) == greatest);
  static_assert(counted_up(std::numeric_limits<std::int64_t>::max(), 2) ==
                std::numeric_limits<std::int64_t>::min() + 1);
  static_assert(counted_up(static_cast<signed char>(100), 100) == -56);
  std::vector<int> numbers(3);
  filch::iota(numbers, greatest);
  EXPECT_EQ(numbers, (std::vector<int>{greatest, least, least + 1}));
}

TEST_P(fill_on, copy_copies_also_bits_and_to_other_types) {
  on_all_sizes([](std::size_t n, draw& random) {
    const std::vector<int> from = random.numbers(n, 1000);
    std::vector<long> to(n);
    const auto ends = filch::copy(from, to.begin());
    EXPECT_EQ(ends.in, from.end());
    EXPECT_EQ(ends.out, to.end());
    EXPECT_TRUE(std::ranges::equal(from, to));
    std::vector<int> plain(n);
    filch::copy(with(grain_items{8}), from.begin(), from.end(), plain.begin());
    EXPECT_EQ(plain, from);
    const std::vector<bool> bits(n, true);
    filch::copy(bits, plain.begin());
    EXPECT_EQ(plain, std::vector<int>(n, 1)) << "bits may be read";
  });
}

/// Has no default value, is not movable, and wants more alignment than operator new gives by
/// itself.
struct alignas(64) rigid {
  explicit rigid(std::size_t i) : index{i} {}
  rigid(rigid&&) = delete;
  const std::size_t index;
};

TEST_P(fill_on, tabulate_makes_an_array_or_writes_to_a_range) {
  on_all_sizes([](std::size_t n, draw& random) {
    const auto squares = filch::tabulate(n, [](std::size_t i) { return std::to_string(i * i); });
    ASSERT_EQ(squares.size(), n);
    for (std::size_t i = 0; i != n; ++i) ASSERT_EQ(squares[i], std::to_string(i * i));

    const std::size_t few = std::min<std::size_t>(n, 1000);
    auto bars = filch::tabulate(with(grain_items{1 + random(9)}), few,
                                [](std::size_t i) { return rigid(i); });
    const auto moved = std::move(bars);
    EXPECT_TRUE(bars.empty());
    for (std::size_t i = 0; i != few; ++i) {
      ASSERT_EQ(moved[i].index, i);
      ASSERT_EQ(reinterpret_cast<std::uintptr_t>(&moved[i]) % alignof(rigid), 0u);
    }

    std::vector<std::size_t> cubes(n);
    EXPECT_EQ(filch::tabulate(cubes, [](std::size_t i) { return i * i * i; }), cubes.end());
    for (std::size_t i = 0; i != n; ++i) ASSERT_EQ(cubes[i], i * i * i);
  });
}

TEST(tabulate, of_a_negative_number_is_empty) {
  EXPECT_TRUE(filch::tabulate(-5, [](std::size_t i) { return i; }).empty());
}

TEST_P(fill_on, nothing_leaks_or_is_torn_wherever_an_element_throws) {
  repeatedly([](draw& random) {
    const int before = fragile::live;
    {
      const std::vector<int> numbers = random.numbers(20, 1000);
      const std::vector<fragile> from(numbers.begin(), numbers.end());
      std::vector<fragile> to(20, -7);
      const auto old_or_new = [&](bool) {
        for (std::size_t i = 0; i != 20; ++i) ASSERT_TRUE(to[i].number() == -7 || to[i] == from[i]);
      };
      fragile::at_every_step([&] { filch::copy(from, to.begin()); }, old_or_new);
      EXPECT_EQ(to, from);
      to.assign(20, -7);
      fragile::at_every_step(
          [&] { filch::transform(from, to.begin(), [](const fragile& each) { return each; }); },
          old_or_new);
      EXPECT_EQ(to, from);
      const fragile value = -9;
      fragile::at_every_step([&] { filch::fill(to, value); },
                             [&](bool) {
                               for (std::size_t i = 0; i != 20; ++i)
                                 ASSERT_TRUE(to[i] == from[i] || to[i] == value);
                             });
      EXPECT_EQ(to, std::vector(20, value));
      const int kept = fragile::live;
      const auto table = [&] {
        filch::tabulate(with(grain_items{3}), 20,
                        [](std::size_t i) { return fragile(static_cast<int>(i)); });
      };
      fragile::at_every_step(table, [&](bool) { EXPECT_EQ(fragile::live, kept); });
    }
    EXPECT_EQ(fragile::live, before);
  });
}

TEST_P(fill_on, a_stop_that_was_asked_for_leaves_old_or_new_values) {
  repeatedly([](draw& random) {
    std::stop_source source;
    const std::size_t last = random(1'000);
    std::vector<std::size_t> table(1'000, ~std::size_t{0});
    const auto until_last = [&](std::size_t i) {
      if (i == last) source.request_stop();
      return i;
    };
    try {
      filch::tabulate(with(source.get_token(), grain_items{10}), table, until_last);
    } catch (const stopped&) {
    }
    for (std::size_t i = 0; i != table.size(); ++i)
      ASSERT_TRUE(table[i] == i || table[i] == ~std::size_t{0});
    EXPECT_EQ(table[last], last);
    EXPECT_THROW(filch::fill(with(source.get_token()), table, 5u), stopped);
    EXPECT_THROW(filch::tabulate(with(source.get_token()), 9, until_last), stopped);
  });
}

}  // namespace
}  // namespace filch::algo
