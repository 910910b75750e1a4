#include <filch/algo/adjacent_difference.hpp>
#include <filch/algo/algo_test.hpp>
#include <filch/algo/for_each.hpp>
#include <filch/algo/reverse.hpp>
#include <filch/algo/sort_test_values.hpp>
#include <filch/algo/transform.hpp>

#include <algorithm>
#include <deque>
#include <memory>
#include <numeric>

namespace filch::inline v0_2::algo {
namespace {

class map_on : public algo_on {};
INSTANTIATE_TEST_SUITE_P(workers, map_on, widths);

struct pixel {
  int colour = 0;
  int depth = 0;
};

TEST_P(map_on, for_each_visits_every_element_once_through_its_projection) {
  on_all_sizes([](std::size_t n, draw&) {
    std::vector<pixel> picture(n);
    EXPECT_EQ(filch::for_each(
                  picture, [](int& each) { ++each; }, &pixel::depth),
              picture.end());
    filch::for_each(with(grain_items{7}), picture.begin(), picture.end(),
                    [](pixel& each) { ++each.colour; });
    EXPECT_TRUE(std::ranges::all_of(
        picture, [](const pixel& each) { return each.colour == 1 && each.depth == 1; }));
  });
}

TEST_P(map_on, for_each_chunk_covers_the_range_with_chunks_no_longer_than_the_grain) {
  on_all_sizes([](std::size_t n, draw& random) {
    const std::uint64_t grain = 1 + random(50);
    std::deque<int> seen(n);
    std::atomic<bool> is_short = true;
    EXPECT_EQ(filch::for_each_chunk(with(grain_items{grain}), seen,
                                    [&](auto chunk) {
                                      if (chunk.size() > grain) is_short = false;
                                      for (int& each : chunk) ++each;
                                    }),
              seen.end());
    EXPECT_TRUE(is_short);
    EXPECT_TRUE(std::ranges::all_of(seen, [](int each) { return each == 1; }));
  });
}

TEST_P(map_on, transform_does_as_std_with_one_range_and_with_two) {
  on_all_sizes([](std::size_t n, draw& random) {
    const std::vector<int> a = random.numbers(n, 1000), b = random.numbers(n + random(3), 1000);
    std::vector<long> ours(n), theirs(n);
    const auto twice = [](int x) { return 2L * x; };
    EXPECT_EQ(filch::transform(a, ours.begin(), twice, std::negate<>{}).out, ours.end());
    std::ranges::transform(a, theirs.begin(), twice, std::negate<>{});
    EXPECT_EQ(ours, theirs);

    const auto ends =
        filch::transform(b, a, ours.begin(), std::minus<>{}, std::identity{}, std::negate<>{});
    EXPECT_EQ(ends.in1, b.begin() + static_cast<std::ptrdiff_t>(n));
    EXPECT_EQ(ends.in2, a.end());
    EXPECT_EQ(ends.out, ours.end());
    std::ranges::transform(b, a, theirs.begin(), std::minus<>{}, std::identity{}, std::negate<>{});
    EXPECT_EQ(ours, theirs);
  });
}

TEST_P(map_on, transform_works_in_place_and_on_what_can_only_be_moved) {
  on_all_sizes([](std::size_t n, draw& random) {
    const std::vector<int> numbers = random.numbers(n, 1000);
    std::vector<std::unique_ptr<int>> boxes(n);
    filch::transform(numbers, boxes.begin(), [](int x) { return std::make_unique<int>(x); });
    filch::transform(boxes.begin(), boxes.end(), boxes.begin(), [](std::unique_ptr<int>& box) {
      ++*box;
      return std::move(box);
    });
    EXPECT_TRUE(std::ranges::equal(
        boxes, numbers, {}, [](const auto& box) { return *box; }, [](int x) { return x + 1; }));
  });
}

TEST_P(map_on, reverse_and_rotate_do_as_std) {
  on_all_sizes([](std::size_t n, draw& random) {
    std::vector<int> ours = random.numbers(n, 1000), theirs = ours;
    EXPECT_EQ(filch::reverse(ours), ours.end());
    std::ranges::reverse(theirs);
    EXPECT_EQ(ours, theirs);

    const auto middle = static_cast<std::ptrdiff_t>(random(n + 1));
    const auto now_at = filch::rotate(ours, ours.begin() + middle);
    EXPECT_EQ(now_at - ours.begin(),
              std::rotate(theirs.begin(), theirs.begin() + middle, theirs.end()) - theirs.begin());
    EXPECT_EQ(ours, theirs);
    filch::rotate(with(grain_items{5}), ours.begin(), now_at, ours.end());
    std::rotate(theirs.begin(), theirs.end() - middle, theirs.end());
    EXPECT_EQ(ours, theirs);
  });
}

TEST_P(map_on, reverse_and_rotate_leak_nothing_when_a_swap_throws) {
  repeatedly([](draw& random) {
    let_moves_throw(random, filch::reverse);
    let_moves_throw(random, [](auto& values) {
      filch::rotate(values, values.begin() + std::ssize(values) / 3);
    });
  });
  EXPECT_EQ(throws_on_move::living(), 0);
}

/// Squares of numbers, made when they are looked at: random access to C++20, mere input to C++17.
/// As the iterators of std::views are, which do not compile with clang 14.
class square_at {
 public:
  using iterator_concept = std::random_access_iterator_tag;
  using iterator_category = std::input_iterator_tag;
  using value_type = int;
  using difference_type = std::ptrdiff_t;

