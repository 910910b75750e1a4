#pragma once
#include <filch/base/order.hpp>

namespace filch::inline v0_2::graph {

/// The orders by which the nodes of a graph meet, each with what breaks without it. Witnesses:
/// countdowns_model.cpp.
enum class edge {
  /// Predecessor: leave its result, arrive. The last one: see all arrivals, run the successor.
  /// Without it a node reads a result that is not there yet.
  arrive,
  /// Thread: leave the last results of the nodes that it has ended, count them. The thread that
  /// counts the last node: end the run, and let its caller read everything. Without it a run
  /// returns before its results are there.
  end,
};

}  // namespace filch::graph
