// Four of the five graphs with oneTBB's flow graph, and a stream.
#include "../graphs.hpp"
#include "../six.hpp"

#include <tbb/flow_graph.h>

#include <cstddef>
#include <sstream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace {

namespace flow = tbb::flow;

// [values]
double variance(const std::vector<double>& of) {
  using values = const std::vector<double>*;
  double result = 0;
  flow::graph graph;
  flow::broadcast_node<values> input(graph);
  flow::function_node<values, double> mean(graph, flow::serial,
                                           [](values v) { return mean_of(*v); });
  flow::function_node<values, double> square(graph, flow::serial,
                                             [](values v) { return mean_square_of(*v); });
  flow::join_node<std::tuple<double, double>> both(graph);
  flow::function_node<std::tuple<double, double>> combine(
      graph, flow::serial, [&](const std::tuple<double, double>& means) {
        const auto [m, s] = means;
        result = s - m * m;
      });
  flow::make_edge(input, mean);
  flow::make_edge(input, square);
  flow::make_edge(mean, flow::input_port<0>(both));
  flow::make_edge(square, flow::input_port<1>(both));
  flow::make_edge(both, combine);
  input.try_put(&of);
  graph.wait_for_all();
  return result;
}
// [values]

// [order]
long simulate(int steps) {
  using flow::continue_msg;
  long left = 0, right = 0, sum = 0;
  flow::graph graph;
  flow::broadcast_node<continue_msg> begin(graph);
  flow::continue_node<continue_msg> one(graph, [&](continue_msg) { left -= 1; });
  flow::continue_node<continue_msg> other(graph, [&](continue_msg) { right += 1; });
  flow::continue_node<continue_msg> add(graph, [&](continue_msg) { sum += right - left; });
  flow::make_edge(begin, one);
  flow::make_edge(begin, other);
  flow::make_edge(one, add);
  flow::make_edge(other, add);
  for (int i = 0; i < steps; ++i) {
    begin.try_put(continue_msg{});
    graph.wait_for_all();
  }
  return sum;
}
// [order]

// [loop]
double root(double of) {
  double result = 0;
  flow::graph graph;
  using step_node = flow::multifunction_node<double, std::tuple<double, double>>;
  step_node step(graph, flow::serial, [&](double guess, step_node::output_ports_type& ports) {
    const double better = better_root(guess, of);
    is_root(better, of) ? std::get<1>(ports).try_put(better) : std::get<0>(ports).try_put(better);
  });
  flow::function_node<double> done(graph, flow::serial, [&](double guess) { result = guess; });
  flow::make_edge(flow::output_port<0>(step), step);
  flow::make_edge(flow::output_port<1>(step), done);
  step.try_put(of);
  graph.wait_for_all();
  return result;
}
// [loop]

// [limit]
void scan(scanner& shared, int pages) {
  flow::graph graph;
  flow::function_node<int> page(graph, 2, [&](int) { shared.use(); });
  for (int i = 0; i < pages; ++i) page.try_put(i);
  graph.wait_for_all();
}
// [limit]

// [stream]
std::vector<std::string> reverse_lines(std::istream& in) {
  using line = std::pair<std::size_t, std::string>;
  std::vector<std::string> out;
  flow::graph graph;
  flow::input_node<line> read(graph,
                              [&, next = std::size_t{0}](tbb::flow_control& control) mutable {
                                std::string text;
                                if (!std::getline(in, text)) control.stop();
                                return line{next++, text};
                              });
  flow::limiter_node<line> at_most(graph, 8);
  flow::function_node<line, line> work(graph, flow::unlimited, [](const line& each) {
    return line{each.first, reversed(each.second)};
  });
  flow::sequencer_node<line> in_order(graph, [](const line& each) { return each.first; });
  flow::function_node<line, flow::continue_msg> keep(graph, flow::serial, [&](const line& each) {
    out.push_back(each.second);
    return flow::continue_msg{};
  });
  flow::make_edge(read, at_most);
  flow::make_edge(at_most, work);
  flow::make_edge(work, in_order);
  flow::make_edge(in_order, keep);
  flow::make_edge(keep, at_most.decrementer());
  read.activate();
  graph.wait_for_all();
  return out;
}
// [stream]

bool is_stream_right() {
  std::istringstream text("ab\ncd\nef\n");
  return reverse_lines(text) == std::vector<std::string>{"ba", "dc", "fe"};
}

}  // namespace

int main() { return run(graph_programs{variance, simulate, root, scan, is_stream_right}); }
