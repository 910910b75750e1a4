#pragma once
// Everything except `testing.hpp`, `io.hpp`, which needs Asio, and `dist.hpp`, which needs MPI:
// fork-join, pools, parallel loops and algorithms, coroutines, task graphs, and reports on why a
// program does not scale. To include less, use a part: fork.hpp, algo.hpp, co.hpp, graph.hpp,
// metrics.hpp, starvation.hpp, stop.hpp, sync.hpp, timers.hpp, trace.hpp, analyze.hpp, version.hpp.
#include <filch/algo.hpp>
#include <filch/analyze.hpp>
#include <filch/co.hpp>
#include <filch/fork.hpp>
#include <filch/graph.hpp>
#include <filch/metrics.hpp>
#include <filch/starvation.hpp>
#include <filch/stop.hpp>
#include <filch/sync.hpp>
#include <filch/timers.hpp>
#include <filch/trace.hpp>
#include <filch/version.hpp>
