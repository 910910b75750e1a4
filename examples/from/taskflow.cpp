// The six programs with Taskflow.
#include "../six.hpp"

#include <taskflow/algorithm/find.hpp>
#include <taskflow/algorithm/for_each.hpp>
#include <taskflow/algorithm/pipeline.hpp>
#include <taskflow/algorithm/reduce.hpp>
#include <taskflow/taskflow.hpp>

#include <chrono>
#include <cmath>
#include <functional>
#include <future>
#include <optional>
#include <stdexcept>

namespace {

using namespace std::chrono_literals;

tf::Executor executor;

// [loop]
void add_scaled(double a, const std::vector<double>& x, std::vector<double>& y) {
  tf::Taskflow graph;
  graph.for_each_index(std::size_t{0}, y.size(), std::size_t{1},
                       [&](std::size_t i) { y[i] += a * x[i]; });
  executor.run(graph).wait();
}
// [loop]

// [reduction]
double length(const std::vector<double>& v) {
  const auto square = [](double x) { return x * x; };
  double sum = 0;
  tf::Taskflow graph;
  graph.transform_reduce(v.begin(), v.end(), sum, std::plus<>{}, square);
  executor.run(graph).wait();
  return std::sqrt(sum);
}
// [reduction]

// [fork_join]
long sum(const node* tree) {
  if (tree == nullptr) return 0;
  long left = 0;
  tf::TaskGroup group = executor.task_group();
  group.silent_async([&] { left = sum(tree->left.get()); });
  const long right = sum(tree->right.get());
  group.corun();
  return tree->value + left + right;
}
// [fork_join]

// [group]
bool parse_all(const std::vector<std::string>& texts, std::vector<int>& numbers) {
  tf::Taskflow graph;
  for (std::size_t i = 0; i != texts.size(); ++i)
    graph.emplace([&, i] { numbers[i] = std::stoi(texts[i]); });
  try {
    executor.run(graph).get();
  } catch (const std::invalid_argument&) {
    return false;
  }
  return true;
}
// [group]

// [pipeline]
std::vector<std::string> reverse_lines(std::istream& in) {
  std::vector<std::string> out, at(8);
  tf::Pipeline pipes(
      at.size(),
      tf::Pipe{tf::PipeType::SERIAL,
               [&](tf::Pipeflow& p) {
                 if (!std::getline(in, at[p.line()])) p.stop();
               }},
      tf::Pipe{tf::PipeType::PARALLEL,
               [&](tf::Pipeflow& p) { at[p.line()] = reversed(at[p.line()]); }},
      tf::Pipe{tf::PipeType::SERIAL, [&](tf::Pipeflow& p) { out.push_back(at[p.line()]); }});
  tf::Taskflow graph;
  graph.composed_of(pipes);
  executor.run(graph).wait();
  return out;
}
// [pipeline]

// [stop]
std::optional<long> first_prime(const std::vector<long>& of, std::chrono::milliseconds at_most) {
  auto found = of.end();
  tf::Taskflow graph;
  graph.find_if(of.begin(), of.end(), found, is_prime);
  tf::Future<void> search = executor.run(graph);
  if (search.wait_for(at_most) == std::future_status::timeout) search.cancel();
  search.get();
  return found == of.end() ? std::nullopt : std::optional(*found);
}
// [stop]

long sum_of_all(const node* tree) {
  return executor.async([&] { return sum(tree); }).get();
}

bool is_stop_right() { return first_prime(numbers_with_two_primes(), 1h) == earlier_prime; }

}  // namespace

int main() {
  return run({add_scaled, length, sum_of_all, parse_all, reverse_lines, is_stop_right});
}
