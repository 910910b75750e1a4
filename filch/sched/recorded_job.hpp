#pragma once
#include <filch/event/job_place.hpp>
#include <filch/sched/current.hpp>

namespace filch::sched {

class worker;

/// As long as it lives this thread runs a job at its own join or wait, for the records. Nothing, where nobody wants jobs told.
class recorded_job {
 public:
  recorded_job() noexcept = default;
  /// `code` is the function that the job's call site is known by.
  explicit recorded_job(const void* code) noexcept;
  explicit recorded_job(queue::job runs) noexcept : recorded_job{reinterpret_cast<const void*>(runs.run)} {}
  ~recorded_job();
  recorded_job(const recorded_job&) = delete;
  recorded_job& operator=(const recorded_job&) = delete;

 private:
  worker* worker_ = nullptr;
  event::job_place outer_;
};

}  // namespace filch::sched
