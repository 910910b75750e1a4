// Loops: a branch that chooses a node before it.
#include <filch/graph/graph_on_test.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace filch::inline v0_2 {
namespace {

class graph_loops : public graph_on {};
INSTANTIATE_TEST_SUITE_P(workers, graph_loops, widths_of_graphs);

TEST_P(graph_loops, a_loop_is_repeated_until_its_branch_goes_on) {
  task_graph g;
  int turns = 0, ran = 0, after = 0;
  const auto begin = g.emplace([&] { turns = 0; });
  const auto body = g.emplace([&] { ++ran; });
  const auto more = g.branch(
      "more", [&] { return ++turns < 10; }, body);
  const auto end = g.emplace([&] { after = turns; });
  begin.precede(body);
  more.choose(true, body).choose(false, end);
  for (int run = 1; run <= 3; ++run) {
    g.run(with(pool));
    EXPECT_EQ(ran, 10 * run);
    EXPECT_EQ(after, 10);
  }
}

// Nodes of one turn run side by side, and the next turn begins after all of them.
TEST_P(graph_loops, all_of_a_turn_ends_before_the_next_one) {
  task_graph g;
  std::atomic<int> in_turn{0};
  int turns = 0;
  bool whole = true;
  const auto begin = g.emplace([] {});
  const auto first = g.emplace([] {});
  begin.precede(first);
  const auto last = g.branch("last", [&] {
    whole &= in_turn.exchange(0) == 20;
    return ++turns < 50;
  });
  for (int i = 0; i < 20; ++i) {
    const auto node = g.emplace([&] { ++in_turn; });
    first.precede(node);
    node.precede(last);
  }
  last.choose(true, first);
  g.run(with(pool));
  EXPECT_TRUE(whole);
  EXPECT_EQ(turns, 50);
}

TEST_P(graph_loops, loops_nest) {
  task_graph g;
  int outer = 0, inner = 0, ran = 0;
  const auto begin = g.emplace([&] { outer = 0; });
  const auto outer_head = g.emplace([&] { inner = 0; });
  const auto inner_head = g.emplace([&] { ++ran; });
  const auto inner_tail = g.branch(
      "inner", [&] { return ++inner < 5; }, inner_head);
  const auto outer_tail = g.branch(
      "outer", [&] { return ++outer < 4; }, inner_tail);
  const auto end = g.emplace([] {});
  begin.precede(outer_head);
  outer_head.precede(inner_head);
  inner_tail.choose(true, inner_head);
  outer_tail.choose(true, outer_head);
  end.succeed(outer_tail);
  for (int run = 1; run <= 3; ++run) {
    g.run(with(pool));
    EXPECT_EQ(ran, 20 * run);
    EXPECT_EQ(end.outcome(), node_outcome::ran);
  }
}

TEST_P(graph_loops, a_branch_inside_chooses_anew_in_each_turn) {
  task_graph g;
  int turn = 0, even = 0, odd = 0;
  const auto begin = g.emplace([&] { turn = even = odd = 0; });
  const auto head = g.emplace([] {});
  const auto fork = g.branch(
      "parity", [&] { return turn % 2; }, head);
  const auto on_even = g.emplace([&] { ++even; }), on_odd = g.emplace([&] { ++odd; });
  const auto tail = g.branch("more", [&] { return ++turn < 11; });
  begin.precede(head);
  fork.choose(0, on_even).choose(1, on_odd);
  tail.succeed(on_even, on_odd);
  tail.choose(true, head);
  for (int run = 0; run < 2; ++run) {
    g.run(with(pool));
    EXPECT_EQ(even, 6);
    EXPECT_EQ(odd, 5);
  }
}

TEST_P(graph_loops, two_values_go_back_to_two_nodes) {
  std::string way;
  int turn = 0;
  task_graph h;
  const auto start = h.emplace([&] { turn = 0, way.clear(); });
  const auto first = h.emplace([&] { way += 'a'; });
  const auto second = h.emplace([&] { way += 'b'; }, first);
  const auto choice = h.branch(
      "choice", [&] { return way += 'c', ++turn; }, second);
  start.precede(first);
  choice.choose(1, first).choose(2, second);
  EXPECT_NO_THROW(h.run(with(pool)));
  EXPECT_EQ(way, "abcabcbc");
}

TEST_P(graph_loops, values_go_round_and_outer_values_stay) {
  task_graph g;
  std::vector<int> seen;
  const auto outer = g.emplace([] { return std::string("outer"); });
  const auto head = g.emplace([](std::string s) { return s.size(); }, outer);
  const auto boxed =
      g.emplace([](std::size_t n) { return std::make_unique<int>(static_cast<int>(n)); }, head);
  const auto more = g.branch(
      "more",
      [&](std::unique_ptr<int> mine) {
        seen.push_back(*mine);
        return seen.size() < 4;
      },
      boxed);
  more.choose(true, head);
  g.run(with(pool));
  EXPECT_EQ(seen, (std::vector{5, 5, 5, 5}));
  EXPECT_EQ(outer.get(), "outer") << "read in each turn, so it is not taken";
}

TEST_P(graph_loops, a_head_that_must_take_an_outer_value_is_refused) {
  task_graph g;
  const auto outer = g.emplace("outer", [] { return std::make_unique<int>(1); });
  const auto head = g.emplace(
      "head", [](std::unique_ptr<int>) {}, outer);
  const auto more = g.branch(
      "more", [] { return false; }, head);
  more.choose(true, head);
  EXPECT_TRUE(contains(error_of<std::logic_error>([&] { g.run(with(pool)); }),
                       "the node head takes the result of outer in each turn of a loop"));
}

TEST_P(graph_loops, a_cycle_without_a_branch_is_refused_with_the_names_along_it) {
  task_graph g;
  const auto first = g.emplace("first", [] {}), a = g.emplace("a", [] {}),
             b = g.emplace("b", [] {}), c = g.emplace("c", [] {}), last = g.emplace("last", [] {});
  first.precede(a);
  a.precede(b);
  b.precede(c);
  c.precede(a, last);
  const std::string text = error_of<std::logic_error>([&] { g.run(with(pool)); });
  EXPECT_TRUE(contains(text, "in a circle: a, then b, then c, then a.")) << text;
  task_graph itself;
  const auto only = itself.emplace("only", [] {});
  only.precede(only);
  EXPECT_TRUE(contains(error_of<std::logic_error>([&] { itself.run(with(pool)); }),
                       "in a circle: only, then only."));
}

TEST_P(graph_loops, a_loop_without_a_node_before_it_is_refused) {
  task_graph g;
  const auto head = g.emplace("head", [] {});
  const auto more = g.branch(
      "more", [] { return false; }, head);
  more.choose(true, head);
  const std::string text = error_of<std::logic_error>([&] { g.run(with(pool)); });
  EXPECT_TRUE(contains(text, "head, then more, then head")) << text;
  EXPECT_TRUE(contains(text, "let another node precede that")) << text;
}

TEST_P(graph_loops, a_loop_that_a_node_leaves_or_enters_aside_is_refused_by_name) {
  for (const bool leaves : {true, false}) {
    task_graph g;
    const auto begin = g.emplace("begin", [] {});
    const auto head = g.emplace("head", [] {}), body = g.emplace("body", [] {});
    const auto aside = g.emplace("aside", [] {});
    const auto more = g.branch(
        "more", [] { return false; }, body);
    begin.precede(head);
    head.precede(body);
    more.choose(true, head);
    leaves ? body.precede(aside) : aside.precede(body);
    const std::string text = error_of<std::logic_error>([&] { g.run(with(pool)); });
    EXPECT_TRUE(contains(text, "the loop of the branch more cannot be repeated")) << text;
    EXPECT_TRUE(contains(text, leaves ? "aside depends on a node of the loop"
                                      : "body lies in the loop and waits for a node before it"))
        << text;
  }
}

// The node that is chosen after the loop was added before it.
TEST_P(graph_loops, a_way_that_a_later_branch_chooses_is_no_loop) {
  task_graph g;
  int turns = 0;
  const auto chosen = g.emplace("chosen", [] {});
  const auto begin = g.emplace("begin", [&] { turns = 0; });
  const auto head = g.emplace("head", [] {});
  const auto more = g.branch(
      "more", [&] { return ++turns < 3; }, head);
  const auto later = g.branch("later", [] { return 0; });
  begin.precede(head, chosen);
  more.precede(later);
  more.choose(true, head);
  later.choose(0, chosen);
  g.run(with(pool));
  EXPECT_EQ(turns, 3);
  EXPECT_EQ(chosen.outcome(), node_outcome::ran);
}

TEST_P(graph_loops, a_failure_or_a_stop_ends_a_loop) {
  task_graph g;
  int turns = 0;
  std::stop_source source;
  bool fails = true;
  const auto begin = g.emplace([&] { turns = 0; });
  const auto head = g.emplace([&] {
    if (++turns < 5) return;
    if (fails) throw std::runtime_error("as the test wants");
    source.request_stop();
  });
  const auto more = g.branch(
      "more", [] { return true; }, head);
  begin.precede(head);
  more.choose(true, head);
  EXPECT_THROW(g.run(with(pool)), std::runtime_error);
  EXPECT_EQ(turns, 5);
  fails = false;
  EXPECT_THROW(g.run(with(pool, source.get_token())), stopped);
  EXPECT_EQ(turns, 5);
}

// A head that has a limit takes and returns it in each turn.
TEST_P(graph_loops, a_head_with_a_limit_waits_for_it_in_each_turn) {
  task_graph g;
  graph_limit one{1};
  int turns = 0;
  unsigned most = 0;
  const auto begin = g.emplace([&] { turns = 0; });
  const auto head = g.emplace([&] { most = std::max(most, one.in_use()); });
  const auto more = g.branch(
      "more", [&] { return ++turns < 100; }, head);
  head.limited_by(one);
  begin.precede(head);
  more.choose(true, head);
  g.run(with(pool));
  EXPECT_EQ(most, 1u);
  EXPECT_EQ(one.in_use(), 0u);
}

TEST_P(graph_loops, a_head_of_another_pool_runs_there_in_each_turn) {
  thread_pool other{{.workers = 1}};
  task_graph g;
  int turns = 0, there = 0, here = 0;
  const auto begin = g.emplace([] {});
  const auto head = g.emplace([&] { there += other.is_current(); });
  const auto more = g.branch(
      "more", [&] { return here += pool.is_current(), ++turns < 50; }, head);
  head.on(other);
  begin.precede(head);
  more.choose(true, head);
  g.run(with(pool));
  EXPECT_EQ(there, 50);
  EXPECT_EQ(here, 50);
}

TEST_P(graph_loops, a_loop_may_contain_subgraphs_and_coroutines) {
  task_graph g;
  int turns = 0;
  std::atomic<int> ran{0};
  const auto begin = g.emplace([] {});
  const auto head = g.emplace([&](subgraph& s) {
    for (int i = 0; i < 5; ++i) s.emplace([&] { ++ran; });
  });
  const auto coroutine = g.emplace([&]() -> task<> {
    co_await co::yield();
    ++ran;
  });
  head.precede(coroutine);
  const auto more = g.branch(
      "more", [&] { return ++turns < 20; }, coroutine);
  begin.precede(head);
  more.choose(true, head);
  g.run(with(pool));
  EXPECT_EQ(ran, 20 * 6);
}

TEST_P(graph_loops, a_subgraph_may_contain_a_loop) {
  task_graph g;
  int ran = 0;
  g.emplace([&](subgraph& s) {
    const auto begin = s.emplace([] {});
    const auto head = s.emplace([&] { ++ran; });
    const auto more = s.branch(
        "more", [&] { return ran % 10 != 0; }, head);
    begin.precede(head);
    more.choose(true, head);
  });
  g.run_n(0);
  for (int i = 1; i <= 3; ++i) {
    g.run(with(pool));
    EXPECT_EQ(ran, 10 * i);
  }
}

TEST_P(graph_loops, a_hundred_thousand_turns_need_no_stack) {
  task_graph g;
  int turns = 0;
  const auto begin = g.emplace([] {});
  const auto head = g.emplace([] {});
  const auto more = g.branch(
      "more", [&] { return ++turns < 100'000; }, head);
  begin.precede(head);
  more.choose(true, head);
  g.run(with(pool));
  EXPECT_EQ(turns, 100'000);
}

}  // namespace
}  // namespace filch
