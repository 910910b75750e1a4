// The five graphs with Taskflow.
#include "../graphs.hpp"

#include <taskflow/taskflow.hpp>

#include <vector>

namespace {

tf::Executor executor;

// [values]
double variance(const std::vector<double>& of) {
  double mean = 0, square = 0, result = 0;
  tf::Taskflow graph;
  tf::Task one = graph.emplace([&] { mean = mean_of(of); });
  tf::Task other = graph.emplace([&] { square = mean_square_of(of); });
  graph.emplace([&] { result = square - mean * mean; }).succeed(one, other);
  executor.run(graph).wait();
  return result;
}
// [values]

// [order]
long simulate(int steps) {
  long left = 0, right = 0, sum = 0;
  tf::Taskflow graph;
  tf::Task one = graph.emplace([&] { left -= 1; });
  tf::Task other = graph.emplace([&] { right += 1; });
  graph.emplace([&] { sum += right - left; }).succeed(one, other);
  executor.run_n(graph, static_cast<std::size_t>(steps)).wait();
  return sum;
}
// [order]

// [loop]
double root(double of) {
  double guess = 0;
  tf::Taskflow graph;
  tf::Task begin = graph.emplace([&] { guess = of; });
  tf::Task step = graph.emplace([&] { guess = better_root(guess, of); });
  tf::Task again = graph.emplace([&] { return is_root(guess, of) ? 1 : 0; });
  tf::Task done = graph.emplace([] {});
  begin.precede(step);
  step.precede(again);
  again.precede(step, done);  // 0 chooses the first, 1 the second
  executor.run(graph).wait();
  return guess;
}
// [loop]

// [limit]
void scan(scanner& shared, int pages) {
  tf::Semaphore two(2);
  tf::Taskflow graph;
  for (int i = 0; i < pages; ++i) {
    tf::Task page = graph.emplace([&] { shared.use(); });
    page.acquire(two);
    page.release(two);
  }
  executor.run(graph).wait();
}
// [limit]

// [subgraph]
long sum_of_squares(int count) {
  std::vector<long> squares;
  long sum = 0;
  tf::Taskflow graph;
  tf::Task read = graph.emplace([&] { squares.resize(static_cast<std::size_t>(count)); });
  tf::Task all = graph.emplace([&](tf::Subflow& inside) {
    for (std::size_t i = 0; i != squares.size(); ++i)
      inside.emplace([&, i] { squares[i] = static_cast<long>(i * i); });
  });
  tf::Task add = graph.emplace([&] {
    for (const long each : squares) sum += each;
  });
  read.precede(all);
  all.precede(add);
  executor.run(graph).wait();
  return sum;
}
// [subgraph]

bool is_sum_right() { return sum_of_squares(4) == 14; }

}  // namespace

int main() { return run({variance, simulate, root, scan, is_sum_right}); }
