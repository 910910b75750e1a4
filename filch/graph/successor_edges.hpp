#pragma once
#include <filch/base/order.hpp>

namespace filch::inline v0_2::graph {

/// The orders by which tasks of `spawn_after` meet, each with what breaks without it. Witnesses:
/// successors_model.cpp.
enum class successor_edge {
  /// Task: leave the result, mark the end. Thread that looks or adds a successor: see the end, read
  /// the result. Without it a result is read that is not there yet.
  end,
  /// Thread that adds a successor: fill it, add it. Task: take all successors, tell each. Without
  /// it a task ends a wait of which it does not know what waits.
  add,
  /// Holder: last access, give the task up. The last holder: see that no other is left, free it.
  /// Without it a task is freed while another thread still reads its result.
  last_holder,
};

}  // namespace filch::graph
