// Results that go from node to node.
#include <filch/graph.hpp>
#include <filch/graph/graph_on_test.hpp>

#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace filch::inline v0_2 {
namespace {

class graph_values : public graph_on {};
INSTANTIATE_TEST_SUITE_P(workers, graph_values, widths_of_graphs);

/// Counts how often it was copied.
struct counted {
  int copies = 0;
  counted() = default;
  counted(const counted& other) : copies{other.copies + 1} {}
  counted(counted&&) = default;
  counted& operator=(const counted&) = default;
  counted& operator=(counted&&) = default;
};

/// Its moves throw, from a certain one on.
struct throws_when_moved {
  static inline int moves_left = 0;
  throws_when_moved() = default;
  throws_when_moved(const throws_when_moved&) = default;
  throws_when_moved(throws_when_moved&&) {
    if (moves_left-- == 0) throw std::runtime_error("no move");
  }
};

TEST_P(graph_values, a_result_is_moved_to_its_only_reader) {
  task_graph g;
  const auto made = g.emplace([] { return std::make_unique<int>(7); });
  const auto taken = g.emplace([](std::unique_ptr<int> mine) { return *mine + 1; }, made);
  g.run(with(pool));
  EXPECT_EQ(taken.get(), 8);
  EXPECT_THROW(made.get(), std::logic_error);
  g.run(with(pool));
  EXPECT_EQ(taken.get(), 8);
}

TEST_P(graph_values, no_result_is_copied_on_its_way) {
  task_graph g;
  const auto made = g.emplace([] { return counted{}; });
  const auto passed = g.emplace([](counted mine) { return mine; }, made);
  const auto seen = g.emplace([](const counted& its) { return its.copies; }, passed);
  const auto seen_too = g.emplace([](const counted& its) { return its.copies; }, passed);
  g.run(with(pool));
  EXPECT_EQ(seen.get() + seen_too.get(), 0);
}

TEST_P(graph_values, a_result_with_two_readers_is_looked_at) {
  task_graph g;
  const auto made = g.emplace([] { return std::string(100, 'a'); });
  const auto one = g.emplace([](const std::string& s) { return &s; }, made);
  const auto other = g.emplace([](const std::string& s) { return &s; }, made);
  g.run(with(pool));
  EXPECT_EQ(one.get(), &made.get());
  EXPECT_EQ(other.get(), &made.get());
}

// A function that takes its argument by value gets a copy if another node reads the original.
TEST_P(graph_values, a_result_with_two_readers_is_copied_for_one_that_takes_it) {
  task_graph g;
  const auto made = g.emplace([] { return std::string(100, 'a'); });
  const auto taken = g.emplace([](std::string s) { return s += 'b'; }, made);
  const auto seen = g.emplace([](const std::string& s) { return s.size(); }, made);
  g.run(with(pool));
  EXPECT_EQ(taken.get().size(), 101u);
  EXPECT_EQ(seen.get(), 100u);
  EXPECT_EQ(made.get().size(), 100u);
}

TEST_P(graph_values, two_nodes_that_must_take_a_result_are_refused_by_name) {
  task_graph g;
  const auto made = g.emplace("made", [] { return std::make_unique<int>(7); });
  g.emplace(
      "first", [](std::unique_ptr<int>) {}, made);
  g.emplace(
      "second", [](const std::unique_ptr<int>&) {}, made);
  EXPECT_EQ(error_of<std::logic_error>([&] { g.run(with(pool)); }),
            "filch: the node first takes the result of made as its own, but another node reads it, "
            "too. Let its function take it by const reference.");
}

TEST_P(graph_values, a_node_that_names_an_input_twice_gets_it_twice) {
  task_graph g;
  const auto made = g.emplace([] { return 3; });
  const auto sum = g.emplace([](int a, int b) { return a * b; }, made, made);
  g.run(with(pool));
  EXPECT_EQ(sum.get(), 9);
  EXPECT_EQ(made.get(), 3);
}

TEST_P(graph_values, inputs_without_a_result_only_come_before) {
  task_graph g;
  bool came = false;
  const auto first = g.emplace([&] { came = true; });
  const auto value = g.emplace([] { return 2; });
  const auto last = g.emplace([&](int v) { return came ? v : 0; }, first, value);
  g.run(with(pool));
  EXPECT_EQ(last.get(), 2);
}

TEST_P(graph_values, an_input_is_set_before_a_run) {
  task_graph g;
  const auto frame = g.input<int>("frame");
  const auto doubled = g.emplace([](int v) { return 2 * v; }, frame);
  EXPECT_NE(error_of<std::logic_error>([&] { g.run(with(pool)); }).find("the input frame"),
            std::string::npos);
  for (int i = 0; i < 3; ++i) {
    frame.set(i);
    EXPECT_EQ(frame.get(), i);
    g.run(with(pool));
    EXPECT_EQ(doubled.get(), 2 * i);
  }
  g.run(with(pool));
  EXPECT_EQ(doubled.get(), 4) << "an input keeps its value";
}

// A run again would find nothing in it.
TEST_P(graph_values, an_input_is_never_taken) {
  task_graph g;
  const auto frame = g.input<std::unique_ptr<int>>("frame");
  g.emplace(
      "taker", [](std::unique_ptr<int>) {}, frame);
  frame.set(std::make_unique<int>(1));
  EXPECT_NE(error_of<std::logic_error>([&] { g.run(with(pool)); }).find("the node taker takes"),
            std::string::npos);
}

TEST_P(graph_values, an_optional_input_is_null_if_it_was_skipped) {
  task_graph g;
  bool chosen = false;
  const auto way = g.branch("way", [&] { return chosen; });
  const auto one = g.emplace([] { return 5; });
  way.choose(true, one);
  const auto always = g.emplace([] { return 1; });
  const auto sum =
      g.emplace([](const int* maybe, int sure) { return maybe ? *maybe + sure : -sure; },
                one.optional(), always);
  g.run(with(pool));
  EXPECT_EQ(sum.get(), -1);
  chosen = true;
  g.run(with(pool));
  EXPECT_EQ(sum.get(), 6);
  chosen = false;
  g.run(with(pool));
  EXPECT_EQ(sum.get(), -1);
}

TEST_P(graph_values, a_move_that_throws_fails_its_node) {
  task_graph g;
  const auto made = g.emplace("made", [] { return throws_when_moved{}; });
  const auto taken = g.emplace(
      "taken", [](throws_when_moved mine) { return mine; }, made);
  for (int moves = 0; moves < 2; ++moves) {
    throws_when_moved::moves_left = moves;
    EXPECT_THROW(g.run(with(pool)), std::runtime_error);
    EXPECT_EQ(made.outcome(), moves == 0 ? node_outcome::failed : node_outcome::ran);
    EXPECT_EQ(taken.outcome(), moves == 0 ? node_outcome::cancelled : node_outcome::failed);
    EXPECT_THROW(taken.get(), std::logic_error);
  }
  throws_when_moved::moves_left = 1000;
  g.run(with(pool));
  EXPECT_EQ(taken.outcome(), node_outcome::ran);
}

TEST_P(graph_values, what_a_node_returned_in_an_earlier_run_is_not_its_result_if_it_fails) {
  task_graph g;
  bool fails = false;
  const auto later = g.emplace("later", [&]() -> task<int> {
    if (fails) throw std::runtime_error("as the test wants");
    co_return 3;
  });
  const auto inside = g.emplace("inside", [&](subgraph& s) {
    s.emplace([&] {
      if (fails) throw std::runtime_error("as the test wants");
    });
    return 4;
  });
  g.run(with(pool));
  EXPECT_EQ(later.get(), 3);
  EXPECT_EQ(inside.get(), 4);
  fails = true;
  EXPECT_THROW(g.run(with(pool)), std::runtime_error);
  EXPECT_THROW(later.get(), std::logic_error);
  EXPECT_THROW(inside.get(), std::logic_error);
}

TEST(graph_values, a_result_that_is_not_there_says_why) {
  task_graph g;
  const auto node = g.emplace("node", [] { return 1; });
  EXPECT_EQ(error_of<std::logic_error>([&] { node.get(); }),
            "filch: there is no result of the node node: its graph has not run since it was "
            "changed.");
}

TEST(graph_values, nodes_of_two_graphs_are_kept_apart) {
  task_graph g, other;
  const auto here = g.emplace("here", [] { return 1; });
  const auto there = other.emplace("there", [] { return 1; });
  EXPECT_THROW(here.precede(there), std::logic_error);
  EXPECT_THROW(g.emplace([](int) {}, there), std::logic_error);
  g.run();
  other.run();
}

}  // namespace
}  // namespace filch
