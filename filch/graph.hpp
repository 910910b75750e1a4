#pragma once
// Task graphs: `filch::task_graph`, its nodes, limits, threads and reports. Graphs that grow while
// they run: `filch::spawn_after`.
#include <filch/graph/report.hpp>
#include <filch/graph/spawn_after.hpp>
#include <filch/graph/task_graph.hpp>
