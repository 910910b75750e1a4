// Task graphs in recordings: nodes under their own names, and the longest run of each graph.
#include <filch/graph.hpp>

#include <filch/base/clock.hpp>
#include <filch/event/graph_run.hpp>
#include <filch/trace.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace {

using filch::node_outcome;
using filch::trace_level;
using filch::trace_session;
namespace event = filch::event;

void spin(std::uint64_t us) {
  const std::uint64_t end_ns = filch::base::now_ns() + us * 1000;
  while (filch::base::now_ns() < end_ns) {
  }
}

/// Two ways from "load" to "show", of which the one by "decode" is much longer.
class frame {
 public:
  explicit frame(const std::string& name) {
    graph_.set_name(name);
    const auto load = graph_.emplace("load", [] { spin(50); });
    const auto decode = graph_.emplace("decode", [] { spin(3000); });
    const auto mix = graph_.emplace("mix", [] { spin(50); });
    const auto show = graph_.emplace("show", [] { spin(50); });
    load.precede(decode, mix);
    show.succeed(decode, mix);
  }
  void run() { graph_.run(filch::with(pool_)); }

 private:
  filch::thread_pool pool_{{.workers = 2}};
  filch::task_graph graph_;
};

std::vector<std::string> names_in(const std::vector<event::call_site>& sites) {
  std::vector<std::string> names;
  for (const event::call_site& each : sites) names.push_back(each.name);
  return names;
}
bool has(const std::vector<std::string>& names, std::string_view wanted) {
  return std::ranges::find(names, wanted) != names.end();
}

TEST(recorded_graph, nodes_are_sites_of_their_own_names) {
  frame one{"frame"};
  one.run();
  trace_session session({.file = {}, .level = trace_level::jobs});
  one.run();
  const std::vector<std::string> names = names_in(session.end().sites);
  for (const char* const each : {"load", "decode", "mix", "show"})
    EXPECT_TRUE(has(names, each)) << each;
}

TEST(recorded_graph, names_outlive_their_graph) {
  trace_session session({.file = {}, .level = trace_level::jobs});
  {
    frame one{"frame"};
    one.run();
  }
  frame{"other"}.run();
  EXPECT_TRUE(has(names_in(session.end().sites), "decode"));
}

TEST(recorded_graph, its_longest_run_is_kept_with_its_critical_path) {
  frame one{"frame"};
  trace_session session;
  for (int i = 0; i != 3; ++i) one.run();
  const event::recording all = session.end();
  ASSERT_EQ(all.graphs.size(), 1u);
  const event::graph_run& kept = all.graphs[0];
  EXPECT_TRUE(is_sound(kept));
  EXPECT_EQ(kept.name, "frame");
  EXPECT_EQ(kept.runs, 3u);
  EXPECT_EQ(kept.node_count, 4u);
  ASSERT_EQ(kept.nodes.size(), 4u);
  EXPECT_GE(kept.wall_ns, kept.span_ns);
  EXPECT_GE(kept.work_ns, kept.span_ns);
  EXPECT_LE(kept.begin_ns + kept.wall_ns, static_cast<std::uint64_t>(all.length_ns));
  // By "decode", unless the machine took "mix" its processor for longer
  const std::vector<std::uint32_t> path = critical_path(kept);
  ASSERT_EQ(path.size(), 3u);
  EXPECT_EQ(kept.nodes[path.front()].name, "load");
  EXPECT_EQ(kept.nodes[path.back()].name, "show");
  std::uint64_t path_ns = 0;
  for (const std::uint32_t each : path) path_ns += kept.nodes[each].ns;
  EXPECT_EQ(path_ns, kept.span_ns);
  for (std::uint32_t i = 0; i != 4; ++i) {
    const event::graph_run_node& each = kept.nodes[i];
    const bool is_critical = std::ranges::find(path, i) != path.end();
    EXPECT_EQ(each.outcome, node_outcome::ran);
    EXPECT_EQ(each.slack_ns == 0, is_critical) << each.name;
    EXPECT_EQ(each.span_if_twice_as_fast_ns < kept.span_ns, is_critical) << each.name;
  }
}

TEST(recorded_graph, a_session_sees_runs_of_its_own_time_only) {
  frame before{"before"};
  before.run();
  trace_session session;
  EXPECT_TRUE(session.end().graphs.empty());
  before.run();
  trace_session next;
  frame{"within"}.run();
  const event::recording all = next.end();
  ASSERT_EQ(all.graphs.size(), 1u);
  EXPECT_EQ(all.graphs[0].name, "within");
}

TEST(recorded_graph, graphs_in_nodes_belong_to_their_node) {
  filch::task_graph inner, outer;
  inner.emplace("inside", [] { spin(50); });
  outer.emplace("whole", inner);
  outer.emplace("more", [](filch::subgraph& here) { here.emplace("part", [] {}); });
  trace_session session;
  outer.run();
  const event::recording all = session.end();
  ASSERT_EQ(all.graphs.size(), 1u);
  EXPECT_EQ(all.graphs[0].nodes.size(), 2u);
}

TEST(recorded_graph, a_node_without_a_name_has_that_of_its_function) {
  filch::task_graph g;
  g.emplace([] { spin(20); });
  trace_session session;
  g.run();
  const event::recording all = session.end();
  ASSERT_EQ(all.graphs.size(), 1u);
  EXPECT_NE(all.graphs[0].nodes.at(0).name, "");
}

TEST(recorded_graph, of_a_large_one_the_nodes_with_the_least_slack_are_kept) {
  filch::task_graph g;
  const auto first = g.emplace("first", [] { spin(300); });
  const auto last = g.emplace("last", [] { spin(300); });
  for (std::size_t i = 0; i != event::most_graph_nodes + 500; ++i)
    g.emplace([] {}).succeed(first).precede(last);
  trace_session session;
  g.run();
  const event::recording all = session.end();
  ASSERT_EQ(all.graphs.size(), 1u);
  const event::graph_run& kept = all.graphs[0];
  EXPECT_TRUE(is_sound(kept));
  EXPECT_EQ(kept.nodes.size(), event::most_graph_nodes);
  EXPECT_EQ(kept.node_count, event::most_graph_nodes + 502);
  const std::vector<std::uint32_t> path = critical_path(kept);
  ASSERT_EQ(path.size(), 3u);
  EXPECT_EQ(kept.nodes[path.front()].name, "first");
  EXPECT_EQ(kept.nodes[path.back()].name, "last");
}

TEST(recorded_graph, what_failed_or_was_cancelled_is_told) {
  filch::task_graph g;
  const auto bad = g.emplace("bad", [] { throw 1; });
  g.emplace("never", [] {}).succeed(bad);
  trace_session session;
  EXPECT_THROW(g.run(), int);
  const event::recording all = session.end();
  ASSERT_EQ(all.graphs.size(), 1u);
  EXPECT_EQ(all.graphs[0].nodes.at(0).outcome, node_outcome::failed);
  EXPECT_EQ(all.graphs[0].nodes.at(1).outcome, node_outcome::cancelled);
}

}  // namespace
