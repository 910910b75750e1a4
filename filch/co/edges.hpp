#pragma once
#include <filch/base/order.hpp>

namespace filch::inline v0_2::co {

/// The orders by which coroutines meet, each with what breaks without it. Witnesses:
/// completion_model.cpp, countdown_model.cpp, join_counter_model.cpp.
enum class edge {
  /// Task: leave the result, set finished. Holder of the handle: see finished, use the frame.
  /// Without it an await takes a result that is not there yet.
  complete,
  /// Holder of the handle: last own access, leave the waiter. Task: find it, resume the awaiter or
  /// destroy the frame. Without it a coroutine is resumed before it is suspended, or a frame is
  /// destroyed that is still in use.
  await,
  /// Child, or the waiting parent: last own access, count down. The last of them: bring the count
  /// to zero, go on with what all have left. Without it the parent misses what a child left.
  last_one,
  /// Forked child, or its parent at the join: last own access, count. The last of them: see the
  /// count, go on with what all have left. Without it a join misses what a child left, or a parent
  /// is resumed before it is suspended.
  join,
};

}  // namespace filch::co
