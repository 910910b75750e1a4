#pragma once
#include <filch/policy/priority.hpp>
#include <filch/queue/injector.hpp>

namespace filch::sched {

/// A unit of detached work: submitted, spawned in a task group, or a resumed coroutine. Allocated
/// by who submits it.
struct detached_job : queue::injected {
  enum class fate { run, discard };
  /// Runs the work, or only frees it. Either way the object is gone afterwards. Never throws.
  void (*finish)(detached_job*, fate);
  /// What it runs is found by `finish`, which then reports it (`worker::report_job`): so does a
  /// ticket, by whose own code nobody would know the job.
  bool finds_its_job = false;
  /// The run is not the end of it: whoever made it says later that it is over, by
  /// `scheduler::detached_finished`.
  bool ends_later = false;
  /// It is the rest of something that has begun, and runs in a pool that was asked to stop, too.
  bool has_begun = false;
  priority urgency = priority::normal;
};

}  // namespace filch::sched
