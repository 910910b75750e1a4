#include <bench/task_graph/entry.hpp>
#include <filch/fork.hpp>
#include <filch/graph.hpp>

#include <memory>

using namespace bench::task_graph;

int main(int argc, char** argv) {
  bench::contender me(argc, argv, as("filch"));
  filch::thread_pool pool(filch::pool_options{.workers = me.workers()});
  pool.warm_up();
  measure(me, [&](const shape& of, auto work) {
    auto made = std::make_unique<filch::task_graph>();
    std::vector<filch::graph_node<>> nodes;
    nodes.reserve(of.nodes());
    for (std::uint32_t i = 0; i != of.nodes(); ++i) {
      nodes.push_back(made->emplace(work(i)));
      for (const std::uint32_t* each = of.begin(i); each != of.end(i); ++each)
        nodes[i].succeed(nodes[*each]);
    }
    return [&pool, graph = std::move(made)] { graph->run(filch::with(pool)); };
  });
  return me.exit_status();
}
