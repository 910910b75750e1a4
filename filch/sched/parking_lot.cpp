#include <filch/sched/parking_lot.hpp>

#include <filch/base/clock.hpp>
#include <filch/base/thread.hpp>
#include <filch/sched/scheduler.hpp>
#include <filch/sched/slot_allocator_steps.hpp>

#include <algorithm>
#include <utility>

namespace filch::sched {

template class basic_slot_allocator<parking_lot, base::real_sync, slot, base::parker>;

parking_lot::parking_lot(scheduler& core, unsigned slot_count)
    : basic_slot_allocator{slot_count}, core_{core} {}

// -------------------------------------------------------------------------------------------------
// external threads
worker* parking_lot::enter() noexcept {
  lock_.lock();
  worker* const place = pop_place();
  if (place == nullptr) {
    lock_.unlock();
    return nullptr;
  }
  place->claim.is_external = true;
  const after_unlock rest = grant(place->claim);
  ++entries_;
  unlock_and_ensure_driver();
  finish(rest);
  return place;
}

worker* parking_lot::take_place() noexcept {
  base::lock_guard guard{lock_};
  return pop_place();
}

worker* parking_lot::pop_place() noexcept {
  const unsigned index = places_->take();
  return index == index_table::none ? nullptr : &core_.at(index);
}

void parking_lot::leave(worker& visitor) noexcept {
  lock_.lock();
  const after_unlock rest = put_back(visitor.claim);
  visitor.claim.is_external = false;
  places_->put_back(visitor.index);
  lock_.unlock();
  finish(rest);
}

void parking_lot::return_place(worker& unused) noexcept {
  base::lock_guard guard{lock_};
  places_->put_back(unused.index);
}

void parking_lot::note_use(const worker& made) noexcept {
  base::lock_guard guard{lock_};
  places_->note_use(made.index);
}

// -------------------------------------------------------------------------------------------------
// wakes
void parking_lot::job_published_to_poller(worker* by) noexcept {
  const auto seen = idle_.announce_work();
  if (policy::wakes_somebody(seen) && !seen.has_backup_poller) wake_one(by);
}

// The driver is the last to be woken for other work.
worker* parking_lot::pop_sleeper() noexcept {
  worker** link = &sleepers_;
  if (*link == nullptr) return nullptr;
  while ((*link == poller_ || *link == backup_poller_ || *link == timer_driver_) &&
         (*link)->next_idle != nullptr)
    link = &(*link)->next_idle;
  worker* const woken = *link;
  *link = woken->next_idle;
  woken->is_parked = false;
  if (timed_sleeper_ == woken) timed_sleeper_ = nullptr;
  leave_role(*woken);
  return woken;
}

void parking_lot::wake_for_visible_work() noexcept {
  if (core_.work_visible() || source_lacks_poller()) wake_one(nullptr);
}

void parking_lot::wake_one(worker* by) noexcept {
  lock_.lock();
  const bool is_needed = idle_.peek().searching == 0 && !is_shut_down_;
  slot* const given = is_needed ? take_free_slot() : nullptr;
  if (given == nullptr) {
    // Slots are freed under this lock: the thread that frees the next one sees the note.
    if (is_needed) idle_.note_waiting_work();
    lock_.unlock();
    return;
  }
  idle_.slot_taken_to_search();
  worker* const woken = pop_sleeper();
  const bool sits = woken != nullptr && woken == poller_;
  if (woken != nullptr) {
    woken->claim.granted = given;
    woken->was_just_woken_ = woken != by;
  }
  const bool lacks_driver = driver_is_missing();
  lock_.unlock();
  core_.set_wanted(false);
  core_.note_use();
  if (by != nullptr)
    by->record_event(event::kind::wake_sent,
                     event::details::with(woken == nullptr ? event::record::nobody : woken->index));
  if (woken != nullptr) {
    if (woken != by) woken->woken_at_ticks_ = base::ticks();
    unpark(*woken, sits);
  } else if (!core_.try_start_thread(given)) {
    return_unused(given, by);
    core_.note_shortage();
  }
  // Last: if threads are short, the slot gets the first one
  if (lacks_driver) ensure_driver();
}

// No thread could be started for the slot. Meanwhile this counted as a search, so workers may have
// parked over work.
void parking_lot::return_unused(slot* given, worker* by) noexcept {
  lock_.lock();
  static_cast<void>(put_back_regular(given));  // this function looks for work, below
  lock_.unlock();
  idle_.end_search();
  lock_.lock();
  const bool can_wake = sleepers_ != nullptr;
  lock_.unlock();
  if (can_wake && core_.work_visible()) wake_one(by);
}

// -------------------------------------------------------------------------------------------------
// sleep
void parking_lot::remove_sleeper(worker& me) noexcept {
  worker** link = &sleepers_;
  while (*link != &me) link = &(*link)->next_idle;
  *link = me.next_idle;
  me.is_parked = false;
  leave_role(me);
}

void parking_lot::sleep(worker& me) noexcept {
  me.record_event(event::kind::parked);
  const bool lost_interest = me.tuning_.is_spent();
  me.tuning_.rest();
  const bool had_slot = me.holds_slot();
  lock_.lock();
  const bool watches = !is_shut_down_ && timed_sleeper_ == nullptr;
  if (!had_slot) driver_comes_ = false;  // it was started as the driver
  if (!is_shut_down_) {
    push_sleeper(me, watches);
    drive_timers(me);
  }
  const bool ends = is_shut_down_;
  after_unlock rest = had_slot ? put_back(me.claim) : after_unlock{};
  rest.lacks_driver = false;  // this one is the driver now
  // Both under the lock: a producer that saw the free slot and still a searcher would not wake
  if (had_slot) idle_.end_search();
  lock_.unlock();
  finish(rest);
  if (ends) return;
  // The recheck: either this sees the job or its producer saw the free slot and no searcher.
  // (edge::announce) Forks that were not worth stealing need no thief: their owner runs them, and
  // `timed_sleeper_` looks whether they stay.
  const bool sees_work = core_.work_visible();
  me.change(event::activity::parked, worker::as_ready(sees_work));
  if (lost_interest ? core_.detached_waits() : sees_work) wake_one(&me);
  const base::waiting_for why{"work"};
  // It may have to run while all other workers are busy
  if (core_.awaits_something()) base::take_turns_of(base::turn_length::shortest);
  if (!watches || timed_park(me)) sleep_on(me);
  core_.note_use();
  me.report_waking();
}

void parking_lot::push_sleeper(worker& me, bool watches) noexcept {
  me.next_idle = sleepers_;
  sleepers_ = &me;
  me.is_parked = true;
  stop_polling(me);
  if (watches) timed_sleeper_ = &me;
}

void parking_lot::judge_wake(bool came_in_time) noexcept {
  base::lock_guard guard{lock_};
  came_in_time ? wakes_.came_in_time() : wakes_.came_too_late();
}

// If wakes by forks have not paid, `timed_sleeper_` goes on looking by itself until the pool has
// been idle for a while.
bool parking_lot::keeps_timed_parks(std::uint64_t& last_active,
                                    std::uint64_t& seen_entries) noexcept {
  if (wakes_.pays()) return false;
  const std::uint64_t now = base::ticks();
  if (std::exchange(seen_entries, entries_) != entries_ || is_in_use(idle_.peek()))
    last_active = now;
  if (now - last_active < policy::wake_record::watch_us * base::ticks_per_us()) return true;
  wakes_.watch_ended();
  return false;
}

// The last two timed parks end in requests that stand while it sleeps: the second catches the fork
// that was under way while the first requests were placed. Returns true if the sleeper should now
// park until it is woken; false if it has woken itself.
bool parking_lot::timed_park(worker& me) noexcept {
  std::uint64_t last_active = base::ticks(), seen_entries = 0;
  for (bool has_asked = false;;) {
    me.count(event::kind::nap);
    const std::uint64_t left = drive_timers_unless_all_work(me);
    const wake_cause how = left == 0
                               ? wake_cause::by_time
                               : sleep_for(me, std::min(me.tuning_.next_park_us() * 1000, left));
    if (how == wake_cause::by_somebody) return was_told_to_drive(me);
    if (how !=
        wake_cause::by_clock) {  // an arrival or a timer; if all are busy, no thief is missing
      if (wake_self(me)) return false;
      end_timed_parks(me);
      return true;
    }
    lock_.lock();
    const bool is_mine = me.is_parked;
    const bool asks = has_asked || !keeps_timed_parks(last_active, seen_entries);
    if (is_mine && has_asked && timed_sleeper_ == &me) timed_sleeper_ = nullptr;
    lock_.unlock();
    if (!is_mine) return true;  // a slot is being granted: the token is on its way
    if (asks) core_.request_from_all();
    const bool forks_wait = core_.forks_wait();
    me.report_look(forks_wait);
    if (forks_wait && wake_self(me)) return false;
    if (has_asked) return true;
    has_asked = asks;
  }
}

void parking_lot::end_timed_parks(worker& me) noexcept {
  base::lock_guard guard{lock_};
  if (timed_sleeper_ == &me) timed_sleeper_ = nullptr;
}

void parking_lot::take_wake(worker& me, slot* taken) noexcept {
  remove_sleeper(me);
  if (timed_sleeper_ == &me) timed_sleeper_ = nullptr;
  me.claim.granted = taken;
  me.was_just_woken_ = false;
}

bool parking_lot::wake_self(worker& me) noexcept {
  lock_.lock();
  slot* const taken = me.is_parked ? take_free_slot() : nullptr;
  if (taken == nullptr) {
    // Ensures no driver: it would tell itself, as it is listed but does not sleep
    lock_.unlock();
    return false;
  }
  take_wake(me, taken);
  me.rose_by_itself_ = true;
  idle_.slot_taken_to_search();
  unlock_and_ensure_driver();
  me.count(event::kind::self_wake);
  core_.set_wanted(false);
  return true;
}

// With the driver's slot, for a timer or an arrival while all others are taken.
bool parking_lot::wake_self_beside(worker& me) noexcept {
  lock_.lock();
  slot* const taken = me.is_parked ? take_extra() : nullptr;
  if (taken != nullptr) {
    take_wake(me, taken);
    idle_.begin_search();
  }
  lock_.unlock();
  if (taken == nullptr) return false;
  me.count(event::kind::self_wake);
  return true;
}

void parking_lot::shut_down() noexcept {
  lock_.lock();
  is_shut_down_ = true;
  while (worker* const woken = pop_sleeper()) {
    unpark(*woken, woken == poller_);
  }
  lock_.unlock();
}

}  // namespace filch::sched
