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

[[gnu::always_inline]] inline event::job_place worker::enter_job(trace::lane& here, std::uint32_t site) noexcept {
  const std::uint64_t before = moment();
  const event::job_place outer = std::exchange(job_, job_.within(site));
  here.write_begin(job_word(), before);
  return outer;
}

[[gnu::always_inline]] inline void worker::go_back_to(event::job_place outer, std::uint64_t uncounted) noexcept {
  const std::uint64_t before = moment();
  job_ = outer;
  trace::lane* const here = recorded.get_for_jobs();
  counters.add(event::kind::job_changed, here == nullptr ? uncounted : uncounted + 1);
  if (here == nullptr) return;
  here->tell(counters, event::counter_words::count_of(event::kind::job_changed));
  here->write_end(job_word(), before);
}

void worker::tell_end_of_job(event::job_place outer) noexcept { go_back_to(outer, 0); }

[[gnu::always_inline]] inline void recorded_job::enter(worker& here, trace::lane& records, std::uint32_t site) noexcept {
  worker_ = &here;
  outer_ = here.enter_job(records, site);
}

// The last call of who begins a job: one in the middle would have every job save registers.
[[gnu::noinline]] void recorded_job::enter_new_site(worker& here, trace::lane& records, std::uintptr_t code) noexcept {
  enter(here, records, records.site_of(code));
}

[[gnu::always_inline]] inline void recorded_job::begin(worker& here, std::uintptr_t code) noexcept {
  trace::lane* const records = here.recorded.get_for_jobs();
  if (records == nullptr) return;
  if (const std::uint32_t site = records->site_again(code); site != 0) [[likely]]
    return enter(here, *records, site);
  enter_new_site(here, *records, code);
}

recorded_job::recorded_job(const void* code) noexcept {
  if (!is_outside()) begin(current_worker(), reinterpret_cast<std::uintptr_t>(code));
}

recorded_job::recorded_job(queue::fork_stack& mine, queue::job runs) noexcept {
  begin(static_cast<worker&>(mine), reinterpret_cast<std::uintptr_t>(runs.run));
}

recorded_job::~recorded_job() {
  if (worker_ != nullptr) worker_->go_back_to(outer_, 1);
}

}  // namespace filch::sched
