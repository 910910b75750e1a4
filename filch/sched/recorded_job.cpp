#include <filch/sched/recorded_job.hpp>

#include <filch/sched/worker.hpp>

#include <utility>

namespace filch::sched {

[[gnu::always_inline]] inline std::uint64_t worker::job_word() const noexcept {
  return state_word_ | job_.word;
}

// How deep forks are nested here, left sides and right ones together, and in which job.
[[gnu::always_inline]] inline std::uint64_t worker::moment() const noexcept {
  return (std::uint64_t{reinterpret_cast<std::uintptr_t>(bottom()) / sizeof(queue::fork_entry)} << 24) + (job_.word >> 24);
}

[[gnu::always_inline]] inline event::job_place worker::enter_job(trace::lane& here, std::uintptr_t code) noexcept {
  const std::uint64_t before = moment();
  const event::job_place outer = std::exchange(job_, job_.within(here.site_of(code)));
  here.write_begin(job_word(), before);
  return outer;
}

void worker::leave_job(event::job_place outer, std::uint64_t uncounted) noexcept {
  const std::uint64_t before = moment();
  job_ = outer;
  trace::lane* const here = recorded.get_for_jobs();
  counters.add(event::kind::job_changed, here == nullptr ? uncounted : uncounted + 1);
  if (here == nullptr) return;
  here->tell(counters, event::counter_words::count_of(event::kind::job_changed));
  here->write_end(job_word(), before);
}

recorded_job::recorded_job(const void* code) noexcept {
  if (is_outside()) return;
  worker& here = current_worker();
  trace::lane* const records = here.recorded.get_for_jobs();
  if (records == nullptr) return;
  worker_ = &here;
  outer_ = here.enter_job(*records, reinterpret_cast<std::uintptr_t>(code));
}

recorded_job::~recorded_job() {
  if (worker_ != nullptr) worker_->leave_job(outer_, 1);
}

}  // namespace filch::sched
