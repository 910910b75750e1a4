#pragma once
#include <filch/base/order.hpp>

namespace filch::inline v0_2::base {

/// The orders of the lock and the parker, each with what breaks without it. Witnesses:
/// mutex_model.cpp, parker_model.cpp.
enum class edge {
  /// Holder: last access, open the lock.   Next holder: take the lock, first access.
  /// Without it two sections that exclude each other in time still do not see each other.
  unlock,
  /// Waker: write, leave the token.   Sleeper: take the token, read.
  /// Without it a thread wakes and does not see why.
  token,
};

}  // namespace filch::base
