#include <filch/sched/worker/recorded_job.hpp>

#include <filch/sched/worker/worker.hpp>

#include <utility>

namespace filch::inline v0_2::sched {

[[gnu::always_inline]] inline std::uint64_t worker_recorder::job_word() const noexcept {
  return state_word_ | job_.word;
}

// How deep forks are nested here, left sides and right ones together, and in which job.
[[gnu::always_inline]] inline std::uint64_t worker_recorder::moment() const noexcept {
  return (std::uint64_t{reinterpret_cast<std::uintptr_t>(forks_.bottom()) /
                        sizeof(queue::fork_entry)}
          << 24) +
         (job_.word >> 24);
}

[[gnu::always_inline]] inline event::job_place worker_recorder::enter_job(
    trace::ring_writer& here, std::uint32_t site) noexcept {
  const std::uint64_t before = moment();
  const event::job_place outer = std::exchange(job_, job_.within(site));
  here.write_begin(job_word(), before);
  return outer;
}

[[gnu::always_inline]] inline void worker_recorder::go_back_to(event::job_place outer,
                                                               std::uint64_t uncounted) noexcept {
  const std::uint64_t before = moment();
  job_ = outer;
  trace::ring_writer* const here = handle.get_for_jobs();
  counters.add(event::kind::job_changed, here == nullptr ? uncounted : uncounted + 1);
  if (here == nullptr) return;
  here->tell(counters, event::counter_words::count_of(event::kind::job_changed));
  here->write_end(job_word(), before);
}

// A recording that ends first says that no jobs are recorded, and then resumes pops. Each change of
// pops takes the stack's lock: either the recording comes last, or this sees that there is nothing
// to pause for.
bool worker_recorder::tell_joins(trace::ring_writer& here, queue::fork_entry* below) noexcept {
  below == nullptr ? forks_.pause_pops() : forks_.pause_pops_below(below);
  const bool is_recorded = handle.get_for_jobs() == &here;
  if (!is_recorded) forks_.resume_pops();
  return is_recorded;
}

// After many short folds only joins that are no deeper are recorded: those at which a program
// climbs out of its subtrees. A deeper join, as the left side of a later one, is part of the job
// around it.
void worker_recorder::end_fold(trace::ring_writer& here, event::job_place outer) noexcept {
  const std::uint64_t now = base::ticks();
  const bool is_recorded =
      tell_joins(here, here.folds_are_short(now) ? forks_.bottom() + 1 : nullptr);
  job_ = outer;
  if (!is_recorded) return here.drop_fold();
  counters.add(event::kind::job_changed, here.end_fold(now, job_word()));
  here.tell(counters, event::counter_words::count_of(event::kind::job_changed));
}

event::job_place worker_recorder::begin_fold(trace::ring_writer& here, std::uint32_t site,
                                             std::uint64_t now_ticks) noexcept {
  const event::job_place outer = std::exchange(job_, job_.within(site));
  here.begin_fold(now_ticks, job_word());
  forks_.resume_pops();
  return outer;
}

void worker_recorder::tell_end_of_job(event::job_place outer) noexcept { go_back_to(outer, 0); }

[[gnu::always_inline]] inline void recorded_job::enter(worker& here, trace::ring_writer& records,
                                                       std::uint32_t site) noexcept {
  worker_ = &here;
  outer_ = here.reports.enter_job(records, site);
}

// Called last when a job begins: a call in the middle would make every job save registers.
[[gnu::noinline]] void recorded_job::enter_new_site(worker& here, trace::ring_writer& records,
                                                    std::uintptr_t code) noexcept {
  enter(here, records, records.site_of(code));
}

// All jobs that may be recorded one by one are recorded for now, as `job_budget` says.
[[gnu::noinline]] void recorded_job::begin_untold(worker& here, trace::ring_writer& records,
                                                  std::uintptr_t code) noexcept {
  if (!records.tells_jobs() || records.forks().counts()) return here.reports.count_fork(records);
  if (!records.may_fold(reinterpret_cast<std::uintptr_t>(here.bottom()))) return;
  std::uint64_t now = base::ticks();
  const bool is_told = records.may_tell_again(now);
  if (records.turns_to_samples(!is_told)) {
    here.reports.record_event(event::kind::jobs_sampled, {.amount = is_told ? 0u : 1u});
    now = base::ticks();  // a later record has a later time
  }
  if (is_told) {
    if (!here.reports.tell_joins(records, nullptr)) return;
    return enter_new_site(here, records, code);
  }
  if (records.counts_instead(now)) return here.reports.count_fork(records);
  worker_ = &here;
  fold_ = &records;
  outer_ = here.reports.begin_fold(records, records.site_of(code), now);
}

[[gnu::always_inline]] inline void recorded_job::begin(worker& here, std::uintptr_t code) noexcept {
  trace::ring_writer* const records = here.reports.handle.get();
  if (records == nullptr) return;
  if (!records->tells_jobs() || !records->may_tell()) [[unlikely]]
    return begin_untold(here, *records, code);
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
  if (worker_ == nullptr) return;
  if (fold_ != nullptr) [[unlikely]]
    worker_->reports.end_fold(*fold_, outer_);
  else
    worker_->reports.go_back_to(outer_, 1);
}

}  // namespace filch::sched
