#include <filch/algo/algo_test.hpp>

#include <atomic>
#include <stdexcept>

namespace filch::inline v0_2::algo {
namespace {

class blocked_for_on : public algo_on {};
INSTANTIATE_TEST_SUITE_P(workers, blocked_for_on, widths);

TEST_P(blocked_for_on, visits_every_point_of_a_plane_exactly_once) {
  on_all_sizes([](std::size_t n, draw& random) {
    const int rows = 1 + static_cast<int>(random(20)), columns = static_cast<int>(n) / rows;
    std::vector<int> seen(static_cast<std::size_t>(rows * columns));
    parallel_for(blocked_range(index_range(-3, rows - 3), index_range(0, columns)),
                 [&](int i, int j) { ++seen[static_cast<std::size_t>((i + 3) * columns + j)]; });
    EXPECT_EQ(seen, std::vector<int>(seen.size(), 1));
  });
}

TEST(blocked_range, of_more_points_than_can_be_counted_is_not_empty) {
  using numbers = index_range<std::int64_t>;
  constexpr numbers side(0, std::int64_t{1} << 33), none(5, 5);
  static_assert(blocked_range(side, side).size() == ~std::uint64_t{0});
  static_assert(blocked_range(side, side, none).size() == 0);
  int blocks = 0;
  double points = 0;
  parallel_for(with(grain_items{std::uint64_t{1} << 63}), blocked_range(side, side),
               [&](numbers rows, numbers columns) {
                 static base::mutex lock;
                 const base::lock_guard hold(lock);
                 ++blocks;
                 points += static_cast<double>(rows.size()) * static_cast<double>(columns.size());
               });
  EXPECT_EQ(blocks, 8);
  EXPECT_EQ(points, static_cast<double>(side.size()) * static_cast<double>(side.size()));
}

TEST_P(blocked_for_on, gives_blocks_to_a_body_that_takes_ranges) {
  on_all_sizes([](std::size_t n, draw& random) {
    const std::size_t depth = 1 + random(5), rows = 1 + random(5), columns = n / (depth * rows);
    std::vector<int> seen(depth * rows * columns);
    using side = index_range<std::size_t>;
    parallel_for(with(grain_items{1 + random(30)}),
                 blocked_range(side(0, depth), side(0, rows), side(0, columns)),
                 [&](side is, side js, side ks) {
                   for (const std::size_t i : is) {
                     for (const std::size_t j : js) {
                       for (const std::size_t k : ks) ++seen[(i * rows + j) * columns + k];
                     }
                   }
                 });
    EXPECT_EQ(seen, std::vector<int>(seen.size(), 1));
  });
}

TEST(blocked_range, halves_its_longest_side) {
  const blocked_range box(index_range(0, 10), index_range(5, 105));
  EXPECT_EQ(box.size(), 1000u);
  EXPECT_EQ(box.left().sides()[1].last(), 55);
  EXPECT_EQ(box.right().sides()[1].first(), 55);
  EXPECT_EQ(box.left().sides()[0].last(), 10);
}

TEST(blocked_range, with_an_empty_or_inverted_side_is_empty) {
  int ran = 0;
  parallel_for(blocked_range(index_range(0, 10), index_range(7, 7)), [&](int, int) { ++ran; });
  parallel_for(blocked_range(index_range(10, 0), index_range(0, 7)), [&](int, int) { ++ran; });
  EXPECT_EQ(ran, 0);
}

TEST(index_range, that_is_inverted_is_empty) {
  int steps = 0;
  for (const int i : index_range(5, 3)) steps += i;
  EXPECT_EQ(steps, 0);
  EXPECT_EQ(index_range(5, 3).size(), 0u);
  EXPECT_TRUE(index_range(5, 3).empty());
}

TEST(index_range, of_unsigned_numbers_does_not_begin_below_zero) {
  EXPECT_THROW(index_range<unsigned>(-3, 5), std::invalid_argument);
  EXPECT_THROW(index_range<unsigned>(-3, 5L), std::invalid_argument);
  EXPECT_TRUE(index_range<unsigned>(-3, -3).empty());
  EXPECT_EQ(index_range<unsigned>(0, 5).size(), 5u);
  EXPECT_EQ(index_range<std::size_t>(2, 5u).size(), 3u);
}

TEST(index_range, holds_both_of_its_ends) {
  EXPECT_THROW(index_range<int>(0, 5'000'000'000L), std::invalid_argument);
  EXPECT_THROW(index_range<int>(-5'000'000'000L, 0), std::invalid_argument);
  EXPECT_THROW(index_range<int>(0, 3'000'000'000u), std::invalid_argument);
  EXPECT_EQ(index_range<int>(-3L, 4u).size(), 7u);
}

TEST(blocked_range, may_have_more_points_than_an_int_can_count) {
  const blocked_range box(index_range(0, 2'000'000'000), index_range(0, 4));
  EXPECT_EQ(box.size(), 8'000'000'000u);
}

TEST_P(blocked_for_on, rethrows) {
  repeatedly([](draw&) {
    EXPECT_THROW(parallel_for(blocked_range(index_range(0, 30), index_range(0, 30)),
                              [](int i, int j) {
                                if (i * j == 100) throw std::runtime_error("here");
                              }),
                 std::runtime_error);
  });
}

}  // namespace
}  // namespace filch::algo
