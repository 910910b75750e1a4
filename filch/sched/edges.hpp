#pragma once
#include <filch/base/language.hpp>

namespace filch::inline v0_2::sched {

/// The orders of the scheduler outside the queues, each with what breaks without it.
enum class edge {
  /// Producer: publish a job | read-modify-write the idle word. Sleeper: read-modify-write the idle
  /// word | look at all sources. The two meet on one word, so one comes first: either the producer
  /// sees the sleeper or the sleeper sees the job. Without it a job waits while a worker sleeps.
  announce,
  /// Thief: be built, write its name into the entry it stole. Helper: read the name, use the
  /// worker. Without it a stalled join reads a worker whose construction it has not seen.
  named_thief,
  /// Creator: construct a worker, or an event source, then publish it. Any thread: read the
  /// pointer, then use it. Without it a thief probes a fork stack that was not built yet.
  enlist,
  /// Every user: last access, drop the count.   Last user: see zero, free.
  /// Without it memory is freed that another thread still writes.
  last_user,
  /// Thread that ends a job: count its submission, or acquire that count with the job; count the
  /// submissions of the jobs it submits; then count its end. Thread that adds up: read the ends,
  /// then the submissions. Without it a pool ends while a job runs whose submitter was seen to end.
  counted,
  /// Thread that ends a job: count its end | look for a waiter. Waiter: announce itself | look at
  /// the counts. At least one sees the other. Without it the last job wakes no thread. The first
  /// side is hot, so the second pays for both.
  quiescence,
  /// Threads that look whether all jobs have ended do so one after the other: each sees what those
  /// before it had seen or counted. Without it the last two each miss the other's end, and no
  /// thread wakes the waiter.
  take_turns,
};

}  // namespace filch::sched
