// The usual forms of runs, with ranks in one process.
#include <filch/dist/by_key.hpp>
#include <filch/dist/divide_and_conquer.hpp>
#include <filch/dist/in_process_test.hpp>
#include <filch/dist/map_reduce.hpp>

#include <functional>
#include <numeric>
#include <set>
#include <string>

namespace filch::inline v0_2::dist {
namespace {

const monoid sum{std::uint64_t{0}, std::plus<>{}};

TEST(map_reduce, maps_each_index_once_for_any_count) {
  for (const std::uint64_t count : {0u, 1u, 2u, 3u, 10u, 10'001u}) {
    on_ranks(3, 2, [&](communicator& ranks) {
      const auto square = [](std::uint64_t at) { return at * at; };
      std::uint64_t expected = 0;
      for (std::uint64_t at = 0; at < count; ++at) expected += at * at;
      EXPECT_EQ(map_reduce(ranks, count, square, sum), expected);
    });
  }
}

TEST(map_reduce, evens_out_a_part_that_takes_longer) {
  on_ranks(2, 1, [&](communicator& ranks) {
    const auto slow_at_first = [](std::uint64_t at) {
      const std::uint64_t until = base::now_ns() + (at < 1000 ? 20'000u : 0u);
      while (base::now_ns() < until) {
      }
      return std::uint64_t{1};
    };
    EXPECT_EQ(map_reduce(ranks, 2000, slow_at_first, sum), 2000u);
    const auto reports = ranks.reports();
    EXPECT_GT(reports[1].tasks, 1000u) << "rank 1 stole none of the slow ones";
  });
}

TEST(by_key, gives_results_in_the_order_of_keys) {
  on_ranks(3, 2, [&](communicator& ranks) {
    using texts = by_key<std::uint64_t, std::string>;
    const auto text = [](std::uint64_t at) {
      texts one;
      one.add(999 - at, std::to_string(at));
      return one;
    };
    auto sorted = map_reduce(ranks, 1000, text, monoid{texts{}, texts::meet}).sorted();
    ASSERT_EQ(sorted.size(), 1000u);
    for (std::uint64_t at = 0; at < 1000; ++at) {
      EXPECT_EQ(sorted[at].first, at);
      EXPECT_EQ(sorted[at].second, std::to_string(999 - at));
    }
  });
}

TEST(divide_and_conquer, solves_each_leaf_once) {
  on_ranks(3, 2, [&](communicator& ranks) {
    using range = std::pair<std::uint64_t, std::uint64_t>;
    const auto is_leaf = [](const range& at) { return at.second - at.first <= 3; };
    const auto halves = [](const range& at) {
      const std::uint64_t middle = std::midpoint(at.first, at.second);
      return std::vector<range>{{at.first, middle}, {middle, at.second}};
    };
    const auto solve = [](const range& at) {
      std::uint64_t found = 0;
      for (std::uint64_t each = at.first; each < at.second; ++each) found += each;
      return found;
    };
    EXPECT_EQ(divide_and_conquer(ranks, range{0, 5000}, is_leaf, halves, solve, sum),
              5000u * 4999 / 2);
  });
}

/// A bag of a user's own: tickets that are only counted.
class tickets {
 public:
  tickets() = default;
  explicit tickets(std::uint64_t count) : count_{count} {}
  std::size_t process(std::size_t most, std::uint64_t& result) {
    const std::uint64_t done = std::min<std::uint64_t>(most, count_);
    count_ -= done;
    result += done;
    return done;
  }
  std::optional<tickets> split() {
    if (count_ < 2) return std::nullopt;
    const std::uint64_t share = count_ / 2;
    count_ -= share;
    return tickets{share};
  }
  void merge(tickets&& other) { count_ += std::exchange(other.count_, 0); }
  std::size_t size() const { return count_; }
  template <class A>
  void serialize(A& archive) {
    archive& count_;
  }

 private:
  std::uint64_t count_ = 0;
};

TEST(run, takes_bags_of_users_which_begin_on_every_rank) {
  on_ranks(4, 1, [](communicator& ranks) {
    const auto mine = static_cast<std::uint64_t>(ranks.rank()) * 1'000'001;
    EXPECT_EQ(run(ranks, tickets{mine}, sum, {}), 6 * 1'000'001u);
  });
}

}  // namespace
}  // namespace filch::dist
