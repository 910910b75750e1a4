#include <filch/sched/parking/parking_lot.hpp>

#include <filch/base/clock.hpp>
#include <filch/sched/parking/slot_allocator_steps.hpp>

#include <algorithm>

namespace filch::inline v0_2::sched {

template class basic_slot_allocator<parking_lot, base::real_sync, slot, base::parker>;

void resume(slot_waiter& suspended) noexcept { suspended.home->resume(suspended); }

parking_lot::parking_lot(parking_host& host, unsigned slot_count)
    : basic_slot_allocator{slot_count}, host_{host}, wanted_{slot_count > 1} {
  const auto numbered = std::min<std::size_t>(slot_count, event::record::most_slots);
  for (std::size_t i = 0; i < numbered; ++i) all_slots()[i].number = static_cast<std::uint16_t>(i);
}

void parking_lot::make_room(unsigned worker_capacity) {
  free_workers_ = std::make_unique<index_table>(worker_capacity);
  workers_ = std::make_unique<sleeper*[]>(worker_capacity);
}

// -------------------------------------------------------------------------------------------------
// workers
void parking_lot::add(sleeper& made) noexcept {
  base::lock_guard guard{lock_};
  workers_[made.index] = &made;
  free_workers_->note_use(made.index);
}

sleeper* parking_lot::enter() noexcept {
  lock_.lock();
  sleeper* const entered = pop_worker();
  if (entered == nullptr) {
    lock_.unlock();
    return nullptr;
  }
  entered->is_external = true;
  const after_unlock rest = grant(*entered);
  unlock_and_ensure_driver();
  finish(rest);
  return entered;
}

void parking_lot::leave(sleeper& external) noexcept {
  lock_.lock();
  const after_unlock rest = put_back(external);
  external.is_external = false;
  free_workers_->put_back(external.index);
  lock_.unlock();
  finish(rest);
}

sleeper* parking_lot::take_worker() noexcept {
  base::lock_guard guard{lock_};
  return pop_worker();
}

sleeper* parking_lot::pop_worker() noexcept {
  const unsigned index = free_workers_->take();
  return index == index_table::none ? nullptr : workers_[index];
}

void parking_lot::return_worker(sleeper& unused) noexcept {
  base::lock_guard guard{lock_};
  free_workers_->put_back(unused.index);
}

// -------------------------------------------------------------------------------------------------
// the list of sleepers
void parking_lot::push_sleeper(sleeper& me) noexcept {
  me.next = sleepers_;
  sleepers_ = &me;
  me.is_parked = true;
  stop_polling(me);
}

// The driver is the last to be woken for other work.
sleeper* parking_lot::pop_sleeper() noexcept {
  sleeper** link = &sleepers_;
  if (*link == nullptr) return nullptr;
  while ((*link == poller_ || *link == backup_poller_ || *link == timer_driver_) &&
         (*link)->next != nullptr)
    link = &(*link)->next;
  sleeper* const woken = *link;
  *link = woken->next;
  woken->is_parked = false;
  leave_duties(*woken);
  return woken;
}

void parking_lot::remove_sleeper(sleeper& me) noexcept {
  sleeper** link = &sleepers_;
  while (*link != &me) link = &(*link)->next;
  *link = me.next;
  me.is_parked = false;
  leave_duties(me);
}

// All but that of the poller, which gives it up itself (`driver::block_in_source`).
void parking_lot::leave_duties(const sleeper& me) noexcept {
  if (timed_sleeper_ == &me) timed_sleeper_ = nullptr;
  stop_driving(me);
  stop_backing_up(me);
}

void parking_lot::stop_driving(const sleeper& me) noexcept {
  if (timer_driver_ != &me) return;
  timer_driver_ = nullptr;
  driven_until_ns_.store(timer::never, base::relaxed);
}

// The caller looks for work afterwards, or notes that there may be some.
void parking_lot::stop_backing_up(const sleeper& me) noexcept {
  if (backup_poller_ != &me) return;
  backup_poller_ = nullptr;
  idle_.backup_poller_leaves();
}

// -------------------------------------------------------------------------------------------------
// wakes
void parking_lot::job_published_to_poller(sleeper* by) noexcept {
  const auto seen = idle_.announce_work();
  if (policy::wakes_somebody(seen) && !seen.has_backup_poller) wake_one(by);
}

void parking_lot::wake_for_visible_work() noexcept {
  if (host_.work_visible() || source_lacks_poller()) wake_one(nullptr);
}

void parking_lot::wake_one(sleeper* by) noexcept {
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
  sleeper* const woken = pop_sleeper();
  const bool is_poller = woken != nullptr && woken == poller_;
  if (woken != nullptr) {
    woken->granted = given;
    woken->was_just_woken = woken != by;
  }
  const bool lacks_driver = driver_is_missing();
  lock_.unlock();
  set_wanted(false);
  host_.note_use();
  if (by != nullptr)
    by->reports.record_event(
        event::kind::wake_sent,
        event::details::with(woken == nullptr ? event::record::nobody : woken->index));
  if (woken != nullptr) {
    if (woken != by) woken->woken_at_ticks = base::ticks();
    unpark(*woken, is_poller);
  } else if (!host_.try_start_thread(given)) {
    return_unused(given, by);
    host_.note_shortage();
  }
  // Last: if threads are short, the slot gets the first one
  if (lacks_driver) ensure_driver();
}

void parking_lot::unpark(sleeper& woken, bool is_poller) noexcept {
  woken.parker.unpark();
  if (is_poller) source()->interrupt();
}

// No thread could be started for the slot. Meanwhile this counted as a search, so workers may have
// parked over work.
void parking_lot::return_unused(slot* given, sleeper* by) noexcept {
  lock_.lock();
  static_cast<void>(put_back_regular(given));  // this function looks for work, below
  lock_.unlock();
  idle_.end_search();
  lock_.lock();
  const bool can_wake = sleepers_ != nullptr;
  lock_.unlock();
  if (can_wake && host_.work_visible()) wake_one(by);
}

void parking_lot::take_wake(sleeper& me, slot* taken) noexcept {
  remove_sleeper(me);
  me.granted = taken;
  me.was_just_woken = false;
}

bool parking_lot::wake_self(sleeper& me) noexcept {
  lock_.lock();
  slot* const taken = me.is_parked ? take_free_slot() : nullptr;
  if (taken == nullptr) {
    // Ensures no driver: it would tell itself, as it is listed but does not sleep
    lock_.unlock();
    return false;
  }
  take_wake(me, taken);
  me.woke_itself = true;
  idle_.slot_taken_to_search();
  unlock_and_ensure_driver();
  me.reports.count(event::kind::self_wake);
  set_wanted(false);
  return true;
}

// With the driver's slot, for a timer or an arrival while all others are taken.
bool parking_lot::wake_self_with_driver_slot(sleeper& me) noexcept {
  lock_.lock();
  slot* const taken = me.is_parked ? take_driver_slot() : nullptr;
  if (taken != nullptr) {
    take_wake(me, taken);
    idle_.begin_search();
  }
  lock_.unlock();
  if (taken == nullptr) return false;
  me.reports.count(event::kind::self_wake);
  return true;
}

void parking_lot::shut_down() noexcept {
  lock_.lock();
  is_shut_down_ = true;
  while (sleeper* const woken = pop_sleeper()) {
    unpark(*woken, woken == poller_);
  }
  lock_.unlock();
}

// -------------------------------------------------------------------------------------------------
// ensure a driver

void parking_lot::attach(external_source& added) noexcept {
  source_.store(&added, base::release<edge::enlist>);
  wake_one(nullptr);  // workers that are parked now do not know the source
  ensure_driver();
}

// All slots are taken, and a timer, an arrival or a job on the driver's slot waits without a
// sleeper that would wake for it.
bool parking_lot::driver_is_missing() const noexcept {
  return !driver_comes_ && !is_shut_down_ && !has_free_slot() && has_free_driver_slot() &&
         ((source() != nullptr && poller_ == nullptr && backup_poller_ == nullptr) ||
          timer_lacks_driver() || free_driver_slot_has_jobs());
}

// The sleeper that is told to look leaves the list, so that no thread chooses it for a wake
// meanwhile: each time in the list is worth one token.
void parking_lot::ensure_driver() noexcept {
  if (!awaits_something()) return;
  lock_.lock();
  // Another thread may have done it since the caller looked
  const bool is_needed = driver_is_missing();
  sleeper* const told = is_needed ? pop_sleeper() : nullptr;
  const bool is_poller = told != nullptr && told == poller_;
  driver_comes_ = driver_comes_ || is_needed;
  lock_.unlock();
  if (told != nullptr) {
    unpark(*told, is_poller);
  } else if (is_needed && !host_.try_start_driver()) {  // then arrivals wait until a job ends
    base::lock_guard guard{lock_};
    driver_comes_ = false;
  }
}

// True: it was woken only to look, and is in the list again. Work may have become visible while it
// was in no list, so it looks once more, as after any announcement of sleep.
bool parking_lot::was_told_to_drive(sleeper& me) noexcept {
  lock_.lock();
  const bool is_told = !me.holds_slot() && !is_shut_down_;
  if (is_told) {
    push_sleeper(me);
    driver_comes_ = false;
  }
  lock_.unlock();
  if (is_told && host_.work_visible()) wake_one(&me);
  return is_told;
}

// In a pool of one slot, its holder looks for timers before it parks, or they are found when it
// gives the slot away (`put_back`): such a pool has no driver's slot.
void parking_lot::timer_added(std::uint64_t due_ns, sleeper* by) noexcept {
  timers_.note_use();
  if (all_slots().size() != 1 || by == nullptr || !by->has_queues()) start_driving(due_ns, by);
}

// Either this sees until when the driver sleeps, or the driver's second look sees the timer.
// (edge::announce)
void parking_lot::start_driving(std::uint64_t due_ns, sleeper* by) noexcept {
  const auto seen = idle_.announce_work();
  if (due_ns >= driven_until_ns_.load(base::relaxed)) return;
  if (policy::wakes_somebody(seen)) {
    wake_one(by);
  } else if (seen.searching == 0) {
    ensure_driver();
  }
}

bool parking_lot::timer_lacks_driver() const noexcept {
  return timers_.are_used() && timers_.first_ns() < driven_until_ns_.load(base::relaxed);
}

bool parking_lot::source_lacks_poller() noexcept {
  if (source() == nullptr) return false;
  base::lock_guard guard{lock_};
  return poller_ == nullptr && has_free_slot() &&
         !(backup_poller_ != nullptr && has_active_poller());
}

bool parking_lot::had_event_within(std::uint64_t microseconds) const noexcept {
  const std::uint64_t last = last_event_ticks_.load(base::relaxed);
  return last != 0 && base::ticks() - last < microseconds * base::ticks_per_us();
}

bool parking_lot::has_active_poller() const noexcept {
  return active_poller_.load(base::relaxed) != nullptr && had_event_within(poll_interval_.us());
}

void parking_lot::stop_polling(const sleeper& me) noexcept {
  if (active_poller_.load(base::relaxed) == &me) active_poller_.store(nullptr, base::relaxed);
}

}  // namespace filch::sched
