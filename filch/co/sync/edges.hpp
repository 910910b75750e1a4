#pragma once
#include <filch/base/order.hpp>

namespace filch::co::sync {

/// The orders of what suspends, beyond those of the lock around each list. Witnesses:
/// permits_model.cpp, interrupt_model.cpp.
enum class edge {
  /// Holder: last access, put the permit back.   Next holder: take it, first access.
  /// Without it two sections of a mutex that exclude each other in time still do not see each
  /// other.
  permit,
  /// Task: prepare to wait, say where.   Who asks it to stop: find that, take it out of its list.
  /// Without it a waiter is interrupted that is not there yet.
  arm,
  /// Task: say where it waits, or that it does no more | see whether it was asked. Who asks: say so
  /// | see where it waits. At least one sees the other. Without it a task waits for ever, or goes
  /// on while somebody else uses its waiter.
  ask,
};

}  // namespace filch::co::sync
