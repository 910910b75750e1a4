#include <bench/task_graph/problem.hpp>
#include <gtest/gtest.h>

namespace {

using namespace bench::task_graph;

std::vector<std::uint32_t> sources(const shape& of, std::uint32_t node) {
  return {of.begin(node), of.end(node)};
}

TEST(task_graph, shapes_have_the_edges_that_their_names_promise) {
  EXPECT_EQ(sources(chain(5), 4), std::vector<std::uint32_t>{3});
  EXPECT_EQ(sources(tree(7), 6), std::vector<std::uint32_t>{2});
  EXPECT_EQ(sources(wavefront(9), 4), (std::vector<std::uint32_t>{1, 3}));
  EXPECT_EQ(sources(wavefront(9), 6), std::vector<std::uint32_t>{3});
  EXPECT_EQ(chain(100).edges(), 99u);
  EXPECT_EQ(tree(100).edges(), 99u);
  EXPECT_EQ(wavefront(100).edges(), 180u);
  EXPECT_EQ(random(1000).edges(), 4 * 1000u - 10);
}

TEST(task_graph, a_random_node_comes_after_four_different_earlier_ones) {
  const shape made = random(1000);
  for (std::uint32_t i = 4; i != made.nodes(); ++i) {
    std::vector<std::uint32_t> earlier = sources(made, i);
    std::ranges::sort(earlier);
    EXPECT_EQ(std::ranges::adjacent_find(earlier), earlier.end());
    EXPECT_LT(earlier.back(), i);
  }
}

TEST(task_graph, what_makes_no_sense_has_no_nodes) {
  EXPECT_EQ(asked_for("chain", 10).of.nodes(), 10u);
  EXPECT_TRUE(asked_for("tree-counting", 10).is_counting);
  EXPECT_EQ(asked_for("chain", 0).of.nodes(), 0u);
  EXPECT_EQ(asked_for("wavefront", 10).of.nodes(), 0u);
  EXPECT_EQ(asked_for("star", 10).of.nodes(), 0u);
}

TEST(task_graph, a_node_that_ran_twice_or_not_at_all_is_noticed) {
  EXPECT_EQ(check({2, 2}, 2), "");
  EXPECT_EQ(check({2, 3}, 2), "node 1 ran 3 times in 2 runs");
  tally::add();
  EXPECT_EQ(check(chain(2), tally::take()), "1 nodes ran, of 2");
  EXPECT_EQ(tally::take(), 0u);
}

}  // namespace
