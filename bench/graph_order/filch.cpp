// Twenty graphs by critical path and by arrival, in turn; then the same on 2, 8 and 32 workers,
// simulated. All figures are ratios of the makespans: below 1 the critical path is the better
// order. `--size` counts rounds. `--case table` prints the graphs one by one.
#include <bench/graph_order/simulated.hpp>
#include <bench/harness/contender.hpp>
#include <bench/harness/median.hpp>
#include <filch/fork.hpp>
#include <filch/graph.hpp>

#include <cstdio>
#include <span>

using namespace bench::graph_order;

namespace {

constexpr int runs_to_learn = 8;
constexpr unsigned simulated_workers[] = {2, 8, 32};
constexpr unsigned times_as_wide[] = {1, 1, 4};  // for work for so many

/// Whatever else the machine does, a node takes as long as it says.
void spin_for(double us) {
  for (const double end = bench::now_seconds() + us * 1e-6; bench::now_seconds() < end;) {
  }
}

class runner {
 public:
  runner(const dag& of, filch::graph_order how, filch::thread_pool& pool) : pool_{pool} {
    std::vector<filch::graph_node<>> nodes;
    for (std::uint32_t i = 0; i != of.us.size(); ++i) {
      nodes.push_back(graph_.emplace([us = of.us[i]] { spin_for(us); }));
      for (const std::uint32_t* each = of.of.begin(i); each != of.of.end(i); ++each)
        nodes[i].succeed(nodes[*each]);
    }
    graph_.set(how);
    for (int i = 0; i != runs_to_learn; ++i) run();
  }
  double run() {
    return bench::seconds_of([&] { graph_.run(filch::with(pool_)); });
  }

 private:
  filch::task_graph graph_;
  filch::thread_pool& pool_;
};

/// The median of as many pairs of runs as there are rounds.
double measured_ratio(const dag& of, unsigned rounds, filch::thread_pool& pool) {
  runner best_first{of, filch::graph_order::critical_path, pool};
  runner as_they_come{of, filch::graph_order::arrival, pool};
  std::vector<double> ratios;
  for (unsigned i = 0; i != rounds; ++i) {
    const bool is_even = i % 2 == 0;  // no order is always first
    const double first = (is_even ? best_first : as_they_come).run();
    const double second = (is_even ? as_they_come : best_first).run();
    ratios.push_back(is_even ? first / second : second / first);
  }
  return bench::median(ratios);
}

double simulated_ratio(const dag& of, unsigned workers) {
  return simulated_us<by_critical_path>(of, workers) / simulated_us<by_arrival>(of, workers);
}

struct ratios {
  std::vector<double> each;

  double mean() const {
    double all = 0;
    for (const double one : each) all += one;
    return all / static_cast<double>(each.size());
  }
  double worst() const { return *std::ranges::max_element(each); }
};

void print(std::span<const dag> dags, const ratios& measured, std::span<const ratios> simulated) {
  std::fprintf(stderr, "%-18s %5s %8s %8s %9s %12s %12s %12s\n", "graph", "nodes", "work us",
               "span us", "measured", "simulated 2", "simulated 8", "simulated 32");
  for (std::size_t i = 0; i != dags.size(); ++i)
    std::fprintf(stderr, "%-18s %5u %8.0f %8.0f %9.3f %12.3f %12.3f %12.3f\n", dags[i].name.c_str(),
                 dags[i].of.nodes(), work_us(dags[i]), span_us(dags[i]), measured.each[i],
                 simulated[0].each[i], simulated[1].each[i], simulated[2].each[i]);
}

}  // namespace

int main(int argc, char** argv) {
  bench::contender me(argc, argv, {.problem = "graph_order", .peer = "filch", .size = 21});
  const auto rounds = me.size<unsigned>();
  me.require(rounds > 0, "--size counts rounds: it must be at least 1");
  me.require(me.variant().empty() || me.variant() == "table", "--case is table");
  filch::thread_pool pool(filch::pool_options{.workers = me.workers()});
  pool.warm_up();
  const std::vector<dag> dags = all_dags();
  for (unsigned repeat = 0; repeat != me.repeat(); ++repeat) {
    ratios measured, simulated[std::size(simulated_workers)];
    const double seconds = bench::seconds_of([&] {
      for (const dag& each : dags) measured.each.push_back(measured_ratio(each, rounds, pool));
    });
    for (std::size_t i = 0; i != std::size(simulated_workers); ++i) {
      for (const dag& each : all_dags(times_as_wide[i]))
        simulated[i].each.push_back(simulated_ratio(each, simulated_workers[i]));
    }
    if (me.variant() == "table") print(dags, measured, simulated);
    me.report({{"seconds", seconds},
               {"mean_ratio", measured.mean()},
               {"worst_ratio", measured.worst()},
               {"simulated_2_mean_ratio", simulated[0].mean()},
               {"simulated_2_worst_ratio", simulated[0].worst()},
               {"simulated_8_mean_ratio", simulated[1].mean()},
               {"simulated_8_worst_ratio", simulated[1].worst()},
               {"simulated_32_mean_ratio", simulated[2].mean()},
               {"simulated_32_worst_ratio", simulated[2].worst()}},
              "");
  }
  return me.exit_status();
}
