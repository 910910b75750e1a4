#include <filch/sched/driver/driver.hpp>

#include <filch/base/clock.hpp>
#include <filch/sched/poll_scope.hpp>

#include <algorithm>
#include <utility>

namespace filch::inline v0_2::sched {

auto driver::begin_sleep(sleeper& me) noexcept -> begun {
  const bool had_slot = me.holds_slot();
  parking_.lock_.lock();
  const bool ends = parking_.is_shut_down_;
  const bool is_timed = !ends && parking_.timed_sleeper_ == nullptr;
  if (!had_slot) parking_.driver_comes_ = false;  // a new thread: it can be the driver
  if (!ends) {
    parking_.push_sleeper(me);
    if (is_timed) parking_.timed_sleeper_ = &me;
    drive_timers(me);
  }
  auto rest = had_slot ? parking_.put_back(me) : parking_lot::after_unlock{};
  rest.lacks_driver = false;  // this one is the driver now
  // A producer between the two changes of the idle word sees a searcher and wakes no worker: the
  // caller's look follows. `finish` wakes one only if none searches.
  if (had_slot) parking_.idle_.end_search();
  parking_.lock_.unlock();
  parking_.finish(rest);
  return {ends, is_timed};
}

// -------------------------------------------------------------------------------------------------
// private forks

// The two timed parks end in requests that stand while it sleeps: the second catches the fork that
// was under way while the first requests were placed. Returns true if the sleeper should now park
// until it is woken; false if it has a slot, by its own wake or another's, or the pool ends.
bool driver::sleep_timed(sleeper& me, policy::thief_tuning& tuning) noexcept {
  for (const bool is_last : {false, true}) {
    me.reports.count(event::kind::nap);
    const std::uint64_t left = drive_timers_unless_all_work(me);
    const wake_cause how = left == 0 ? wake_cause::by_time
                                     : sleep_for(me, std::min(tuning.next_park_us() * 1000, left));
    if (how == wake_cause::by_somebody) return parking_.was_told_to_drive(me);
    // A timer or an arrival. If no slot is free for it, no worker could steal a fork either.
    if (how != wake_cause::by_clock) {
      if (parking_.wake_self(me)) return false;
      end_timed_parks(me);
      return true;
    }
    if (!goes_on_timed(me, is_last)) return true;
    const bool forks_wait = parking_.host_.request_forks();
    me.reports.report_look(forks_wait);
    if (forks_wait && parking_.wake_self(me)) return false;
  }
  return true;
}

// False: a slot is being granted, and the token is on its way.
bool driver::goes_on_timed(sleeper& me, bool is_last) noexcept {
  base::lock_guard guard{parking_.lock_};
  if (me.is_parked && is_last && parking_.timed_sleeper_ == &me) parking_.timed_sleeper_ = nullptr;
  return me.is_parked;
}

void driver::end_timed_parks(sleeper& me) noexcept {
  base::lock_guard guard{parking_.lock_};
  if (parking_.timed_sleeper_ == &me) parking_.timed_sleeper_ = nullptr;
}

// -------------------------------------------------------------------------------------------------
// timers

// A bound for `external_source::wait_for`: after it the driver looks, and sleeps on.
constexpr std::uint64_t longest_sleep_ns = 3'600'000'000'000;

// How long a sleeper may sleep, in nanoseconds. It becomes `timer_driver_` if no other wakes in
// time. If only the driver's slot is free, it leaves timers to busy workers that take one after the
// other.
std::uint64_t driver::drive_timers(sleeper& me) noexcept {
  for (;;) {
    parking_.stop_driving(me);
    const std::uint64_t first = parking_.timers_.first_ns();
    if (!me.is_parked || first >= parking_.driven_until_ns_.load(base::relaxed))
      return external_source::no_deadline;
    const std::uint64_t now = base::now_ns();
    const bool leaves_them = !parking_.has_free_slot() && parking_.has_free_driver_slot();
    const std::uint64_t looks_at = leaves_them ? timer_backoff_.looks_at(first, now) : first;
    if (looks_at <= now) return 0;
    parking_.timer_driver_ = &me;
    parking_.driven_until_ns_.store(first, base::relaxed);
    parking_.idle_.look_after_publish();
    if (parking_.timers_.first_ns() >= first) return std::min(looks_at - now, longest_sleep_ns);
  }
}

// To run due timers a sleeper needs a slot. If not even the driver's is free, it leaves timers to
// the thread that frees that slot, and to busy workers.
std::uint64_t driver::drive_timers_unless_all_work(sleeper& me) noexcept {
  // The first timer is started before a look at the idle word, which shows this sleeper
  if (!parking_.awaits_something()) return external_source::no_deadline;
  base::lock_guard guard{parking_.lock_};
  const std::uint64_t left = drive_timers(me);
  // A job on the driver's slot may have made others ready, and then blocked.
  const bool is_left_behind = parking_.free_driver_slot_has_jobs();
  if (parking_.can_be_had()) return is_left_behind ? 0 : left;
  if (left == 0) parking_.idle_.note_waiting_work();
  return left == 0 ? external_source::no_deadline : left;
}

// -------------------------------------------------------------------------------------------------
// until a wake

// Parks without looks at forks: until a wake, an arrival, or the time of the first timer.
void driver::sleep_on(sleeper& me) noexcept {
  for (bool has_waited = false;;) {
    const std::uint64_t left = drive_timers_unless_all_work(me), since = base::now_ns();
    const wake_cause how = left == 0 ? wake_cause::by_time : sleep_for(me, left);
    // Then this is another arrival or timer
    if (base::now_ns() - since > policy::timer_backoff::moment_ns) has_waited = false;
    if (how == wake_cause::by_clock) {
      has_waited = false;
    } else if (how == wake_cause::by_somebody) {
      if (!parking_.was_told_to_drive(me)) return;
    } else {
      if (parking_.wake_self(me) || (has_waited && parking_.wake_self_with_driver_slot(me))) return;
      if (wait_for_slot(me) && !parking_.was_told_to_drive(me)) return;
      has_waited = true;
    }
  }
}

// Busy workers poll the source and timers between two jobs: only what is still there a moment later
// waits for a long job. True: it was woken.
bool driver::wait_for_slot(sleeper& me) noexcept {
  parking_.lock_.lock();
  const bool has_time = parking_.can_be_had() || !me.is_parked;
  if (!has_time) {  // the thread that gives the driver's slot back ensures a driver
    parking_.leave_duties(me);
    parking_.idle_.note_waiting_work();
  }
  const bool may_wake = has_time && me.is_parked && parking_.has_free_slot();
  parking_.lock_.unlock();
  if (may_wake) return false;
  if (has_time) return me.parker.park_for(policy::timer_backoff::moment_ns);
  me.parker.park();
  return true;
}

// Blocks in the source if `me` is the poller; else parks, with a timeout if it is the backup
// poller.
auto driver::sleep_for(sleeper& me, std::uint64_t nanoseconds) noexcept -> wake_cause {
  const std::uint64_t until =
      nanoseconds == external_source::no_deadline ? nanoseconds : base::now_ns() + nanoseconds;
  for (std::uint64_t left = nanoseconds;;) {
    const auto [was_backup_poller, mine, looks_again_ns] = take_duty(me);
    // The backup poller's bit was the only wake for some jobs
    if (was_backup_poller && parking_.host_.detached_waits()) parking_.wake_one(&me);
    if (mine == duty::poller) return block_in_source(me, left);
    const std::uint64_t length = std::min(left, looks_again_ns);
    if (length == external_source::no_deadline) {
      me.parker.park();
      return wake_cause::by_somebody;
    }
    if (me.parker.park_for(length)) return wake_cause::by_somebody;
    if (left == length) return wake_cause::by_clock;
    if (left != external_source::no_deadline) left = until - std::min(until, base::now_ns());
  }
}

// -------------------------------------------------------------------------------------------------
// event source

auto driver::block_in_source(sleeper& me, std::uint64_t nanoseconds) noexcept -> wake_cause {
  bool has_arrived = false;
  do {
    const poll_scope here{me.forks};
    has_arrived = parking_.source()->wait_for(nanoseconds);
    // An interrupt may be an old one, meant for the poller before this one.
  } while (nanoseconds == external_source::no_deadline && !has_arrived && !me.parker.has_token());
  parking_.lock_.lock();
  parking_.poller_ = nullptr;
  const bool was_chosen = !me.is_parked;
  const bool lacks_driver = was_chosen && parking_.driver_is_missing();
  parking_.lock_.unlock();
  if (lacks_driver) parking_.ensure_driver();
  if (!was_chosen) return has_arrived ? wake_cause::by_source : wake_cause::by_clock;
  me.parker.park();  // the token is there or on its way
  return wake_cause::by_somebody;
}

// A sleeper that was chosen for a wake must not become the poller: its waker has not seen it here
// and will not interrupt the source. Nor must it if there is an active poller: it would take the
// next arrival, another worker the one after, and so on, each on a processor gone cold.
auto driver::take_duty(sleeper& me) noexcept -> duty_change {
  if (parking_.source() == nullptr) return {};
  base::lock_guard guard{parking_.lock_};
  const bool was_backup_poller = parking_.backup_poller_ == &me;
  const bool polls = me.is_parked && parking_.poller_ == nullptr && !parking_.has_active_poller();
  const bool backs_up = me.is_parked && !polls &&
                        (parking_.backup_poller_ == nullptr || was_backup_poller) &&
                        parking_.had_event_within(policy::busy_source_us);
  policy::poll_interval& interval = parking_.poll_interval_;
  if (was_backup_poller) backs_up ? interval.came_back() : interval.stayed_away();
  if (polls) parking_.poller_ = &me;
  if (!backs_up) parking_.stop_backing_up(me);
  if (backs_up && std::exchange(parking_.backup_poller_, &me) == nullptr)
    parking_.idle_.backup_poller_comes();
  if (backs_up) return {was_backup_poller, duty::backup_poller, interval.us() * 1000};
  return {was_backup_poller, polls ? duty::poller : duty::none};
}

}  // namespace filch::sched
