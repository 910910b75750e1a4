#pragma once
#include <filch/sched/detached_job.hpp>

#include <utility>

namespace filch::inline v0_2::sched {

/// The slot for the next job: a worker that resumes waiters of a timer or an arrival runs the first
/// job that becomes ready next, so it needs no queue and wakes no other worker. A worker has it, as
/// no argument passes through Asio's handlers and users' code (docs/notes/017).
/// Threads: the worker's own.
class run_next {
 public:
  /// True if this worker is resuming waiters, and `job` is the first that becomes ready: it is
  /// kept.
  bool keep(detached_job* job) noexcept {
    if (!keeps_) [[likely]]
      return false;
    keeps_ = false;
    job_ = job;
    return true;
  }
  bool keeps() const noexcept { return keeps_; }
  bool has_job() const noexcept { return job_ != nullptr; }
  /// Jobs that the worker makes ready now come from the event source: a backup poller suffices for
  /// them.
  bool takes_arrivals() const noexcept { return takes_arrivals_; }

  /// Calls `resume_waiters`. Returns the first job that became ready, or null.
  template <class F>
  detached_job* first_ready_by(F&& resume_waiters) noexcept {
    keeps_ = true;
    resume_waiters();
    keeps_ = false;
    return std::exchange(job_, nullptr);
  }
  /// Calls `poll`, which takes arrivals.
  template <class F>
  bool poll_by(F&& poll) noexcept {
    takes_arrivals_ = true;
    const bool found = poll();
    takes_arrivals_ = false;
    return found;
  }
  /// Keeps none any more, and takes no arrivals. Returns the job kept so far, or null.
  detached_job* give_up() noexcept {
    takes_arrivals_ = keeps_ = false;
    return std::exchange(job_, nullptr);
  }

 private:
  detached_job* job_ = nullptr;
  bool keeps_ = false;           ///< It resumes waiters, and none is ready yet.
  bool takes_arrivals_ = false;  ///< It polls the source, on an ordinary slot.
};

}  // namespace filch::sched
