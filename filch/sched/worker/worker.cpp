#include <filch/sched/worker/worker.hpp>

#include <filch/base/exceptions.hpp>
#include <filch/base/membarrier.hpp>
#include <filch/base/stack_overflow.hpp>
#include <filch/base/thread.hpp>
#include <filch/sched/poll_scope.hpp>
#include <filch/sched/worker/continuation.hpp>
#include <filch/sched/worker/scheduler.hpp>

namespace filch::inline v0_2::sched {
namespace {

// Depth of nested forks that can be stolen; deeper ones run as plain calls. Eight MiB of address
// space, not of memory.
constexpr std::size_t fork_depth = std::size_t{1} << 18;

}  // namespace

worker::worker(scheduler& home, unsigned worker_index)
    : pool_stack{home, worker_index},
      waiter{*this, reports},
      reports{*this, waiter, home.clock(), home.number, home.threads().slot_count()},
      entries_{fork_depth * sizeof(queue::fork_entry)},
      search_{home.options.seed ^ (std::uint64_t{worker_index} << 32)} {
  // An unused entry is all zeroes: the reservation holds a quarter of a million of them already.
  waiter.home = &home.parking();
  waiter.own = &own_slot_;
  adopt(static_cast<queue::fork_entry*>(entries_.data()), fork_depth,
        !base::has_asymmetric_fence());
}

// -------------------------------------------------------------------------------------------------
// the next job
[[gnu::always_inline]] inline queue::fork_entry* worker::begin_job(queue::fork_entry* stolen,
                                                                   priority urgency) noexcept {
  waiter.granted->rotation.begins(urgency);
  queue::fork_entry* const before = leapfrog_.begin(stolen);
  if (core.parking().is_wanted()) request_work();
  return before;
}

[[gnu::always_inline]] inline void worker::run_now(detached_job* taken,
                                                   std::uint16_t from) noexcept {
  if (search_.is_searching || reports.counters.doing() != event::activity::working) [[unlikely]]
    leave_search_for_work();
  const event::job_place outer = reports.place();
  begin_job(nullptr, taken->urgency);
  if (taken->finds_its_job) {
    reports.expect_job(from);
  } else {
    reports.report_job(reinterpret_cast<std::uintptr_t>(taken->finish), from);
  }
  if (core.admits().is_stopped() && !taken->has_begun) [[unlikely]]
    return discard(taken, outer);
  const bool ends_later = taken->ends_later;
  taken->finish(taken, detached_job::fate::run);
  reports.leave_job(outer);
  if (!ends_later) core.jobs().end(this);
}

void worker::run_detached(detached_job* taken, std::uint16_t from) noexcept {
  run_now(taken, from);
}

// Most turns only look: the look is inlined, the rest is out of line.
[[gnu::always_inline]] inline bool worker::look_for_injected(priority which) noexcept {
  return !core.injected().looks_empty(which) && take_injected(which);
}

[[gnu::always_inline]] inline bool worker::run_normal() noexcept {
  const bool injector_first = ++waiter.granted->jobs_taken % injector_every == 0;
  if (injector_first && poll_source(external_source::look::between_jobs) &&
      take_injected(priority::high))
    return true;
  if (injector_first && (look_elsewhere() || take_injected())) return true;
  if (detached_job* const oldest = take_oldest_ready()) {
    run_now(oldest, event::record::nobody);
    return true;
  }
  return take_injected() || run_arrived();
}

bool worker::run_normal_first() noexcept { return run_normal() || take_injected(priority::high); }

[[gnu::always_inline]] inline bool worker::run_one_now() noexcept {
  if (core.parking().timers().are_used() && time_to_look_at_timers() && run_due()) return true;
  policy::priority_rotation& rotation = waiter.granted->rotation;
  if (rotation.is_backgrounds() && take_injected(priority::background)) return true;
  if (rotation.is_normals()) [[unlikely]]
    return run_normal_first();
  return look_for_injected(priority::high) || run_normal();
}

bool worker::run_one() noexcept { return run_one_now(); }

// -------------------------------------------------------------------------------------------------
// its thread

void worker::serve() noexcept {
  current_stack = this;
  base::tell_of_stack_overflow(&forks_here);
  core.threads().prepare(*this);
  compute_as_the_pool();
  call_back(core.options.on_thread_start);
  reports.record_event(event::kind::thread_started);
  reports.handle.adopt_thread();
  search_.is_searching = true;
  if (!waiter.holds_slot()) park();
  while (waiter.holds_slot()) {
    if (core.parking().is_driver_slot(waiter.granted)) {
      if (run_what_came()) continue;
    } else if (may_begin_jobs()) {
      if (run_one_now() || search() == search_end::found_work ||
          take_injected(priority::background))
        continue;
    }
    // On the driver's slot, or over the limit, it has not searched: `begin_sleep` ends a search
    if (!search_.is_searching) core.parking().idle().begin_search();
    park();
    search_.is_searching = true;
  }
  reports.change(event::activity::away);
  call_back(core.options.on_thread_stop);
  current_stack = &outside_stack;  // destructors of thread-local objects run after this
}

// -------------------------------------------------------------------------------------------------
// detached jobs

// No frame of a user that could hold a lock lies below it on the stack: it may give up its slot.
bool worker::may_begin_jobs() noexcept {
  return !core.parking().is_over_limit() && (!waiter.is_overcommitted() || regularize());
}

bool worker::regularize() noexcept {
  const bool is_regular = core.parking().regularize(waiter);
  if (is_regular) reports.change(reports.counters.doing());
  return is_regular;
}

bool worker::push_ready(detached_job* job) noexcept {
  if (!waiter.has_queues()) return false;
  FILCH_TRY {
    waiter.granted->ready.push(job);
    return true;
  }
  FILCH_CATCH_ALL { return false; }
}

bool worker::take_detached() noexcept {
  detached_job* const oldest = take_oldest_ready();
  if (oldest != nullptr) run_detached(oldest);
  return oldest != nullptr;
}

bool worker::somebody_else_waits() const noexcept {
  return !core.injected().look_empty() || core.parking().source() != nullptr ||
         core.parking().timers().first_ns() != timer::never || core.parking().is_over_limit();
}

bool worker::take_injected(priority which) noexcept {
  detached_job* const taken = core.injected().take(which);
  if (taken == nullptr) return false;
  reports.count(event::kind::job_injected);
  if (which != priority::high) base::take_turns_of(base::turn_length::usual);
  run_detached(taken, event::record::outside);
  return true;
}

std::uint64_t worker::leave_search_for_work() noexcept {
  waiter.found_work();
  if (search_.is_searching) {
    search_.is_searching = false;
    search_.ready.forget_singles();
    // The last searcher found work, so there may be more, and no worker searches now. Nor is there
    // a driver for certain.
    if (core.parking().idle().end_search()) {
      if (const auto seen = core.parking().idle().peek(); seen.free_slots != 0) {
        core.wants().offer_slot(&waiter, 1, seen.has_backup_poller ? waiter.granted : nullptr);
      } else {
        // Producers have relied on a searcher that takes none of their jobs: the thread that frees
        // a slot will look.
        if (core.parking().is_driver_slot(waiter.granted))
          core.parking().idle().note_waiting_work();
        core.parking().ensure_driver();
      }
    }
  }
  const std::uint64_t now = base::ticks();
  if (reports.counters.doing() != event::activity::working)
    reports.change_at(event::activity::working, now, event::ready_work::not_looked);
  return now;
}

void worker::discard(detached_job* taken, event::job_place outer) noexcept {
  const bool ends_later = taken->ends_later;
  core.jobs().discard_begins(*this);
  taken->finish(taken, detached_job::fate::discard);
  reports.leave_job(outer);
  if (!ends_later) core.jobs().end(this);
  core.jobs().discard_ends();
}

void worker::call_back(void (*user)(unsigned, void*)) noexcept {
  if (user == nullptr) return;
  const poll_scope here{*this};
  FILCH_TRY { user(index, core.options.thread_context); }
  FILCH_CATCH_ALL { handle_escaped(core.options.on_escaped_exception, std::current_exception()); }
}

// A new thread has the mode of the thread that starts it, and a job may leave another one behind.
void worker::compute_as_the_pool() noexcept {
  if (base::current_float_mode() != core.float_mode) base::set_float_mode(core.float_mode);
  tell_float_mode(core.float_mode);
}

void worker::run_stolen(queue::fork_entry* taken, unsigned victim) noexcept {
  if (continuation::is(taken->environment.read())) return run_continuation(taken, victim);
  // Read before the thief names itself: until then the victim's join helps no thief, so the victim
  // begins no job of another mode, and this word does not change.
  const as_forked mode{this, core.threads().at(victim).told_float_mode()};
  const event::job_place outer = reports.place();
  queue::fork_entry* const before = begin_job(taken);
  reports.report_job(reinterpret_cast<std::uintptr_t>(taken->run.read()),
                     event::details::with(victim).other);
  taken->run.read()(taken->environment.read());
  reports.leave_job(outer);
  leapfrog_.go_back_to(before);
  if (const std::uintptr_t sleeper = taken->complete(); sleeper != 0)
    resume(*reinterpret_cast<slot_waiter*>(sleeper));
}

// No join waits at its entry, so no helper comes for it. A join inside it that stalls names its own
// entry.
void worker::run_continuation(queue::fork_entry* taken, unsigned victim) noexcept {
  const queue::job rest{taken->run.read(), taken->environment.read()};
  taken->let_go();
  const event::job_place outer = reports.place();
  queue::fork_entry* const before = begin_job(nullptr);
  reports.report_job(reinterpret_cast<std::uintptr_t>(rest.run),
                     event::details::with(victim).other);
  rest.run(rest.environment);
  reports.leave_job(outer);
  leapfrog_.go_back_to(before);
}

void worker::about_to_park() noexcept {
  begins_nested();
  core.parking().stop_polling(waiter);
}

// A blocked worker answers no request: thieves would wait for the timeout, then expose by force.
void worker::leave_slot(const void* at) noexcept {
  about_to_park();
  waits_at_.store(at, base::relaxed);
  if (has_private()) tell_float_mode();
  while (has_private())
    reports.record_event(event::kind::fork_exposed, event::details::times(expose()));
  reports.change(event::activity::blocked);
  reports.record_event(event::kind::slot_handed_over);
  core.parking().release(waiter);
  core.wants().offer_slot(&waiter);
}

void worker::take_slot() noexcept {
  core.parking().acquire(waiter);
  core.parking().note_use();
  waits_at_.store(nullptr, base::relaxed);
  reports.change(event::activity::working);
}

void worker::serve_request(queue::request asked) noexcept {
  // Relaxed: a thief that sees an older time uses force too early, nothing more
  thieves_read_.answered_at.store(base::ticks(), base::relaxed);
  if (asked == queue::request::none) return;
  reports.count(event::kind::request_answered);
  come_within_limit();
  tell_float_mode();
  const std::uint32_t exposed = expose();
  reports.record_event(event::kind::fork_exposed, event::details::times(exposed));
  if (exposed != 0) reports.report_takeable();
  if (asked == queue::request::placed) core.parking().job_published(&waiter);
}

queue::pop_outcome worker::take_back(queue::fork_entry* at) noexcept {
  const queue::pop_outcome outcome = settle(at);
  const bool offers_next =
      outcome == queue::pop_outcome::stolen
          ? search_.eager.thieves_came(us_since_answer())
          : !search_.eager.is_over() && search_.eager.no_thief_came(us_since_answer());
  if (offers_next) request_eagerly();
  return outcome;
}

std::uint64_t worker::us_since_answer() const noexcept {
  // Relaxed: its own
  return (base::ticks() - thieves_read_.answered_at.load(base::relaxed)) / base::ticks_per_us();
}

// Times are compared by their distance, as in `leaves_queues_alone`: if the counter begins again,
// no owner seems to have just answered.
bool worker::is_silent_for(std::uint64_t ticks, std::uint64_t now_ticks) const noexcept {
  if (asked() != queue::request::placed || !has_private()) return false;
  const std::uint64_t answered_at =
      thieves_read_.answered_at.load(base::relaxed);  // relaxed: as above
  return std::min(now_ticks - answered_at, answered_at - now_ticks) >= ticks;
}

}  // namespace filch::sched
