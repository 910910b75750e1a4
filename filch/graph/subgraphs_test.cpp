// Graphs inside nodes: made while the node runs, or beforehand.
#include <filch/graph/graph_on_test.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>

namespace filch::inline v0_2 {
namespace {

class graph_subgraphs : public graph_on {};
INSTANTIATE_TEST_SUITE_P(workers, graph_subgraphs, widths_of_graphs);

TEST_P(graph_subgraphs, successors_wait_for_all_of_it) {
  task_graph g;
  std::atomic<int> ran{0};
  const auto inside = g.emplace("inside", [&](subgraph& s) {
    const auto first = s.emplace([&] { ++ran; });
    for (int i = 0; i < 50; ++i) first.precede(s.emplace([&] { ++ran; }));
    return 7;
  });
  const auto after = g.emplace([&](int given) { return given + ran; }, inside);
  for (int i = 1; i <= 3; ++i) {
    g.run(with(pool));
    EXPECT_EQ(after.get(), 7 + 51 * i);
    EXPECT_EQ(inside.outcome(), node_outcome::ran);
  }
}

TEST_P(graph_subgraphs, three_levels_nest) {
  task_graph g;
  std::atomic<int> leaves{0};
  const auto grow = [&](auto& self, subgraph& s, int depth) -> void {
    for (int i = 0; i < 4; ++i) {
      if (depth == 0) {
        s.emplace([&] { ++leaves; });
      } else {
        s.emplace([&self, depth](subgraph& below) { self(self, below, depth - 1); });
      }
    }
  };
  const auto top = g.emplace([&](subgraph& s) { grow(grow, s, 2); });
  const auto after = g.emplace([&] { return leaves.load(); }, top);
  for (int i = 1; i <= 3; ++i) {
    g.run(with(pool));
    EXPECT_EQ(after.get(), 64 * i);
  }
}

TEST_P(graph_subgraphs, an_empty_one_ends_at_once) {
  task_graph g, empty;
  const auto inside = g.emplace([](subgraph&) { return 1; });
  const auto other = g.emplace(empty);
  const auto after = g.emplace([](int v) { return v; }, inside, other);
  g.run(with(pool));
  EXPECT_EQ(after.get(), 1);
}

TEST_P(graph_subgraphs, what_fails_while_it_is_made_never_runs) {
  task_graph g;
  bool fails = true;
  int ran = 0;
  const auto inside = g.emplace([&](subgraph& s) {
    s.emplace([&] { ++ran; });
    if (fails) throw std::runtime_error("while it was made");
  });
  const auto after = g.emplace([] {});
  inside.precede(after);
  EXPECT_THROW(g.run(with(pool)), std::runtime_error);
  EXPECT_EQ(ran, 0);
  EXPECT_EQ(after.outcome(), node_outcome::cancelled);
  fails = false;
  g.run(with(pool));
  EXPECT_EQ(ran, 1);
}

TEST_P(graph_subgraphs, what_fails_inside_fails_the_node) {
  task_graph g;
  int depth = 2;
  const auto inside = g.emplace("inside", [&](subgraph& s) {
    s.emplace([&](subgraph& below) {
      const auto bad = below.emplace([&] {
        if (depth == 2) throw std::runtime_error("deep");
      });
      bad.precede(below.emplace([] {}));
    });
  });
  const auto after = g.emplace([] {});
  inside.precede(after);
  EXPECT_EQ(error_of<std::runtime_error>([&] { g.run(with(pool)); }), "deep");
  EXPECT_EQ(inside.outcome(), node_outcome::failed);
  EXPECT_EQ(after.outcome(), node_outcome::cancelled);
  depth = 0;
  g.run(with(pool));
  EXPECT_EQ(after.outcome(), node_outcome::ran);
}

TEST_P(graph_subgraphs, a_cycle_inside_fails_the_node) {
  task_graph g;
  g.emplace([](subgraph& s) {
    const auto a = s.emplace("a", [] {}), b = s.emplace("b", [] {});
    a.precede(b);
    b.precede(a);
  });
  EXPECT_TRUE(contains(error_of<std::logic_error>([&] { g.run(with(pool)); }), "a, then b"));
}

TEST_P(graph_subgraphs, ten_thousand_nodes_are_made_in_each_run) {
  task_graph g;
  std::atomic<int> ran{0};
  g.emplace([&](subgraph& s) {
    auto before = s.emplace([&] { ++ran; });
    for (int i = 1; i < 10'000; ++i) {
      const auto next = s.emplace([&] { ++ran; });
      if (i % 3 != 0) before.precede(next);
      before = next;
    }
  });
  for (int i = 1; i <= 3; ++i) {
    g.run(with(pool));
    EXPECT_EQ(ran, 10'000 * i);
  }
}

TEST_P(graph_subgraphs, a_stop_reaches_what_is_inside) {
  task_graph g;
  std::stop_source source;
  int ran = 0;
  const auto inside = g.emplace([&](subgraph& s) {
    const auto stops = s.emplace([&] { source.request_stop(); });
    stops.precede(s.emplace([&] { ++ran; }));
  });
  EXPECT_THROW(g.run(with(pool, source.get_token())), stopped);
  EXPECT_EQ(ran, 0);
  EXPECT_EQ(inside.outcome(), node_outcome::cancelled);
}

// -------------------------------------------------------------------------------------------------
// graphs as nodes
TEST_P(graph_subgraphs, a_graph_may_be_a_node_twice_in_sequence) {
  task_graph part, g;
  int ran = 0;
  part.emplace([&] { ++ran; });
  const auto first = g.emplace("first", part), second = g.emplace("second", part);
  const auto between = g.emplace([&] { return ran; }, first);
  between.precede(second);
  g.run(with(pool));
  EXPECT_EQ(between.get(), 1);
  EXPECT_EQ(ran, 2);
  part.run(with(pool));
  EXPECT_EQ(ran, 3);
}

TEST_P(graph_subgraphs, a_graph_that_runs_elsewhere_fails_the_node_and_runs_on) {
  task_graph part, g;
  std::atomic<bool> begun{false}, goes_on{false};
  std::atomic<int> ran{0};
  const auto waits = part.emplace([&] {
    begun = true;
    wait_for(goes_on);
  });
  waits.precede(part.emplace([&] { ++ran; }));
  const auto inside = g.emplace("inside", part);
  thread_pool elsewhere{{.workers = 1}};
  std::thread other{[&] { part.run(with(elsewhere)); }};
  wait_for(begun);
  EXPECT_TRUE(contains(error_of<std::logic_error>([&] { g.run(with(pool)); }), "that is running"));
  EXPECT_EQ(inside.outcome(), node_outcome::failed);
  goes_on = true;
  other.join();
  EXPECT_EQ(ran, 1);
  g.run(with(pool));
  EXPECT_EQ(ran, 2);
}

// The refused node and the end of the run that refuses it meet.
TEST_P(graph_subgraphs, a_graph_that_ends_elsewhere_at_that_moment_runs_or_is_refused) {
  task_graph part, g;
  std::atomic<int> ran{0};
  for (int i = 0; i < 5; ++i) part.emplace([&] { ++ran; });
  g.emplace("inside", part);
  thread_pool elsewhere{{.workers = 1}};
  std::atomic<int> others{0};
  int here = 0;
  std::thread other{[&] {
    for (int i = 0; i < 2000; ++i) try {
        part.run(with(elsewhere));
        ++others;
      } catch (const std::logic_error&) {
      }
  }};
  for (int i = 0; i < 2000; ++i) try {
      g.run(with(pool));
      ++here;
    } catch (const std::logic_error&) {
    }
  other.join();
  EXPECT_EQ(ran, 5 * (here + others));
}

TEST_P(graph_subgraphs, a_graph_inside_itself_is_refused) {
  task_graph g, other;
  g.emplace("itself", g);
  EXPECT_THROW(g.run(with(pool)), std::logic_error);
  EXPECT_THROW(g.run(with(pool)), std::logic_error);
  task_graph h;
  h.emplace("other", other);
  other.emplace("h", h);
  EXPECT_THROW(h.run(with(pool)), std::logic_error);
}

}  // namespace
}  // namespace filch
