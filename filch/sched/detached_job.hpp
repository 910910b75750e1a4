#pragma once
#include <filch/policy/priority.hpp>
#include <filch/queue/injector.hpp>

namespace filch::inline v0_2::sched {

/// A unit of detached work: submitted, spawned in a task group, or a resumed coroutine. Allocated
/// by the submitter.
struct detached_job : queue::injected {
  enum class fate { run, discard };
  /// Runs the work, or only frees it. Either way the object is gone afterwards. Never throws.
  void (*finish)(detached_job*, fate);
  /// `finish` finds the job to run, and reports it (`worker_recorder::report_found_job`). A group's
  /// ticket does so: its own code does not tell which job it runs.
  bool finds_its_job = false;
  /// Its run is not its end: its maker calls `unfinished_jobs::end` later.
  bool ends_later = false;
  /// It continues work that has begun, so it runs even in a pool that was asked to stop.
  bool has_begun = false;
  priority urgency = priority::normal;
};

}  // namespace filch::sched
