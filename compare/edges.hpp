#pragma once
#include <filch/base/order.hpp>

namespace filch::compare {

/// Why the rivals' few atomics are ordered. No witness: the rivals are measured, not shipped; their
/// tests run under the thread sanitizer instead.
enum class edge {
  /// Pusher: publish a job, look for sleepers. Sleeper: raise the count of sleepers, look for jobs.
  /// Without it both may look too early: a job waits while a worker sleeps.
  sleep,
  /// Pusher: fill the node, make it the head.   Taker: read the head, read the node.
  /// Without it a worker runs a job that is not filled in yet.
  hand_over,
  /// Worker: last write of the round, one worker less.   Caller: none left, read the counts.
  /// Without it the caller reads counts and results that are not complete.
  round_end,
};

}  // namespace filch::compare
