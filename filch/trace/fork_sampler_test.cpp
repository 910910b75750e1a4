#include <filch/trace/fork_sampler.hpp>

#include <gtest/gtest.h>

namespace {

class fork_sampler : public testing::Test {
 protected:
  using sut = filch::trace::fork_sampler;
  static constexpr std::uint64_t interval = 1000;
  fork_sampler() { forks.begin(interval); }

  std::uint32_t count_all() {
    std::uint32_t counted = 1;
    while (!forks.count()) ++counted;
    return counted;
  }
  sut forks;
};

TEST_F(fork_sampler, the_first_join_begins_a_sample) {
  EXPECT_FALSE(forks.counts());
  EXPECT_TRUE(forks.waits());
  EXPECT_TRUE(forks.is_due(0));
}

TEST_F(fork_sampler, a_sample_ends_after_so_many_joins_and_the_next_is_due_later) {
  forks.start(500);
  EXPECT_TRUE(forks.counts());
  EXPECT_EQ(count_all(), sut::a_sample);
  EXPECT_FALSE(forks.counts());
  EXPECT_EQ(forks.take(), sut::a_sample);
  EXPECT_EQ(forks.take(), 0u) << "each is told once";
  EXPECT_FALSE(forks.is_due(500 + interval - 1));
  EXPECT_TRUE(forks.is_due(500 + interval));
}

TEST_F(fork_sampler, where_a_tree_is_climbed_the_next_joins_pause) {
  EXPECT_EQ(forks.next_depth(20), 21u);
  EXPECT_EQ(forks.next_depth(7), 8u);
  EXPECT_EQ(forks.next_depth(0), 1u);
}

TEST_F(fork_sampler, a_loop_of_joins_at_one_depth_does_not_pause_for_long) {
  std::uint32_t depth = 20, pauses = 0;
  while (forks.next_depth(depth) > depth) ++pauses;
  EXPECT_EQ(pauses, sut::most_looks);
  EXPECT_EQ(forks.next_depth(20), 15u);
  for (depth = 250'000; depth != 0; depth = forks.next_depth(depth)) ++pauses;
  EXPECT_LE(pauses, 2 * sut::most_looks);
}

}  // namespace
