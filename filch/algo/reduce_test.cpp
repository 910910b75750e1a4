#include <filch/algo/algo_test.hpp>
#include <filch/algo/count.hpp>
#include <filch/algo/extremes.hpp>
#include <filch/algo/fragile_test.hpp>
#include <filch/algo/ranges/views.hpp>
#include <filch/algo/reduce.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <set>
#include <string>

namespace filch::inline v0_2::algo {
namespace {

class reduce_on : public algo_on {};
INSTANTIATE_TEST_SUITE_P(workers, reduce_on, widths);

/// Composition of x -> factor * x + offset modulo 2^32: associative, and does not commute.
struct affine {
  std::uint32_t factor = 1, offset = 0;
  friend bool operator==(affine, affine) = default;
  friend affine operator+(affine f, affine g) {
    return {f.factor * g.factor, f.offset * g.factor + g.offset};
  }
};

TEST_P(reduce_on, operands_keep_their_order) {
  on_all_sizes([](std::size_t n, draw& random) {
    std::vector<affine> steps(n);
    for (affine& each : steps)
      each = {static_cast<std::uint32_t>(random()), static_cast<std::uint32_t>(random())};
    const affine start{3, 4}, expected = std::accumulate(steps.begin(), steps.end(), start);
    EXPECT_EQ(filch::reduce(steps, start), expected);
    EXPECT_EQ(filch::reduce(with(grain_items{1 + random(9)}), steps.begin(), steps.end(), start,
                            std::plus<>{}),
              expected);
    EXPECT_EQ(filch::reduce(with(deterministic), steps),
              std::accumulate(steps.begin(), steps.end(), affine{}));
    const auto offsets =
        filch::transform_reduce(steps, std::string("<"), std::plus<>{},
                                [](affine f) { return std::to_string(f.offset % 10); });
    ASSERT_EQ(offsets.size(), n + 1);
    for (std::size_t i = 0; i != n; ++i)
      ASSERT_EQ(offsets[i + 1], static_cast<char>('0' + steps[i].offset % 10));
  });
}

template <class T>
std::vector<T> integers(std::size_t n, draw& random) {
  std::vector<T> all(n);
  for (T& each : all) each = static_cast<T>(random());
  return all;
}

/// What the operation gives modulo 2^64, as a loop.
template <class T, class Op>
T expected_of(const std::vector<T>& values, T start, Op op) {
  std::uint64_t sum = static_cast<std::uint64_t>(start);
  for (const T each : values) sum = op(sum, static_cast<std::uint64_t>(each));
  return static_cast<T>(sum);
}

template <class T>
void expect_lanes_as_loop(std::size_t n, draw& random) {
  const std::vector<T> values = integers<T>(n, random);
  EXPECT_EQ(filch::reduce(values), expected_of(values, T{0}, std::plus<>{}));
  EXPECT_EQ(filch::reduce(values, T{5}, std::plus<T>{}), expected_of(values, T{5}, std::plus<>{}));
  EXPECT_EQ(filch::reduce(values, T{3}, std::multiplies<>{}),
            expected_of(values, T{3}, std::multiplies<>{}));
  EXPECT_EQ(filch::reduce(values, T{3}, std::bit_xor<>{}),
            expected_of(values, T{3}, std::bit_xor<>{}));
  EXPECT_EQ(filch::reduce(values, T{3}, std::bit_or<T>{}),
            expected_of(values, T{3}, std::bit_or<>{}));
  EXPECT_EQ(filch::reduce(values, static_cast<T>(~T{8}), std::bit_and<>{}),
            expected_of(values, static_cast<T>(~T{8}), std::bit_and<>{}));
  if (n == 0) return;
  EXPECT_EQ(filch::reduce(values, values[0], std::ranges::min), *std::ranges::min_element(values));
  EXPECT_EQ(filch::reduce(values, values[0], std::ranges::max), *std::ranges::max_element(values));
}

TEST_P(reduce_on, lanes_of_integers_wrap_as_a_loop_without_overflow_in_between) {
  on_all_sizes([](std::size_t n, draw& random) {
    expect_lanes_as_loop<std::int8_t>(n, random);
    expect_lanes_as_loop<std::uint16_t>(n, random);
    expect_lanes_as_loop<int>(n, random);
    expect_lanes_as_loop<std::int64_t>(n, random);
  });
}

TEST(reduce, of_integers_wraps_between_chunks_too) {
  const int most = std::numeric_limits<int>::max();
  EXPECT_EQ(filch::reduce(std::vector{most, most}, -most), most);
  EXPECT_EQ(filch::reduce(with(grain_items{1}), std::vector{0, -most, most, most, -most, 0, 0, 7}),
            7);
  const std::vector<std::uint16_t> odd(101, 65'535);
  EXPECT_EQ(filch::reduce(with(grain_items{1}), odd, std::uint16_t{1}, std::multiplies<>{}),
            65'535);
}

TEST(reduce, knows_which_operations_may_change_places) {
  static_assert(reorderable<std::plus<>, float> && reorderable<const std::plus<float>&, float> &&
                reorderable<std::multiplies<>, double>);
  static_assert(!reorderable<std::plus<double>, float>, "what is added is converted in between");
  static_assert(!reorderable<std::minus<>, int> && !reorderable<std::plus<>, std::string> &&
                !reorderable<std::logical_and<>, bool>);
}

TEST_P(reduce_on, sums_and_inner_products_of_floats_are_as_exact_as_a_loop_in_double) {
  on_all_sizes([](std::size_t n, draw& random) {
    std::vector<float> a(n), b(n + 1, 0.5f);
    for (float& each : a) each = static_cast<float>(random(1000)) / 1000;
    const double exact = std::accumulate(a.begin(), a.end(), 0.0), slack = 1e-6 * (exact + 1);
    EXPECT_NEAR(filch::reduce(a), exact, slack);
    EXPECT_NEAR(filch::reduce(a, 1.0), exact + 1, 1e-9 * (exact + 1)) << "in the type of init";
    EXPECT_NEAR(filch::transform_reduce(a, b, 0.0f), exact / 2, slack);
    EXPECT_NEAR(filch::transform_reduce(with(grain_items{2}), a, b, 0.0f), exact / 2, slack)
        << "also if leaves are short";
    EXPECT_NEAR(filch::transform_reduce(a, 2.0, std::plus<>{}, [](float x) { return 2 * x; }),
                2 * exact + 2, slack);
    EXPECT_EQ(filch::transform_reduce(a, b, 0, std::plus<>{}, [](float, float) { return 1; }),
              static_cast<int>(n))
        << "the shorter one";
  });
}

TEST(reduce, with_deterministic_has_the_same_bits_at_every_width) {
  std::vector<float> values(200'000);
  draw random{3};
  for (float& each : values) each = static_cast<float>(random(1'000'000)) / 7.0f;
  std::set<float> sums, products, mapped, streamed;
  const auto third = [](float each) { return each / 3; };
  for (const unsigned workers : {1u, 2u, 3u, 5u}) {
    thread_pool pool({.workers = workers});
    for (int round = 0; round < 5; ++round) {
      sums.insert(filch::reduce(with(deterministic, pool), values));
      products.insert(filch::transform_reduce(with(deterministic, pool), values, values, 0.0f));
      mapped.insert(
          filch::transform_reduce(with(deterministic, pool), values, 0.0f, std::plus<>{}, third));
      streamed.insert(filch::reduce(with(deterministic, pool), values | views::transform(third)));
    }
  }
  EXPECT_EQ(sums.size(), 1u);
  EXPECT_EQ(products.size(), 1u);
  EXPECT_EQ(mapped.size(), 1u);
  EXPECT_EQ(streamed.size(), 1u);
}

TEST_P(reduce_on, results_need_only_be_moved) {
  repeatedly([](draw& random) {
    const std::vector<int> numbers = random.numbers(20, 1000);
    const auto larger_box = [](std::unique_ptr<int> a, std::unique_ptr<int> b) {
      return *a > *b ? std::move(a) : std::move(b);
    };
    const auto most = filch::transform_reduce(numbers, std::make_unique<int>(-1), larger_box,
                                              [](int i) { return std::make_unique<int>(i); });
    EXPECT_EQ(*most, std::ranges::max(numbers));
  });
}

TEST_P(reduce_on, nothing_leaks_wherever_a_copy_throws) {
  repeatedly([](draw&) {
    const int before = fragile::live;
    {
      const std::vector<fragile> elements(20, 1);
      const int kept = fragile::live;
      const auto sum = [](fragile a, const fragile& b) { return fragile(a.number() + b.number()); };
      int result = 0;
      fragile::at_every_step([&] { result = filch::reduce(elements, fragile(2), sum).number(); },
                             [&](bool) { EXPECT_EQ(fragile::live, kept); });
      EXPECT_EQ(result, 22);
      const auto is_less_by_copy = [](fragile a, fragile b) { return a < b; };
      fragile::at_every_step(
          [&] {
            EXPECT_EQ(filch::min_element(with(grain_items{3}), elements, is_less_by_copy),
                      elements.begin());
          },
          [&](bool) { EXPECT_EQ(fragile::live, kept); });
    }
    EXPECT_EQ(fragile::live, before);
  });
}

TEST_P(reduce_on, counts_as_std) {
  on_all_sizes([](std::size_t n, draw& random) {
    const std::vector<int> numbers = random.numbers(n, 5);
    const auto is_odd = [](int x) { return x % 2 != 0; };
    EXPECT_EQ(filch::count(numbers, 3), std::ranges::count(numbers, 3));
    EXPECT_EQ(filch::count(numbers, -3, std::negate<>{}), std::ranges::count(numbers, 3));
    EXPECT_EQ(filch::count_if(numbers, is_odd), std::ranges::count_if(numbers, is_odd));
    EXPECT_EQ(filch::count_if(with(grain_items{9}), numbers.begin(), numbers.end(), is_odd,
                              [](int x) { return x + 1; }),
              std::ranges::count_if(numbers, is_odd, [](int x) { return x + 1; }));
    const std::vector<bool> bits(n, true);
    EXPECT_EQ(filch::count(bits, true), static_cast<std::ptrdiff_t>(n));
  });
}

template <class T>
void expect_extremes_as_std(const std::vector<T>& v, auto... how) {
  EXPECT_EQ(filch::min_element(v, how...), std::ranges::min_element(v, how...));
  EXPECT_EQ(filch::max_element(v, how...), std::ranges::max_element(v, how...));
  const auto ours = filch::minmax_element(v, how...),
             theirs = std::ranges::minmax_element(v, how...);
  EXPECT_EQ(ours.min, theirs.min);
  EXPECT_EQ(ours.max, theirs.max);
}

TEST_P(reduce_on, of_equal_extremes_the_same_one_is_found_as_by_std) {
  on_all_sizes([](std::size_t n, draw& random) {
    const std::vector<int> numbers = random.numbers(n, 1 + static_cast<int>(random(100)));
    expect_extremes_as_std(numbers);
    expect_extremes_as_std(numbers, std::ranges::greater{});
    expect_extremes_as_std(numbers, std::ranges::less{}, [](int x) { return x % 10; });
    std::vector<double> fractions(numbers.begin(), numbers.end());
    for (double& each : fractions) each = -each / 4;
    expect_extremes_as_std(fractions);
    EXPECT_EQ(filch::min_element(with(grain_items{7}), numbers), std::ranges::min_element(numbers));
  });
}

TEST(extremes, of_what_is_not_a_number_lie_within_the_range) {
  std::vector<float> v(1000, std::numeric_limits<float>::quiet_NaN());
  const auto both = filch::minmax_element(v);
  EXPECT_LT(both.min - v.begin(), 1000);
  EXPECT_LT(both.max - v.begin(), 1000);
}

TEST(extremes, of_elements_that_cannot_be_copied_are_found) {
  std::vector<std::unique_ptr<int>> boxes(100);
  for (int i = 0; i != 100; ++i)
    boxes[static_cast<std::size_t>(i)] = std::make_unique<int>((i * 37) % 100);
  EXPECT_EQ(**filch::max_element(boxes, std::ranges::less{}, [](const auto& box) { return *box; }),
            99);
}

}  // namespace
}  // namespace filch::algo
