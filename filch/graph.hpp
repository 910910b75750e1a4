#pragma once
// Task graphs: `filch::task_graph`, its nodes, limits, threads and reports.
#include <filch/graph/report.hpp>
#include <filch/graph/task_graph.hpp>
