#pragma once
#include <bench/harness/contender.hpp>
#include <bench/task_graph/problem.hpp>

namespace bench::task_graph {

inline constexpr identity as(const char* peer) {
  return {.problem = "task_graph", .peer = peer, .size = default_nodes, .variant = default_case};
}

/// Times each call of `run` but the first, after which `complaint()` says what was wrong.
template <class Run, class Complaint>
void measure_runs(contender& me, const shape& of, Run run, Complaint complaint) {
  run();
  static_cast<void>(complaint());
  for (unsigned i = 0; i != me.repeat(); ++i) {
    const double seconds = seconds_of(run);
    me.report({{"seconds", seconds}, {"ns_a_node", seconds / of.nodes() * 1e9}}, complaint());
  }
}

/// `make(shape, work)` returns a function that runs a graph of that shape; node `i` calls what
/// `work(i)` has returned.
template <class Make>
void measure(contender& me, Make make) {
  const parameters p = asked_for(me.variant(), me.size<std::uint32_t>());
  me.require(p.of.nodes() != 0, case_rule);
  if (p.is_counting) {
    counts ran(p.of.nodes());
    const auto work = [&ran](std::uint32_t i) { return [at = &ran[i]] { ++*at; }; };
    measure_runs(me, p.of, make(p.of, work),
                 [&, runs = 0u]() mutable { return check(ran, ++runs); });
  } else {
    const auto work = [](std::uint32_t) { return [] { tally::add(); }; };
    measure_runs(me, p.of, make(p.of, work), [&] { return check(p.of, tally::take()); });
  }
}

}  // namespace bench::task_graph
