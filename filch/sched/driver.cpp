// The driver: the sleeper that wakes for the first timer (`timer_driver_`), the poller in the event
// source (`poller_`), the backup poller (`backup_poller_`), and how they run while all slots are
// taken.
#include <filch/base/clock.hpp>
#include <filch/base/thread.hpp>
#include <filch/sched/parking_lot.hpp>
#include <filch/sched/poll_scope.hpp>
#include <filch/sched/scheduler.hpp>

#include <algorithm>

namespace filch::sched {

// -------------------------------------------------------------------------------------------------
// ensure a driver

// All slots are taken, and a timer, an arrival or a job on the driver's slot waits without a
// sleeper that would wake for it.
bool parking_lot::driver_is_missing() const noexcept {
  return !driver_comes_ && !is_shut_down_ && !has_free_slot() && has_free_extra() &&
         ((core_.source() != nullptr && poller_ == nullptr && backup_poller_ == nullptr) ||
          timer_lacks_driver() || free_extra_has_jobs());
}

// The sleeper that is told to look leaves the list, so that no thread chooses it for a wake
// meanwhile: each time in the list is worth one token.
void parking_lot::ensure_driver() noexcept {
  if (!core_.awaits_something()) return;
  lock_.lock();
  // Another thread may have done it since the caller looked
  const bool is_needed = driver_is_missing();
  worker* const told = is_needed ? pop_sleeper() : nullptr;
  const bool sits = told != nullptr && told == poller_;
  driver_comes_ = driver_comes_ || is_needed;
  lock_.unlock();
  if (told != nullptr) {
    unpark(*told, sits);
  } else if (is_needed && !core_.try_start_driver()) {  // then arrivals wait until a job ends
    base::lock_guard guard{lock_};
    driver_comes_ = false;
  }
}

// True: it was woken only to look, and is in the list again. Work may have become visible while it
// was in no list, so it looks once more, as after any announcement of sleep.
bool parking_lot::was_told_to_drive(worker& me) noexcept {
  lock_.lock();
  const bool is_told = !me.holds_slot() && !is_shut_down_;
  if (is_told) {
    push_sleeper(me, false);
    driver_comes_ = false;
  }
  lock_.unlock();
  if (is_told && core_.work_visible()) wake_one(&me);
  return is_told;
}

// -------------------------------------------------------------------------------------------------
// timers

// Either this sees until when the driver sleeps, or the driver's second look sees the timer.
// (edge::announce)
void parking_lot::ensure_timer_driver(std::uint64_t due_ns, worker* by) noexcept {
  const auto seen = idle_.announce_work();
  if (due_ns >= driven_until_ns_.load(base::relaxed)) return;
  if (policy::wakes_somebody(seen)) {
    wake_one(by);
  } else if (seen.searching == 0) {
    ensure_driver();
  }
}

bool parking_lot::timer_lacks_driver() const noexcept {
  return core_.uses_timers() && core_.first_timer_ns() < driven_until_ns_.load(base::relaxed);
}

void parking_lot::stop_driving(const worker& me) noexcept {
  if (timer_driver_ != &me) return;
  timer_driver_ = nullptr;
  driven_until_ns_.store(timer::never, base::relaxed);
}

// A bound for `external_source::wait_for`: after it the driver looks, and sleeps on.
constexpr std::uint64_t longest_sleep_ns = 3'600'000'000'000;

// How long a sleeper may sleep, in nanoseconds. It becomes `timer_driver_` if no other wakes in
// time. If only the driver's slot is free, it leaves timers to busy workers that take one after the
// other.
std::uint64_t parking_lot::drive_timers(worker& me) noexcept {
  for (;;) {
    stop_driving(me);
    const std::uint64_t first = core_.first_timer_ns();
    if (!me.is_parked || first >= driven_until_ns_.load(base::relaxed))
      return external_source::no_deadline;
    const std::uint64_t now = base::now_ns();
    const bool forbears = !has_free_slot() && has_free_extra();
    const std::uint64_t gets_up_at = forbears ? timer_backoff_.looks_at(first, now) : first;
    if (gets_up_at <= now) return 0;
    timer_driver_ = &me;
    driven_until_ns_.store(first, base::relaxed);
    idle_.look_after_publish();
    if (core_.first_timer_ns() >= first) return std::min(gets_up_at - now, longest_sleep_ns);
  }
}

// To run due timers a sleeper needs a slot. If not even the driver's is free, it leaves timers to
// the thread that frees that slot, and to busy workers.
std::uint64_t parking_lot::drive_timers_unless_all_work(worker& me) noexcept {
  if (!core_.awaits_something())
    return external_source::
        // The first timer is started before a look at the idle word, which shows this sleeper
        no_deadline;
  base::lock_guard guard{lock_};
  const std::uint64_t left = drive_timers(me);
  // A job on the driver's slot may have made others ready, and then blocked.
  const bool is_left_behind = free_extra_has_jobs();
  if (can_be_had()) return is_left_behind ? 0 : left;
  if (left == 0) idle_.note_waiting_work();
  return left == 0 ? external_source::no_deadline : left;
}

// Parks without looks at forks: until a wake, an arrival, or the time of the first timer.
void parking_lot::sleep_on(worker& me) noexcept {
  for (bool has_waited = false;;) {
    const std::uint64_t left = drive_timers_unless_all_work(me), since = base::now_ns();
    const wake_cause how = left == 0 ? wake_cause::by_time : sleep_for(me, left);
    // Then this is another arrival or timer
    if (base::now_ns() - since > policy::timer_backoff::moment_ns) has_waited = false;
    if (how == wake_cause::by_clock) {
      has_waited = false;
    } else if (how == wake_cause::by_somebody) {
      if (!was_told_to_drive(me)) return;
    } else {
      if (wake_self(me) || (has_waited && wake_self_beside(me))) return;
      if (wait_for_slot(me) && !was_told_to_drive(me)) return;
      has_waited = true;
    }
  }
}

// Busy workers poll the source and timers between two jobs: only what is still there a moment later
// waits for a long job. True: it was woken.
bool parking_lot::wait_for_slot(worker& me) noexcept {
  lock_.lock();
  const bool has_time = can_be_had() || !me.is_parked;
  if (!has_time) {  // the thread that gives the driver's slot back ensures a driver
    leave_role(me);
    idle_.note_waiting_work();
  }
  const bool may_get_up = has_time && me.is_parked && has_free_slot();
  lock_.unlock();
  if (may_get_up) return false;
  if (has_time) return me.claim.parker.park_for(policy::timer_backoff::moment_ns);
  me.claim.parker.park();
  return true;
}

// -------------------------------------------------------------------------------------------------
// event source

// Blocks in the source if `me` is the poller; else parks, with a timeout if it is the backup
// poller.
parking_lot::wake_cause parking_lot::sleep_for(worker& me, std::uint64_t nanoseconds) noexcept {
  const std::uint64_t until =
      nanoseconds == external_source::no_deadline ? nanoseconds : base::now_ns() + nanoseconds;
  for (std::uint64_t left = nanoseconds;;) {
    const auto [was_backup_poller, mine, looks_again_ns] = take_role(me);
    // The backup poller's bit was the only wake for some jobs
    if (was_backup_poller && core_.detached_waits()) wake_one(&me);
    if (mine == role::poller) return block_in_source(me, left);
    const std::uint64_t length = std::min(left, looks_again_ns);
    if (length == external_source::no_deadline) {
      me.claim.parker.park();
      return wake_cause::by_somebody;
    }
    if (me.claim.parker.park_for(length)) return wake_cause::by_somebody;
    if (left == length) return wake_cause::by_clock;
    if (left != external_source::no_deadline) left = until - std::min(until, base::now_ns());
  }
}

parking_lot::wake_cause parking_lot::block_in_source(worker& me,
                                                     std::uint64_t nanoseconds) noexcept {
  bool has_arrived = false;
  do {
    const poll_scope here{me};
    has_arrived = core_.source()->wait_for(nanoseconds);
    // An interrupt may be an old one, meant for the poller before this one.
  } while (nanoseconds == external_source::no_deadline && !has_arrived &&
           !me.claim.parker.has_token());
  lock_.lock();
  poller_ = nullptr;
  const bool was_chosen = !me.is_parked;
  const bool lacks_driver = was_chosen && driver_is_missing();
  lock_.unlock();
  if (lacks_driver) ensure_driver();
  if (!was_chosen) return has_arrived ? wake_cause::by_source : wake_cause::by_clock;
  me.claim.parker.park();  // the token is there or on its way
  return wake_cause::by_somebody;
}

// A sleeper that was chosen for a wake must not become the poller: its waker has not seen it here
// and will not interrupt the source. Nor must it if there is an active poller: it would take the
// next arrival, another worker the one after, and so on, each on a processor gone cold.
auto parking_lot::take_role(worker& me) noexcept -> role_change {
  if (core_.source() == nullptr) return {};
  base::lock_guard guard{lock_};
  const bool was_backup_poller = backup_poller_ == &me;
  const bool polls = me.is_parked && poller_ == nullptr && !has_active_poller();
  const bool backs_up = me.is_parked && !polls &&
                        (backup_poller_ == nullptr || was_backup_poller) &&
                        had_event_within(policy::busy_source_us);
  if (was_backup_poller) backs_up ? poll_interval_.came_back() : poll_interval_.stayed_away();
  if (polls) poller_ = &me;
  if (!backs_up) stop_backing_up(me);
  if (backs_up && std::exchange(backup_poller_, &me) == nullptr) idle_.backup_poller_comes();
  if (backs_up) return {was_backup_poller, role::backup_poller, poll_interval_.us() * 1000};
  return {was_backup_poller, polls ? role::poller : role::none};
}

// The caller looks for work afterwards, or notes that there may be some.
void parking_lot::stop_backing_up(const worker& me) noexcept {
  if (backup_poller_ != &me) return;
  backup_poller_ = nullptr;
  idle_.backup_poller_leaves();
}

void parking_lot::leave_role(const worker& me) noexcept {
  stop_driving(me);
  stop_backing_up(me);
}

bool parking_lot::had_event_within(std::uint64_t microseconds) const noexcept {
  const std::uint64_t last = last_event_ticks_.load(base::relaxed);
  return last != 0 && base::ticks() - last < microseconds * base::ticks_per_us();
}

bool parking_lot::has_active_poller() const noexcept {
  return active_poller_.load(base::relaxed) != nullptr && had_event_within(poll_interval_.us());
}

void parking_lot::stop_polling(const worker& me) noexcept {
  if (active_poller_.load(base::relaxed) == &me) active_poller_.store(nullptr, base::relaxed);
}

void parking_lot::unpark(worker& woken, bool sits) noexcept {
  woken.claim.parker.unpark();
  if (sits) core_.source()->interrupt();
}

bool parking_lot::source_lacks_poller() noexcept {
  if (core_.source() == nullptr) return false;
  base::lock_guard guard{lock_};
  return poller_ == nullptr && has_free_slot() &&
         !(backup_poller_ != nullptr && has_active_poller());
}

}  // namespace filch::sched
