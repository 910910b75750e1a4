#include <bench/harness/tbb_threads.hpp>
#include <bench/task_graph/entry.hpp>

#include <oneapi/tbb/flow_graph.h>

#include <deque>
#include <memory>

using namespace bench::task_graph;
namespace flow = oneapi::tbb::flow;

namespace {

/// A graph, and the node that its first nodes wait for.
struct built {
  using node = flow::continue_node<flow::continue_msg>;

  template <class Work>
  built(const shape& of, Work work) {
    for (std::uint32_t i = 0; i != of.nodes(); ++i) {
      nodes.emplace_back(graph, [run = work(i)](const flow::continue_msg&) { run(); });
      for (const std::uint32_t* each = of.begin(i); each != of.end(i); ++each)
        flow::make_edge(nodes[*each], nodes[i]);
      if (of.begin(i) == of.end(i)) flow::make_edge(start, nodes[i]);
    }
  }
  void run() {
    start.try_put(flow::continue_msg{});
    graph.wait_for_all();
  }

  flow::graph graph;
  flow::broadcast_node<flow::continue_msg> start{graph};
  std::deque<node> nodes;
};

}  // namespace

int main(int argc, char** argv) {
  bench::contender me(argc, argv, as("tbb"));
  bench::tbb_threads threads(me.workers());
  measure(me, [&](const shape& of, auto work) {
    auto made = threads.run([&] { return std::make_unique<built>(of, work); });
    return [&threads, all = std::move(made)] { threads.run([&] { all->run(); }); };
  });
  return me.exit_status();
}
