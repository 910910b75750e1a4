// What a task graph can be made of, and how a run ends: each in a few lines, with a claim that the
// program checks.
#include "check.hpp"

#include <filch/co.hpp>
#include <filch/graph.hpp>
#include <filch/timers.hpp>

#include <atomic>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace std::chrono_literals;

// A function that adds nodes to a graph or to a subgraph.
filch::graph_node<> add_squares(filch::graph_builder& to, std::vector<int>& values) {
  const auto begin = to.emplace("begin", [] {});
  const auto end = to.emplace("end", [] {});
  for (int& each : values)
    to.emplace("square", [&each] { each *= each; }).succeed(begin).precede(end);
  return end;
}

void nodes_that_are_known_only_when_the_graph_runs() {
  std::vector<int> values;
  filch::task_graph graph;
  const auto read = graph.emplace("read", [&] { values = {1, 2, 3}; });
  // Ends when the nodes that it has added have ended
  const auto squares =
      graph.emplace("squares", [&](filch::subgraph& inside) { add_squares(inside, values); });
  squares.succeed(read);
  const auto sum =
      graph.emplace("sum", [&] { return values[0] + values[1] + values[2]; }).succeed(squares);
  graph.run();
  check("a subgraph ends before the node's successors begin", sum.get() == 14);
}

void a_graph_as_a_node_of_another_one() {
  std::vector<int> values{4};
  filch::task_graph inner, outer;
  add_squares(inner, values);
  const auto once = outer.emplace("first", inner);
  const auto add = outer.emplace("add", [&] { ++values[0]; }).succeed(once);
  outer.run();
  check("the inner graph has run", values[0] == 17 && add.outcome() == filch::node_outcome::ran);
  inner.run_n(2);  // by itself
  check("and runs again", values[0] == 17 * 17 * 17 * 17);
}

void a_node_that_waits_without_a_worker() {
  filch::task_graph graph;
  const auto answer = graph.emplace("ask", []() -> filch::task<int> {
    co_await filch::sleep_for(1ms);
    co_return 42;
  });
  const auto twice = graph.emplace(
      "twice", [](int of) { return 2 * of; }, answer);
  graph.run();
  check("a node may be a coroutine", twice.get() == 84);
}

filch::task<int> a_run_that_a_task_awaits() {
  filch::task_graph graph;
  const auto made = graph.emplace([] { return 5; });
  co_await graph.run_async();
  co_return made.get();
}

void a_chosen_node_that_waits_for_others_too() {
  int value = 0;
  filch::task_graph graph;
  const auto other = graph.emplace("other", [] { return 7; });
  const auto is_big = graph.branch("is it big", [&] { return value > 10; });
  const auto big = graph.emplace(
      "big", [](int of) { return of; }, other);
  is_big.choose(true, big);
  graph.run();
  check("it is skipped unless it is chosen", big.outcome() == filch::node_outcome::skipped);
  value = 11;
  graph.run();
  check("and runs if it is", big.get() == 7);
}

// A result that cannot be copied is moved to its only reader.
void values_that_only_move() {
  filch::task_graph graph;
  const auto made = graph.emplace([] { return std::make_unique<int>(6); });
  const auto read = graph.emplace([](std::unique_ptr<int> own) { return *own; }, made);
  graph.run();
  bool is_gone = false;
  try {
    static_cast<void>(made.get());
  } catch (const std::logic_error&) {
    is_gone = true;
  }
  check("the reader has taken it", is_gone && read.get() == 6);
}

void a_failure() {
  filch::task_graph graph;
  const auto fails = graph.emplace("fails", [] { throw std::runtime_error("no such file"); });
  const auto after = graph.emplace("after", [] {}).succeed(fails);
  std::string what;
  try {
    graph.run();
  } catch (const std::runtime_error& failed) {
    what = failed.what();
  }
  check("the exception of the node leaves run()", what == "no such file");
  check("what has not begun is cancelled", fails.outcome() == filch::node_outcome::failed &&
                                               after.outcome() == filch::node_outcome::cancelled);
}

void a_time_limit() {
  filch::task_graph graph;
  const auto first = graph.emplace("first", [] { std::this_thread::sleep_for(5ms); });
  const auto second = graph.emplace("second", [] {}).succeed(first);
  bool is_late = false;
  try {
    graph.run(filch::with(filch::time_limit{1ms}));
  } catch (const filch::stopped&) {
    is_late = true;
  }
  check("nodes that run go on, the others are cancelled",
        is_late && first.outcome() == filch::node_outcome::ran &&
            second.outcome() == filch::node_outcome::cancelled);
}

void a_thread_that_never_comes() {
  std::atomic<filch::thread_queue*> queue{nullptr};
  std::atomic<bool> may_end{false};
  const std::jthread busy{[&] {
    filch::thread_queue mine;
    queue = &mine;
    may_end.wait(false);  // does not look into its queue
  }};
  while (queue == nullptr) std::this_thread::yield();
  std::string what;
  {
    filch::task_graph graph;
    graph.emplace("draw", [] {}).on(*queue);
    try {
      graph.run(filch::with(filch::time_limit{10ms}));
    } catch (const filch::thread_missing& missing) {
      what = missing.what();
    }
  }
  may_end = true;
  may_end.notify_one();
  check("the time limit names the node", what.find("draw") != std::string::npos);
}

void an_order_of_your_own() {
  std::vector<std::string> ran;
  filch::thread_pool alone({.workers = 1});
  filch::task_graph graph;
  const auto begin = graph.emplace([] {});
  for (const char* name : {"late", "soon"}) {
    const auto node = graph.emplace(name, [&ran, name] { ran.emplace_back(name); });
    node.succeed(begin).at(*name == 's' ? filch::priority::high : filch::priority::background);
  }
  graph.run(filch::with(alone));
  check("a higher priority begins first", ran == std::vector<std::string>{"soon", "late"});
  graph.set(filch::graph_order::arrival);  // instead of the longest way to the end
  int runs = 0;
  graph.run_until([&] { return ++runs == 3; });
  check("each run runs each node once", ran.size() == 8);
}

void a_circle() {
  filch::task_graph graph;
  const auto egg = graph.emplace("egg", [] {});
  const auto hen = graph.emplace("hen", [] {}).succeed(egg);
  egg.succeed(hen);
  std::string what;
  try {
    graph.run();
  } catch (const std::logic_error& refused) {
    what = refused.what();
  }
  check("a circle is refused with the names along it",
        what.find("egg, then hen, then egg") != std::string::npos ||
            what.find("hen, then egg, then hen") != std::string::npos);
}

}  // namespace

int main() {
  nodes_that_are_known_only_when_the_graph_runs();
  a_graph_as_a_node_of_another_one();
  a_node_that_waits_without_a_worker();
  check("a task awaits a run", filch::block_on(a_run_that_a_task_awaits()) == 5);
  a_chosen_node_that_waits_for_others_too();
  values_that_only_move();
  a_failure();
  a_time_limit();
  a_thread_that_never_comes();
  an_order_of_your_own();
  a_circle();
  return wrong_claims == 0 ? 0 : 1;
}
