// Who minds what comes at its time: the keeper of the first timer, the sitter in the external
// source, and how they get up though all slots are taken.
#include <filch/base/clock.hpp>
#include <filch/base/thread.hpp>
#include <filch/sched/core.hpp>
#include <filch/sched/roster.hpp>
#include <filch/sched/sitting.hpp>

#include <algorithm>

namespace filch::sched {

// -------------------------------------------------------------------------------------------------
// what comes at its time Under the lock, so that it is known who sleeps, and where.
bool roster::nobody_minds() const noexcept {
  return !minder_comes_ && !is_shut_down_ && !has_free_slot() && has_free_extra() &&
         ((core_.source() != nullptr && sitter_ == nullptr && guard_ == nullptr) ||
          time_is_lost() || free_extra_has_jobs());
}

// Who is told leaves the list, so that nobody chooses it for a wake meanwhile: each time in the
// list there is one token.
void roster::see_to_minding() noexcept {
  if (!core_.awaits_something()) return;
  lock_.lock();
  // Somebody else may have seen to it since the caller looked
  const bool is_needed = nobody_minds();
  worker* const told = is_needed ? pop_sleeper() : nullptr;
  const bool sits = told != nullptr && told == sitter_;
  minder_comes_ = minder_comes_ || is_needed;
  lock_.unlock();
  if (told != nullptr) {
    rouse(*told, sits);
  } else if (is_needed && !core_.try_start_minder()) {  // then what comes waits for who ends a job
    base::lock_guard guard{lock_};
    minder_comes_ = false;
  }
}

// True: it was to look, and sleeps again. What became visible while it was in no list it looks for
// as who falls asleep.
bool roster::was_only_told(worker& me) noexcept {
  lock_.lock();
  const bool is_told = !me.holds_slot() && !is_shut_down_;
  if (is_told) {
    push_sleeper(me, false);
    minder_comes_ = false;
  }
  lock_.unlock();
  if (is_told && core_.work_visible()) wake_one(&me);
  return is_told;
}

// -------------------------------------------------------------------------------------------------
// timers Either this sees until when the keeper sleeps, or the keeper's second look sees the timer.
// (edge::announce)
void roster::see_to_time(std::uint64_t due_ns, worker* by) noexcept {
  const auto seen = idle_.announce_work();
  if (due_ns >= kept_until_ns_.load(base::relaxed)) return;
  if (policy::wakes_somebody(seen)) {
    wake_one(by);
  } else if (seen.searching == 0) {
    see_to_minding();
  }
}

bool roster::time_is_lost() const noexcept {
  return core_.uses_timers() && core_.first_timer_ns() < kept_until_ns_.load(base::relaxed);
}

void roster::lose_time(const worker& me) noexcept {
  if (keeper_ != &me) return;
  keeper_ = nullptr;
  kept_until_ns_.store(timer::never, base::relaxed);
}

// So that no source has to count further: it gets up, looks, and sleeps on.
constexpr std::uint64_t longest_sleep_ns = 3'600'000'000'000;

// For how long a sleeper may sleep, in nanoseconds. It becomes the keeper if there is no other that
// gets up in time. Where only the extra slot is free it leaves timers to those who take one after
// the other.
std::uint64_t roster::keep_time(worker& me) noexcept {
  for (;;) {
    lose_time(me);
    const std::uint64_t first = core_.first_timer_ns();
    if (!me.is_parked || first >= kept_until_ns_.load(base::relaxed))
      return external_source::no_deadline;
    const std::uint64_t now = base::now_ns();
    const bool forbears = !has_free_slot() && has_free_extra();
    const std::uint64_t gets_up_at = forbears ? timer_backoff_.looks_at(first, now) : first;
    if (gets_up_at <= now) return 0;
    keeper_ = &me;
    kept_until_ns_.store(first, base::relaxed);
    idle_.look_after_publish();
    if (core_.first_timer_ns() >= first) return std::min(gets_up_at - now, longest_sleep_ns);
  }
}

// Who has nothing to do but to get up for timers that are due needs a slot. Where not even the
// extra one can be had it leaves them to who frees that, and to those who work.
std::uint64_t roster::keep_time_unless_all_work(worker& me) noexcept {
  if (!core_.awaits_something())
    return external_source::
        // The first one is started before a look at the idle word, where this sleeps already
        no_deadline;
  base::lock_guard guard{lock_};
  const std::uint64_t left = keep_time(me);
  // What was served there may have left something ready, and blocked.
  const bool is_left_behind = free_extra_has_jobs();
  if (can_be_had()) return is_left_behind ? 0 : left;
  if (left == 0) idle_.note_waiting_work();
  return left == 0 ? external_source::no_deadline : left;
}

// The sleep without naps: until somebody wakes it, something has arrived, or the first timer is
// due.
void roster::sleep_on(worker& me) noexcept {
  for (bool has_waited = false;;) {
    const std::uint64_t left = keep_time_unless_all_work(me), since = base::now_ns();
    const roused how = left == 0 ? roused::by_time : sleep_for(me, left);
    // This is something else
    if (base::now_ns() - since > policy::timer_backoff::moment_ns) has_waited = false;
    if (how == roused::by_clock) {
      has_waited = false;
    } else if (how == roused::by_somebody) {
      if (!was_only_told(me)) return;
    } else {
      if (get_up(me) || (has_waited && get_up_beside(me))) return;
      if (wait_for_slot(me) && !was_only_told(me)) return;
      has_waited = true;
    }
  }
}

// Those who work look at the source and at timers between two jobs: only what is there after a
// moment waits for a long one. True: somebody has woken it.
bool roster::wait_for_slot(worker& me) noexcept {
  lock_.lock();
  const bool has_time = can_be_had() || !me.is_parked;
  if (!has_time) {  // who gives the extra slot back tells somebody
    leave_post(me);
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
// external source Sleeps in the source, if there is one and the seat is free; else as everybody,
// but for the guard, which looks again soon.
roster::roused roster::sleep_for(worker& me, std::uint64_t nanoseconds) noexcept {
  const std::uint64_t until =
      nanoseconds == external_source::no_deadline ? nanoseconds : base::now_ns() + nanoseconds;
  for (std::uint64_t left = nanoseconds;;) {
    const auto [was_guard, mine, looks_again_ns] = take_post(me);
    // Of some jobs nobody was told but by the guard's bit
    if (was_guard && core_.detached_waits()) wake_one(&me);
    if (mine == post::seat) return sit(me, left);
    const std::uint64_t length = std::min(left, looks_again_ns);
    if (length == external_source::no_deadline) {
      me.claim.parker.park();
      return roused::by_somebody;
    }
    if (me.claim.parker.park_for(length)) return roused::by_somebody;
    if (left == length) return roused::by_clock;
    if (left != external_source::no_deadline) left = until - std::min(until, base::now_ns());
  }
}

roster::roused roster::sit(worker& me, std::uint64_t nanoseconds) noexcept {
  bool has_arrived = false;
  do {
    const sitting here{me};
    has_arrived = core_.source()->wait_for(nanoseconds);
    // An interrupt may be an old one, meant for who sat here before.
  } while (nanoseconds == external_source::no_deadline && !has_arrived &&
           !me.claim.parker.has_token());
  lock_.lock();
  sitter_ = nullptr;
  const bool was_chosen = !me.is_parked;
  const bool is_left_alone = was_chosen && nobody_minds();
  lock_.unlock();
  if (is_left_alone) see_to_minding();
  if (!was_chosen) return has_arrived ? roused::by_source : roused::by_clock;
  me.claim.parker.park();  // the token is there or on its way
  return roused::by_somebody;
}

// Who was chosen for a wake before it sat down must not: its waker has not seen it here and will
// not interrupt the source. Nor does who sees that another is up and has just taken what arrived:
// the next arrival would be its own, and so on, each on a processor gone cold.
auto roster::take_post(worker& me) noexcept -> change_of_post {
  if (core_.source() == nullptr) return {};
  base::lock_guard guard{lock_};
  const bool was_guard = guard_ == &me;
  const bool sits = me.is_parked && sitter_ == nullptr && !is_attended();
  const bool guards = me.is_parked && !sits && (guard_ == nullptr || was_guard) &&
                      has_arrived_within(policy::busy_source_us);
  if (was_guard) guards ? poll_interval_.came_back() : poll_interval_.stayed_away();
  if (sits) sitter_ = &me;
  if (!guards) stop_guarding(me);
  if (guards && std::exchange(guard_, &me) == nullptr) idle_.guard_comes();
  if (guards) return {was_guard, post::guard, poll_interval_.us() * 1000};
  return {was_guard, sits ? post::seat : post::none};
}

// Whoever does looks for work afterwards, or notes that there may be some.
void roster::stop_guarding(const worker& me) noexcept {
  if (guard_ != &me) return;
  guard_ = nullptr;
  idle_.guard_leaves();
}

void roster::leave_post(const worker& me) noexcept {
  lose_time(me);
  stop_guarding(me);
}

bool roster::has_arrived_within(std::uint64_t microseconds) const noexcept {
  const std::uint64_t last = last_arrival_ticks_.load(base::relaxed);
  return last != 0 && base::ticks() - last < microseconds * base::ticks_per_us();
}

bool roster::is_attended() const noexcept {
  return attendant_.load(base::relaxed) != nullptr && has_arrived_within(poll_interval_.us());
}

void roster::stop_attending(const worker& me) noexcept {
  if (attendant_.load(base::relaxed) == &me) attendant_.store(nullptr, base::relaxed);
}

void roster::rouse(worker& woken, bool sits) noexcept {
  woken.claim.parker.unpark();
  if (sits) core_.source()->interrupt();
}

bool roster::seat_is_free() noexcept {
  if (core_.source() == nullptr) return false;
  base::lock_guard guard{lock_};
  return sitter_ == nullptr && has_free_slot() && !(guard_ != nullptr && is_attended());
}

}  // namespace filch::sched
