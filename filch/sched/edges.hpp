#pragma once

namespace filch::sched {

/// The orders of the scheduler outside the queues, each with what breaks without it.
enum class edge {
  /// Producer: publish a job | read-modify-write the idle word.   Sleeper: read-modify-write the idle word | look at all sources.
  /// The two meet on one word, so one comes first: either the producer sees the sleeper or the sleeper sees the job.
  /// Without it a job waits while a worker sleeps.
  announce,
  /// Thief: be built, write its name into the entry it stole.   Helper: read the name, use the worker.
  /// Without it a stalled join reads a worker whose construction it has not seen.
  named_thief,
  /// Creator: construct a worker, or an external source, then publish it.   Anybody: read where it is, then use it.
  /// Without it a thief probes a fork stack that was not built yet.
  enlist,
  /// Every user: last access, drop the count.   Last user: see zero, free.
  /// Without it memory is freed that another thread still writes.
  last_user,
};

}  // namespace filch::sched
