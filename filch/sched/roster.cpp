#include <filch/sched/roster.hpp>

#include <filch/base/clock.hpp>
#include <filch/base/thread.hpp>
#include <filch/sched/core.hpp>
#include <filch/sched/slot_exchange_steps.hpp>

#include <algorithm>
#include <utility>

namespace filch::sched {

template class basic_slot_exchange<roster, base::real_sync, slot, base::parker>;

roster::roster(pool_core& core, unsigned slot_count)
    : basic_slot_exchange{slot_count}, core_{core} {}

// -------------------------------------------------------------------------------------------------
// visitors
worker* roster::enter() noexcept {
  lock_.lock();
  worker* const place = pop_place();
  if (place == nullptr) {
    lock_.unlock();
    return nullptr;
  }
  place->claim.is_external = true;
  const after_unlock rest = grant(place->claim);
  ++entries_;
  unlock_and_see_to_minding();
  finish(rest);
  return place;
}

worker* roster::take_place() noexcept {
  base::lock_guard guard{lock_};
  return pop_place();
}

worker* roster::pop_place() noexcept {
  const unsigned index = places_->take();
  return index == place_table::none ? nullptr : &core_.at(index);
}

void roster::leave(worker& visitor) noexcept {
  lock_.lock();
  const after_unlock rest = put_back(visitor.claim);
  visitor.claim.is_external = false;
  places_->put_back(visitor.index);
  lock_.unlock();
  finish(rest);
}

void roster::return_place(worker& unused) noexcept {
  base::lock_guard guard{lock_};
  places_->put_back(unused.index);
}

void roster::note_use(const worker& made) noexcept {
  base::lock_guard guard{lock_};
  places_->note_use(made.index);
}

// -------------------------------------------------------------------------------------------------
// wakes
void roster::notify_guard(worker* by) noexcept {
  const auto seen = idle_.announce_work();
  if (policy::wakes_somebody(seen) && !seen.is_guarded) wake_one(by);
}

// Who sleeps in the external source, or keeps the time, is the last to be woken for anything else.
worker* roster::pop_sleeper() noexcept {
  worker** link = &sleepers_;
  if (*link == nullptr) return nullptr;
  while ((*link == sitter_ || *link == guard_ || *link == keeper_) && (*link)->next_idle != nullptr)
    link = &(*link)->next_idle;
  worker* const woken = *link;
  *link = woken->next_idle;
  woken->is_parked = false;
  if (watcher_ == woken) watcher_ = nullptr;
  leave_post(*woken);
  return woken;
}

void roster::wake_for_visible_work() noexcept {
  if (core_.work_visible() || seat_is_free()) wake_one(nullptr);
}

void roster::wake_one(worker* by) noexcept {
  lock_.lock();
  const bool is_needed = idle_.peek().searching == 0 && !is_shut_down_;
  slot* const given = is_needed ? take_free_slot() : nullptr;
  if (given == nullptr) {
    // Slots are freed under this lock: whoever frees the next one sees the note.
    if (is_needed) idle_.note_waiting_work();
    lock_.unlock();
    return;
  }
  idle_.slot_taken_to_search();
  worker* const woken = pop_sleeper();
  const bool sits = woken != nullptr && woken == sitter_;
  if (woken != nullptr) {
    woken->claim.granted = given;
    woken->was_just_woken_ = woken != by;
  }
  const bool is_left_alone = nobody_minds();
  lock_.unlock();
  core_.set_wanted(false);
  core_.note_use();
  if (by != nullptr)
    by->record_event(event::kind::wake_sent,
                     event::details::with(woken == nullptr ? event::record::nobody : woken->index));
  if (woken != nullptr) {
    if (woken != by) woken->woken_at_ticks_ = base::ticks();
    rouse(*woken, sits);
  } else if (!core_.try_start_thread(given)) {
    return_unused(given, by);
    core_.note_shortage();
  }
  // Afterwards: of threads that are short, who has a slot gets the first
  if (is_left_alone) see_to_minding();
}

// No thread could be started for the slot. Meanwhile this counted as a search, so others may have
// gone to sleep over work.
void roster::return_unused(slot* given, worker* by) noexcept {
  lock_.lock();
  static_cast<void>(put_back_regular(given));  // looks for work itself, below
  lock_.unlock();
  idle_.end_search();
  lock_.lock();
  const bool can_wake = sleepers_ != nullptr;
  lock_.unlock();
  if (can_wake && core_.work_visible()) wake_one(by);
}

// -------------------------------------------------------------------------------------------------
// sleep
void roster::remove_sleeper(worker& me) noexcept {
  worker** link = &sleepers_;
  while (*link != &me) link = &(*link)->next_idle;
  *link = me.next_idle;
  me.is_parked = false;
  leave_post(me);
}

void roster::sleep(worker& me) noexcept {
  me.record_event(event::kind::parked);
  const bool lost_interest = me.tuning_.is_spent();
  me.tuning_.rest();
  const bool had_slot = me.holds_slot();
  lock_.lock();
  const bool watches = !is_shut_down_ && watcher_ == nullptr;
  if (!had_slot) minder_comes_ = false;  // it was started for that
  if (!is_shut_down_) {
    push_sleeper(me, watches);
    keep_time(me);
  }
  const bool ends = is_shut_down_;
  after_unlock rest = had_slot ? put_back(me.claim) : after_unlock{};
  rest.is_left_alone = false;  // this one is going to mind what comes
  // With the slot: a producer that saw the one without the other would wake nobody
  if (had_slot) idle_.end_search();
  lock_.unlock();
  finish(rest);
  if (ends) return;
  // The recheck: either this sees the job or its producer saw the free slot and no searcher.
  // (edge::announce) Forks that were not worth stealing need nobody: their owner does them, and the
  // watcher looks whether they stay.
  const bool sees_work = core_.work_visible();
  me.change(event::activity::parked, worker::as_ready(sees_work));
  if (lost_interest ? core_.detached_waits() : sees_work) wake_one(&me);
  const base::waiting_for why{"work"};
  // It gets up where all others work
  if (core_.awaits_something()) base::take_turns_of(base::turn_length::shortest);
  if (!watches || nap(me)) sleep_on(me);
  core_.note_use();
  me.report_waking();
}

void roster::push_sleeper(worker& me, bool watches) noexcept {
  me.next_idle = sleepers_;
  sleepers_ = &me;
  me.is_parked = true;
  stop_attending(me);
  if (watches) watcher_ = &me;
}

void roster::judge_wake(bool came_in_time) noexcept {
  base::lock_guard guard{lock_};
  came_in_time ? wakes_.came_in_time() : wakes_.came_too_late();
}

// Where wakes by forks have not paid, the watcher goes on looking by itself until nothing has
// stirred for a while.
bool roster::keeps_watch(std::uint64_t& last_active, std::uint64_t& seen_entries) noexcept {
  if (wakes_.pays()) return false;
  const std::uint64_t now = base::ticks();
  if (std::exchange(seen_entries, entries_) != entries_ || is_in_use(idle_.peek()))
    last_active = now;
  if (now - last_active < policy::wake_record::watch_us * base::ticks_per_us()) return true;
  wakes_.watch_ended();
  return false;
}

// The last two naps end in requests that stand while it sleeps: the second catches the fork that
// was under way while the first one's were placed. Returns true when the sleeper should now sleep
// until somebody wakes it; false when it is up.
bool roster::nap(worker& me) noexcept {
  std::uint64_t last_active = base::ticks(), seen_entries = 0;
  for (bool has_asked = false;;) {
    me.count(event::kind::nap);
    const std::uint64_t left = keep_time_unless_all_work(me);
    const roused how = left == 0 ? roused::by_time
                                 : sleep_for(me, std::min(me.tuning_.next_park_us() * 1000, left));
    if (how == roused::by_somebody) return was_only_told(me);
    if (how != roused::by_clock) {  // something has come, and where all work no thief is missed
      if (get_up(me)) return false;
      stop_watching(me);
      return true;
    }
    lock_.lock();
    const bool is_mine = me.is_parked;
    const bool asks = has_asked || !keeps_watch(last_active, seen_entries);
    if (is_mine && has_asked && watcher_ == &me) watcher_ = nullptr;
    lock_.unlock();
    if (!is_mine) return true;  // somebody grants a slot right now: the token is on its way
    if (asks) core_.ask_everybody();
    const bool forks_wait = core_.forks_wait();
    me.report_look(forks_wait);
    if (forks_wait && get_up(me)) return false;
    if (has_asked) return true;
    has_asked = asks;
  }
}

void roster::stop_watching(worker& me) noexcept {
  base::lock_guard guard{lock_};
  if (watcher_ == &me) watcher_ = nullptr;
}

void roster::rise(worker& me, slot* taken) noexcept {
  remove_sleeper(me);
  if (watcher_ == &me) watcher_ = nullptr;
  me.claim.granted = taken;
  me.was_just_woken_ = false;
}

bool roster::get_up(worker& me) noexcept {
  lock_.lock();
  slot* const taken = me.is_parked ? take_free_slot() : nullptr;
  if (taken == nullptr) {
    // Without a look at who minds: it would tell itself, as the one that does not sleep just now
    lock_.unlock();
    return false;
  }
  rise(me, taken);
  me.rose_by_itself_ = true;
  idle_.slot_taken_to_search();
  unlock_and_see_to_minding();
  me.count(event::kind::self_wake);
  core_.set_wanted(false);
  return true;
}

// With the extra slot, for what has come while all others are taken.
bool roster::get_up_beside(worker& me) noexcept {
  lock_.lock();
  slot* const taken = me.is_parked ? take_extra() : nullptr;
  if (taken != nullptr) {
    rise(me, taken);
    idle_.begin_search();
  }
  lock_.unlock();
  if (taken == nullptr) return false;
  me.count(event::kind::self_wake);
  return true;
}

void roster::shut_down() noexcept {
  lock_.lock();
  is_shut_down_ = true;
  while (worker* const woken = pop_sleeper()) {
    rouse(*woken, woken == sitter_);
  }
  lock_.unlock();
}

}  // namespace filch::sched
