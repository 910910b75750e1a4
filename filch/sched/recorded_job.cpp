#include <filch/sched/recorded_job.hpp>

#include <filch/sched/worker.hpp>

namespace filch::sched {

recorded_job::recorded_job(const void* code) noexcept {
  if (is_outside()) return;
  worker& here = current_worker();
  trace::lane* const records = here.recorded.get_for_jobs();
  if (records == nullptr) return;
  worker_ = &here;
  outer_ = here.enter_job(*records, reinterpret_cast<std::uintptr_t>(code));
}

recorded_job::~recorded_job() {
  if (worker_ != nullptr) worker_->leave_job(outer_);
}

}  // namespace filch::sched
