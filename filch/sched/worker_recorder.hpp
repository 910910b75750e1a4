#pragma once
#include <filch/base/clock.hpp>
#include <filch/event/details.hpp>
#include <filch/event/job_place.hpp>
#include <filch/sched/current.hpp>
#include <filch/sched/pool_clock.hpp>
#include <filch/sched/slot.hpp>
#include <filch/trace/recorder_handle.hpp>

#include <cstdint>

namespace filch::inline v0_2::sched {

/// What one worker counts and, while a recording runs, writes down.
/// Threads: the worker's own. Counters may be read by any.
class worker_recorder {
 public:
  /// `forks` and `waiter` are the worker's; `pool` is the number of its pool in recordings.
  worker_recorder(pool_stack& forks, const slot_waiter& waiter, const pool_clock& clock,
                  std::uint32_t pool, std::uint32_t slot_count);

  event::counters counters;
  trace::recorder_handle handle;

  /// Counts an event and, while a recording runs, writes it down.
  void record_event(event::kind what, const event::details& about = {}) noexcept {
    event::count_event(counters, what, about);
    if (trace::ring_writer* const here = handle.get()) [[unlikely]]
      write(*here, what, about, base::ticks());
  }
  /// Counts an event that has no record.
  void count(event::kind what, std::uint64_t amount = 1) noexcept {
    counters.add(what, amount);
    if (trace::ring_writer* const here = handle.get()) [[unlikely]]
      tell_count(*here, what);
  }
  /// Changes its activity to `next`. Reports the slot that it holds, or none if `next` is an
  /// activity without a slot.
  void change(event::activity next,
              event::ready_work seen = event::ready_work::not_looked) noexcept {
    change_at(next, base::ticks(), seen);
  }
  FILCH_EXPORT void change_at(event::activity next, std::uint64_t now_ticks,
                              event::ready_work seen) noexcept;
  /// Records whether it saw work that an idle worker could take. Its activity stays.
  void report_look(bool saw_work) noexcept;
  /// Records how many jobs other workers could take from it now.
  void report_takeable() noexcept {
    if (trace::ring_writer* const here = handle.get()) [[unlikely]]
      write_look(*here);
  }
  static constexpr event::ready_work as_ready(bool saw_work) noexcept {
    return saw_work ? event::ready_work::some : event::ready_work::none;
  }
  /// A wake took so many ticks.
  FILCH_EXPORT void report_waking(std::uint64_t took_ticks) noexcept;

  // -----------------------------------------------------------------------------------------------
  // jobs
  /// Counts a job that begins and, while a recording runs, writes it down. `code` is the function
  /// that its call site is known by; `from` is the worker it was taken from, as in `record::other`.
  void report_job(std::uintptr_t code, std::uint16_t from = event::record::nobody) noexcept {
    event::count_event(counters, event::kind::job_run);
    if (trace::ring_writer* const here = handle.get()) [[unlikely]]
      write_job(*here, code, from);
  }
  /// The same for the job that a detached one has found (`detached_job::finds_its_job`), taken from
  /// the worker that the last `expect_job` named.
  void report_found_job(std::uintptr_t code) noexcept { report_job(code, found_job_is_from_); }
  void expect_job(std::uint16_t from) noexcept { found_job_is_from_ = from; }

  /// The job under way, for `leave_job`.
  event::job_place place() const noexcept { return job_; }
  /// Begins a job of `site` inside the one under way, which it returns, for `leave_job`. Call while
  /// `here` records every job.
  event::job_place enter_job(trace::ring_writer& here, std::uint32_t site) noexcept;
  void leave_job(event::job_place outer) noexcept {
    if (handle.get_for_jobs() != nullptr) [[unlikely]]
      return tell_end_of_job(outer);
    job_ = outer;
  }
  /// Begins a fold inside that job: its forks are fast until it ends. Call while `here` records
  /// long jobs and samples.
  event::job_place begin_fold(trace::ring_writer& here, std::uint32_t site,
                              std::uint64_t now_ticks) noexcept;
  void end_fold(trace::ring_writer& here, event::job_place outer) noexcept;
  /// From now on the joins below that entry are recorded; all if it is null. Returns false, and
  /// lets them be fast, if jobs are no longer recorded there.
  bool tell_joins(trace::ring_writer& here, queue::fork_entry* below) noexcept;
  /// A join paused whose job was not stolen and is not recorded. Counts it if a sample is under
  /// way, or begins one if it is due.
  void count_fork(trace::ring_writer& here) noexcept;
  /// As `leave_job`, if `uncounted` records of its begin are still to be counted.
  void go_back_to(event::job_place outer, std::uint64_t uncounted) noexcept;

 private:
  FILCH_EXPORT [[gnu::cold, gnu::noinline]] void write(trace::ring_writer& here, event::kind what,
                                                       const event::details& about,
                                                       std::uint64_t now_ticks) noexcept;
  FILCH_EXPORT [[gnu::cold, gnu::noinline]] void tell_count(trace::ring_writer& here,
                                                            event::kind what) noexcept;
  [[gnu::cold, gnu::noinline]] void tell_duration(trace::ring_writer& here, event::measure what,
                                                  std::uint64_t microseconds) noexcept;
  [[gnu::cold, gnu::noinline]] void write_pauses(trace::ring_writer& here,
                                                 std::uint64_t now) noexcept;
  FILCH_EXPORT [[gnu::cold, gnu::noinline]] void write_job(trace::ring_writer& here,
                                                           std::uintptr_t code,
                                                           std::uint16_t from) noexcept;
  FILCH_EXPORT [[gnu::cold, gnu::noinline]] void write_look(trace::ring_writer& here) noexcept;
  FILCH_EXPORT [[gnu::cold, gnu::noinline]] void tell_end_of_job(event::job_place outer) noexcept;
  void let_forks_count(trace::ring_writer& here, std::uint64_t now_ticks) noexcept;
  void write_forks(trace::ring_writer& here, std::uint64_t now_ticks) noexcept;
  void pause_joins(trace::ring_writer& here) noexcept;
  void pause_joins_below(trace::ring_writer& here, std::uint32_t depth) noexcept;
  std::uint64_t takeable() const noexcept;
  std::uint64_t ready_count() const noexcept;
  std::uint64_t job_word() const noexcept;
  std::uint64_t moment() const noexcept;

  pool_stack& forks_;
  const slot_waiter& waiter_;
  const pool_clock& clock_;
  std::uint64_t told_takeable_ = 0;  ///< As last recorded.
  /// Where the detached job under way was taken from, if it has yet to find its job.
  std::uint16_t found_job_is_from_ = event::record::nobody;
  /// The job under way, if it began while jobs were recorded.
  event::job_place job_;
  /// Of a record that holds its activity and slot, and no job.
  std::uint64_t state_word_ = 0;
};

}  // namespace filch::sched
