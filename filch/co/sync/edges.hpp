#pragma once
#include <filch/base/order.hpp>

namespace filch::inline v0_2::co::sync {

/// The orders of what suspends, beyond those of the lock around each list. Witnesses:
/// permits_model.cpp, interrupt_model.cpp.
enum class edge {
  /// Holder: last access, put the permit back.   Next holder: take it, first access.
  /// Without it two sections of a mutex that exclude each other in time still do not see each
  /// other.
  permit,
  /// Task: prepare the waiter, publish it.   Canceller: find it, take it out of its list.
  /// Without it a waiter is interrupted before it is complete.
  arm,
  /// Task: publish its waiter, or null | read whether it was asked to stop.
  /// Canceller: publish that it asks | read the waiter.   At least one sees the other.
  /// Without it a task waits for ever, or goes on while the canceller uses its waiter.
  ask,
};

}  // namespace filch::co::sync
