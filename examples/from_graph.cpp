// Five small graphs: values along edges, mere order in several runs, a loop, a limit, nodes that
// are added while the graph runs. docs/guide/from shows each beside the same program in another
// library.
#include "graphs.hpp"

#include <filch/graph.hpp>

#include <vector>

namespace {

// [values]
// Both means in parallel, then the variance. Results are arguments.
double variance(const std::vector<double>& of) {
  filch::task_graph graph;
  const auto mean = graph.emplace([&] { return mean_of(of); });
  const auto square = graph.emplace([&] { return mean_square_of(of); });
  const auto combine = [](double m, double s) { return s - m * m; };
  const auto result = graph.emplace(combine, mean, square);
  graph.run();
  return result.get();
}
// [values]

// [order]
// Two bodies move in parallel. Their distance is added up after each step.
long simulate(int steps) {
  long left = 0, right = 0, sum = 0;
  filch::task_graph graph;
  const auto one = graph.emplace([&] { left -= 1; });
  const auto other = graph.emplace([&] { right += 1; });
  graph.emplace([&] { sum += right - left; }).succeed(one, other);
  graph.run_n(static_cast<std::size_t>(steps));
  return sum;
}
// [order]

// [loop]
// The branch goes back to `step` as long as the root is not good enough.
double root(double of) {
  double guess = 0;
  filch::task_graph graph;
  const auto begin = graph.emplace("begin", [&] { guess = of; });
  const auto step = graph.emplace("step", [&] { guess = better_root(guess, of); });
  step.succeed(begin);
  const auto is_bad = [&] { return !is_root(guess, of); };
  graph.branch("again", is_bad, step).choose(true, step);
  graph.run();
  return guess;
}
// [loop]

// [limit]
// Of all pages two are scanned at a time.
void scan(scanner& shared, int pages) {
  filch::graph_limit two{2};
  filch::task_graph graph;
  for (int i = 0; i < pages; ++i) graph.emplace([&] { shared.use(); }).limited_by(two);
  graph.run();
}
// [limit]

// [subgraph]
// How many nodes there are is known when `read` has run.
long sum_of_squares(int count) {
  std::vector<long> squares;
  filch::task_graph graph;
  const auto read = graph.emplace([&] { squares.resize(static_cast<std::size_t>(count)); });
  const auto all = graph.emplace([&](filch::subgraph& inside) {
    for (std::size_t i = 0; i != squares.size(); ++i)
      inside.emplace([&, i] { squares[i] = static_cast<long>(i * i); });
  });
  all.succeed(read);
  long sum = 0;
  const auto add = [&] {
    for (const long each : squares) sum += each;
  };
  graph.emplace(add).succeed(all);
  graph.run();
  return sum;
}
// [subgraph]

bool is_sum_right() { return sum_of_squares(4) == 14; }

}  // namespace

int main() { return run({variance, simulate, root, scan, is_sum_right}); }
