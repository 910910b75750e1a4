// Cases: `graph`, a task graph, which is built inside the clock.
#include <bench/cholesky/entry.hpp>
#include <bench/harness/filch_counters.hpp>
#include <filch/graph.hpp>

#include <optional>

using namespace bench::cholesky;

namespace {

void by_a_graph(const std::vector<step>& steps, matrix& a, filch::thread_pool& pool) {
  filch::task_graph graph;
  std::vector<std::optional<filch::graph_node<>>> writers(steps.size());  // the last one of a tile
  for (const step& each : steps) {
    const filch::graph_node<> node = graph.emplace([&a, &each] { run(each, a); });
    if (writers[each.target]) node.succeed(*writers[each.target]);
    if (each.reads > 0) node.succeed(*writers[each.left]);
    if (each.reads > 1) node.succeed(*writers[each.right]);
    writers[each.target] = node;
  }
  graph.run(filch::with(pool));
}

}  // namespace

int main(int argc, char** argv) {
  bench::contender me(argc, argv, as("filch", "graph"));
  me.require(me.variant() == "graph", "--case is graph");
  filch::thread_pool pool(filch::pool_options{.workers = me.workers()});
  pool.warm_up();
  bench::report_counters(me, pool);
  measure(me, [&](const std::vector<step>& steps, matrix& a) { by_a_graph(steps, a, pool); });
  return me.exit_status();
}
