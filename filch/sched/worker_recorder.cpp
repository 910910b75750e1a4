#include <filch/sched/worker_recorder.hpp>

#include <bit>

namespace filch::inline v0_2::sched {
namespace {

void pause_pops_of(void* stack) noexcept { static_cast<queue::fork_stack*>(stack)->pause_pops(); }
void resume_pops_of(void* stack) noexcept { static_cast<queue::fork_stack*>(stack)->resume_pops(); }

}  // namespace

worker_recorder::worker_recorder(pool_stack& forks, const slot_waiter& waiter,
                                 const pool_clock& clock, std::uint32_t pool,
                                 std::uint32_t slot_count)
    : handle{counters,
             pool,
             forks.index,
             slot_count,
             {pause_pops_of, resume_pops_of, static_cast<queue::fork_stack*>(&forks)}},
      forks_{forks},
      waiter_{waiter},
      clock_{clock} {}

// The only place that reads `waiter_` for records: another thread may grant a slot at any time to a
// worker that holds none.
void worker_recorder::change_at(event::activity next, std::uint64_t now_ticks,
                                event::ready_work seen) noexcept {
  using enum event::activity;
  const event::activity ended = counters.doing();
  // Before the change: these forks belong to the work that ends
  if (trace::ring_writer* const before = handle.get(); before != nullptr && ended == working)
      [[unlikely]]
    write_forks(*before, now_ticks);
  const std::uint64_t lasted_us = counters.change(next, now_ticks) / clock_.ticks_per_us();
  counters.classify(event::length_of(ended), lasted_us);
  const bool holds_slot = next == working || next == searching || next == waiting;
  const std::uint16_t slot = holds_slot ? waiter_.granted->number : event::record::nobody;
  handle.change({next, slot});
  state_word_ =
      event::record{.what = event::kind::job_changed, .doing = next, .slot = slot, .other = 0}
          .pack()[1];
  // Relaxed: a hint
  if (holds_slot)
    waiter_.granted->holder.store(event::details::with(forks_.index).other, base::relaxed);
  event::count_event(counters, event::kind::state_changed);
  trace::ring_writer* const here = handle.get();
  if (here == nullptr) [[likely]]
    return;
  tell_duration(*here, event::length_of(ended), lasted_us);
  here->tell_activity(counters);
  if (next == parked || next == away) write_pauses(*here, now_ticks);
  write(*here, event::kind::state_changed, {.ready = seen}, now_ticks);
}

void worker_recorder::report_waking(std::uint64_t took_ticks) noexcept {
  const std::uint64_t took_us = took_ticks / clock_.ticks_per_us();
  counters.add_duration(event::measure::waking, took_ticks, took_us);
  if (trace::ring_writer* const here = handle.get())
    tell_duration(*here, event::measure::waking, took_us);
}

void worker_recorder::report_look(bool saw_work) noexcept {
  trace::ring_writer* const here = handle.get();
  if (here != nullptr) [[unlikely]]
    write(*here, event::kind::state_changed, {.ready = as_ready(saw_work)}, base::ticks());
}

void worker_recorder::write(trace::ring_writer& here, event::kind what, const event::details& about,
                            std::uint64_t now_ticks) noexcept {
  if (about.count == 0) return;
  if (what != event::kind::forks_counted) let_forks_count(here, now_ticks);
  tell_count(here, what);
  std::uint32_t amount = about.amount;
  if (what == event::kind::state_changed)
    amount = event::seen_takeable(told_takeable_ = takeable());
  here.write(
      {now_ticks, what, counters.doing(), about.ready, handle.now().slot, about.other, amount});
}

std::uint64_t worker_recorder::takeable() const noexcept {
  return forks_.peek().size() + ready_count();
}

std::uint64_t worker_recorder::ready_count() const noexcept {
  return handle.now().slot == event::record::nobody ? 0 : waiter_.granted->ready.size_hint();
}

void worker_recorder::write_look(trace::ring_writer& here) noexcept {
  write(here, event::kind::state_changed, {}, base::ticks());
}

void worker_recorder::tell_count(trace::ring_writer& here, event::kind what) noexcept {
  here.tell(counters, event::counter_words::count_of(what));
  here.tell_ready(ready_count());
}

void worker_recorder::tell_duration(trace::ring_writer& here, event::measure what,
                                    std::uint64_t microseconds) noexcept {
  here.tell(counters, event::counter_words::ticks_of(what),
            event::counter_words::class_of(what, event::class_of(microseconds)));
}

void worker_recorder::write_pauses(trace::ring_writer& here, std::uint64_t now) noexcept {
  const trace::ring_writer::pauses since = here.paused(now, counters);
  const auto report = [&](event::kind what, std::uint64_t microseconds) {
    counters.add(what, microseconds);
    event::in_amounts(microseconds, [&](std::uint32_t part) {
      write(here, what, event::details::times(part), now);
    });
  };
  report(event::kind::run_delayed, since.run_delay_us);
  report(event::kind::slept_in_job, since.slept_us);
}

// Not by `write`, which looks at the slot: when work ends, the slot may have been given away.
void worker_recorder::write_forks(trace::ring_writer& here, std::uint64_t now_ticks) noexcept {
  trace::fork_sampler& forks = here.forks();
  const std::uint32_t seen = forks.take();
  if (seen == 0) return;
  counters.add(event::kind::forks_counted, seen);
  const std::uint16_t goes_on = forks.counts() ? 1 : 0;
  here.tell(counters, event::counter_words::count_of(event::kind::forks_counted));
  here.write({now_ticks, event::kind::forks_counted, counters.doing(),
              event::ready_work::not_looked, handle.now().slot, goes_on, seen});
}

// As `tell_joins`: if the recording has ended, it may have resumed pops before.
void worker_recorder::pause_joins(trace::ring_writer& here) noexcept {
  forks_.pause_pops();
  if (handle.get() != &here) forks_.resume_pops();
}

void worker_recorder::pause_joins_below(trace::ring_writer& here, std::uint32_t depth) noexcept {
  forks_.pause_pops_below(forks_.bottom() - forks_.depth() + depth);
  if (handle.get() != &here) forks_.resume_pops();
}

// The work from here on may be of another kind, at whatever depth of forks.
void worker_recorder::let_forks_count(trace::ring_writer& here, std::uint64_t now_ticks) noexcept {
  trace::fork_sampler& forks = here.forks();
  if (here.tells_jobs() || forks.counts() || forks.waits() || !forks.is_due(now_ticks)) return;
  forks.wait();
  pause_joins(here);
}

void worker_recorder::count_fork(trace::ring_writer& here) noexcept {
  trace::fork_sampler& forks = here.forks();
  const auto depth = static_cast<std::uint32_t>(forks_.depth());
  if (forks.counts()) {
    if (!forks.count()) return;
    write_forks(here, base::ticks());
    return here.tells_jobs() ? void() : pause_joins_below(here, depth + 1);
  }
  const std::uint64_t now = base::ticks();
  if (!forks.is_due(now)) return pause_joins_below(here, forks.next_depth(depth));
  forks.start(now,
              here.tells_jobs() ? trace::fork_sampler::beside_jobs : trace::fork_sampler::a_sample);
  pause_joins(here);
  write(here, event::kind::forks_counted, {.other = 1}, now);
}

void worker_recorder::write_job(trace::ring_writer& here, std::uintptr_t code,
                                std::uint16_t from) noexcept {
  // Before the kernel is asked: that is no part of taking the job
  const std::uint64_t now = base::ticks();
  write_pauses(here, now);
  const std::uint32_t site = here.site_of(code);
  write(here, event::kind::job_run, {.other = from, .amount = site}, now);
  if (here.tells_jobs()) job_ = job_.within(site);
  // A worker that empties its ready queue changes its activity at no job: it records a look
  // whenever the number of waiting jobs has doubled or halved.
  if (std::bit_width(takeable()) != std::bit_width(told_takeable_)) write_look(here);
}

}  // namespace filch::sched
