#pragma once
#include <filch/base/order.hpp>

namespace filch::co {

/// The orders by which coroutines meet, each with what breaks without it. Witnesses:
/// completion_model.cpp, countdown_model.cpp, join_counter_model.cpp.
enum class edge {
  /// Task: leave the result, say that it is finished. Awaiter, or who drops the handle: see that,
  /// use the frame. Without it an await takes a result that is not there yet.
  complete,
  /// Awaiter, or who drops the handle: last own access, leave the waiter. Task: find it, resume the
  /// awaiter or destroy the frame. Without it a coroutine is resumed before it is suspended, or a
  /// frame is destroyed that is still in use.
  await,
  /// Child, or who waits for all: last own access, count down. The last of them: bring it to zero,
  /// go on with what all have left. Without it somebody who waits for children goes on without what
  /// one of them left.
  last_one,
  /// Forked child, or its parent at the join: last own access, count. Who comes last: see the
  /// count, go on with what all have left. Without it a join goes on without what a child left, or
  /// a parent is resumed before it is suspended.
  join,
};

}  // namespace filch::co
