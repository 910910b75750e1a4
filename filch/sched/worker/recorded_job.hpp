#pragma once
#include <filch/event/job_place.hpp>
#include <filch/sched/current.hpp>

namespace filch::inline v0_2::trace {
class ring_writer;
}

namespace filch::inline v0_2::sched {

class worker;

/// While it lives, recordings show that this thread runs a job at its own join or wait. Does
/// nothing unless a recording of jobs runs. Jobs that change threads are recorded by
/// `worker_recorder::report_job` and `worker_recorder::leave_job`.
class recorded_job {
 public:
  recorded_job() noexcept = default;
  /// `code` is the function that the job's call site is known by.
  FILCH_EXPORT explicit recorded_job(const void* code) noexcept;
  /// `runs` was forked on `mine`, which is the thread's own.
  FILCH_EXPORT recorded_job(queue::fork_stack& mine, queue::job runs) noexcept;
  FILCH_EXPORT ~recorded_job();
  recorded_job(const recorded_job&) = delete;
  recorded_job& operator=(const recorded_job&) = delete;

 private:
  void begin(worker& here, std::uintptr_t code) noexcept;
  void enter(worker& here, trace::ring_writer& records, std::uint32_t site) noexcept;
  void enter_new_site(worker& here, trace::ring_writer& records, std::uintptr_t code) noexcept;
  void begin_untold(worker& here, trace::ring_writer& records, std::uintptr_t code) noexcept;

  worker* worker_ = nullptr;
  trace::ring_writer* fold_ = nullptr;  ///< Where it is recorded, if it is a fold.
  event::job_place outer_;
};

}  // namespace filch::sched