  square_at() = default;
  explicit square_at(difference_type at) : at_{at} {}
  int operator*() const { return (*this)[0]; }
  int operator[](difference_type by) const { return static_cast<int>((at_ + by) * (at_ + by)); }
  square_at& operator+=(difference_type by) { return at_ += by, *this; }
  square_at& operator-=(difference_type by) { return *this += -by; }
  square_at& operator++() { return *this += 1; }
  square_at& operator--() { return *this -= 1; }
  square_at operator++(int) { return square_at{at_++}; }
  square_at operator--(int) { return square_at{at_--}; }
  [[maybe_unused]] friend square_at operator+(square_at it, difference_type by) { return it += by; }
  [[maybe_unused]] friend square_at operator+(difference_type by, square_at it) { return it += by; }
  [[maybe_unused]] friend square_at operator-(square_at it, difference_type by) { return it -= by; }
  friend difference_type operator-(square_at a, square_at b) { return a.at_ - b.at_; }
  [[maybe_unused]] friend auto operator<=>(square_at, square_at) = default;

 private:
  difference_type at_ = 0;
};
static_assert(std::random_access_iterator<square_at>);

TEST_P(map_on, adjacent_difference_steps_back_in_what_cpp17_cannot) {
  on_all_sizes([](std::size_t n, draw&) {
    std::vector<int> odd(std::min<std::size_t>(n, 1'000));
    filch::adjacent_difference(square_at(1), square_at(1 + std::ssize(odd)), odd.begin());
    for (std::size_t i = 0; i < odd.size(); ++i) ASSERT_EQ(odd[i], static_cast<int>(2 * i + 1));
  });
}

TEST_P(map_on, adjacent_difference_does_as_std) {
  on_all_sizes([](std::size_t n, draw& random) {
    const std::vector<int> from = random.numbers(n, 1000);
    std::vector<int> ours(n), theirs(n);
    EXPECT_EQ(filch::adjacent_difference(from, ours.begin()).out, ours.end());
    std::adjacent_difference(from.begin(), from.end(), theirs.begin());
    EXPECT_EQ(ours, theirs);
    EXPECT_EQ(filch::adjacent_difference(from, ours.begin(), std::plus<>{}).in, from.end());
    std::adjacent_difference(from.begin(), from.end(), theirs.begin(), std::plus<>{});
    EXPECT_EQ(ours, theirs);
  });
}

TEST_P(map_on, adjacent_difference_leaves_what_it_has_not_assigned_as_it_was) {
  repeatedly([](draw& random) {
    const std::vector<int> from = random.numbers(100, 1000);
    std::vector<int> out(100, 5'000), expected(100);
    std::adjacent_difference(from.begin(), from.end(), expected.begin());
    std::atomic<int> calls_left{static_cast<int>(random(99))};
    const auto fragile_minus = [&](int a, int b) { return calls_left-- == 0 ? throw 42 : a - b; };
    EXPECT_THROW(filch::adjacent_difference(with(grain_items{4}), from, out.begin(), fragile_minus),
                 int);
    for (std::size_t i = 0; i < 100; ++i) ASSERT_TRUE(out[i] == expected[i] || out[i] == 5'000);
  });
}

/// Equal to another one if all below it are: the comparison of arrays of nodes is part of itself.
struct node {
  dynarray<node> below;
  bool operator==(const node&) const = default;
};
static_assert(std::equality_comparable<node>);

TEST(dynarray, compares_and_shows_its_ends) {
  const auto squares = [](std::size_t n) {
    return tabulate(n, [](std::size_t i) { return i * i; });
  };
  EXPECT_EQ(squares(5), squares(5));
  EXPECT_FALSE(squares(5) == squares(4));
  EXPECT_EQ(squares(5).front(), 0u);
  EXPECT_EQ(squares(5).back(), 16u);
}

}  // namespace
}  // namespace filch::algo
