// Branches, and the nodes that they skip.
#include <filch/graph/graph_on_test.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <vector>

namespace filch::inline v0_2 {
namespace {

class graph_branches : public graph_on {};
INSTANTIATE_TEST_SUITE_P(workers, graph_branches, widths_of_graphs);

enum class way { left, middle, right };

TEST_P(graph_branches, an_enumerator_chooses_one_of_three) {
  task_graph g;
  way chosen = way::left;
  const auto fork = g.branch("fork", [&] { return chosen; });
  const auto left = g.emplace([] {}), middle = g.emplace([] {}), right = g.emplace([] {});
  fork.choose(way::left, left).choose(way::middle, middle).choose(way::right, right);
  for (const way each : {way::left, way::middle, way::right, way::left}) {
    chosen = each;
    g.run(with(pool));
    const auto expected = [&](way its) {
      return its == each ? node_outcome::ran : node_outcome::skipped;
    };
    EXPECT_EQ(left.outcome(), expected(way::left));
    EXPECT_EQ(middle.outcome(), expected(way::middle));
    EXPECT_EQ(right.outcome(), expected(way::right));
  }
}

TEST_P(graph_branches, two_values_may_choose_one_node_and_one_value_two) {
  task_graph g;
  int chosen = 0;
  const auto fork = g.branch("fork", [&] { return chosen; });
  const auto one = g.emplace([] {}), other = g.emplace([] {});
  fork.choose(0, one).choose(1, one).choose(1, other).choose(-1, other);
  const auto both = [&](int value) {
    chosen = value;
    g.run(with(pool));
    return std::pair{one.outcome() == node_outcome::ran, other.outcome() == node_outcome::ran};
  };
  EXPECT_EQ(both(0), (std::pair{true, false}));
  EXPECT_EQ(both(1), (std::pair{true, true}));
  EXPECT_EQ(both(-1), (std::pair{false, true}));
}

TEST_P(graph_branches, a_value_that_chooses_nothing_skips_all) {
  task_graph g;
  const auto fork = g.branch("fork", [] { return 17u; });
  const auto one = g.emplace([] { return 1; });
  const auto after = g.emplace([] {});
  fork.choose(0u, one);
  fork.precede(after);
  g.run(with(pool));
  EXPECT_EQ(one.outcome(), node_outcome::skipped);
  EXPECT_EQ(after.outcome(), node_outcome::ran);
  EXPECT_TRUE(contains(error_of<std::logic_error>([&] { one.get(); }), "it was skipped"));
}

TEST_P(graph_branches, a_chain_after_a_skipped_node_is_skipped) {
  task_graph g;
  bool chosen = false;
  int ran = 0;
  const auto fork = g.branch("fork", [&] { return chosen; });
  auto before = g.emplace([&] { ++ran; });
  fork.choose(true, before);
  for (int i = 0; i < 100; ++i) {
    const auto next = g.emplace([&] { ++ran; });
    before.precede(next);
    before = next;
  }
  g.run(with(pool));
  EXPECT_EQ(ran, 0);
  EXPECT_EQ(before.outcome(), node_outcome::skipped);
  chosen = true;
  g.run(with(pool));
  EXPECT_EQ(ran, 101);
}

TEST_P(graph_branches, the_ways_of_a_diamond_meet_again) {
  task_graph g;
  bool chosen = false;
  const auto fork = g.branch("fork", [&] { return chosen; });
  const auto yes = g.emplace([] { return 1; });
  const auto no = g.emplace([] { return 2; });
  fork.choose(true, yes).choose(false, no);
  const auto join =
      g.emplace([](const int* a, const int* b) { return (a ? *a : 0) + (b ? *b : 0); },
                yes.optional(), no.optional());
  const auto by_order = g.emplace([] {});
  by_order.succeed(yes, no);
  for (const bool each : {false, true, false}) {
    chosen = each;
    g.run(with(pool));
    EXPECT_EQ(join.get(), each ? 1 : 2);
    EXPECT_EQ(by_order.outcome(), node_outcome::ran);
  }
}

TEST_P(graph_branches, a_value_that_was_skipped_skips_its_reader_and_an_order_does_not) {
  task_graph g;
  const auto fork = g.branch("fork", [] { return false; });
  const auto skipped = g.emplace([] { return 1; });
  fork.choose(true, skipped);
  const auto other = g.emplace([] { return 1; });
  const auto reader = g.emplace([](int, int) {}, skipped, other);
  const auto later = g.emplace([](int) {}, other);
  later.succeed(skipped);
  const auto only_later = g.emplace([] {});
  only_later.succeed(skipped, reader);
  g.run(with(pool));
  EXPECT_EQ(reader.outcome(), node_outcome::skipped);
  EXPECT_EQ(later.outcome(), node_outcome::ran);
  EXPECT_EQ(only_later.outcome(), node_outcome::skipped);
}

TEST_P(graph_branches, a_skipped_branch_chooses_nothing) {
  task_graph g;
  bool first = true;
  const auto outer = g.branch("outer", [&] { return first; });
  const auto inner = g.branch("inner", [] { return true; });
  outer.choose(true, inner);
  const auto node = g.emplace([] {});
  inner.choose(true, node);
  g.run(with(pool));
  EXPECT_EQ(node.outcome(), node_outcome::ran);
  first = false;
  g.run(with(pool));
  EXPECT_EQ(inner.outcome(), node_outcome::skipped);
  EXPECT_EQ(node.outcome(), node_outcome::skipped) << "what it chose before counts no more";
}

TEST_P(graph_branches, a_branch_is_called_with_results) {
  task_graph g;
  const auto number = g.input<int>("number");
  const auto fork = g.branch(
      "even", [](int n) { return n % 2 == 0; }, number);
  const auto even = g.emplace([] {}), odd = g.emplace([] {});
  fork.choose(true, even).choose(false, odd);
  for (int i = 0; i < 4; ++i) {
    number.set(i);
    g.run(with(pool));
    EXPECT_EQ(even.outcome() == node_outcome::ran, i % 2 == 0);
    EXPECT_EQ(odd.outcome() == node_outcome::ran, i % 2 != 0);
  }
}

TEST_P(graph_branches, a_branch_that_fails_cancels_its_ways) {
  task_graph g;
  bool fails = false;
  const auto fork = g.branch("fork", [&] {
    if (fails) throw std::runtime_error("as the test wants");
    return true;
  });
  const auto node = g.emplace([] {});
  fork.choose(true, node);
  g.run(with(pool));
  fails = true;
  EXPECT_THROW(g.run(with(pool)), std::runtime_error);
  EXPECT_EQ(fork.outcome(), node_outcome::failed);
  EXPECT_EQ(node.outcome(), node_outcome::cancelled);
}

// Many ways at once: each node runs if and only if its value was chosen.
TEST_P(graph_branches, one_of_a_thousand_ways_is_taken) {
  task_graph g;
  unsigned chosen = 0;
  const auto fork = g.branch("fork", [&] { return chosen; });
  std::vector<graph_node<unsigned>> ways;
  for (unsigned i = 0; i < 1000; ++i) {
    ways.push_back(g.emplace([i] { return i; }));
    fork.choose(i, ways.back());
  }
  for (const unsigned each : {0u, 999u, 500u}) {
    chosen = each;
    g.run(with(pool));
    for (unsigned i = 0; i < 1000; ++i)
      ASSERT_EQ(ways[i].outcome() == node_outcome::ran, i == each) << i;
  }
}

}  // namespace
}  // namespace filch
