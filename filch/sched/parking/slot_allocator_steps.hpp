#pragma once
// The functions of the slot allocator. Included by the files that instantiate it: the parking lot
// and the model checks.
#include <filch/sched/parking/slot_allocator.hpp>

#include <algorithm>
#include <utility>

namespace filch::inline v0_2::sched {

template <class Host, class Sync, class Slot, class Parker>
basic_slot_allocator<Host, Sync, Slot, Parker>::basic_slot_allocator(unsigned slot_count)
    : slots_(slot_count == 1 ? 1 : slot_count + 1),
      driver_slot_{slot_count == 1 ? nullptr : &slots_.back()},
      allowed_count_{slot_count},
      driver_slot_is_free_{driver_slot_ != nullptr} {
  for (unsigned i = slot_count; i > 0; --i) {
    static_cast<void>(free(&slots_[i - 1]));
  }
}

template <class Host, class Sync, class Slot, class Parker>
void basic_slot_allocator<Host, Sync, Slot, Parker>::acquire(waiter_type& waiter) noexcept {
  lock_.lock();
  const after_unlock rest = grant(waiter);
  unlock_and_ensure_driver();
  finish(rest);
}

template <class Host, class Sync, class Slot, class Parker>
void basic_slot_allocator<Host, Sync, Slot, Parker>::release(waiter_type& waiter) noexcept {
  lock_.lock();
  const after_unlock rest = put_back(waiter);
  lock_.unlock();
  finish(rest);
}

template <class Host, class Sync, class Slot, class Parker>
bool basic_slot_allocator<Host, Sync, Slot, Parker>::suspend(waiter_type& waiter) noexcept {
  lock_.lock();
  if (waiter.was_resumed) {
    waiter.was_resumed = false;
    lock_.unlock();
    return false;
  }
  waiter.is_suspended = true;
  const after_unlock rest = put_back(waiter);
  lock_.unlock();
  finish(rest);
  return true;
}

template <class Host, class Sync, class Slot, class Parker>
void basic_slot_allocator<Host, Sync, Slot, Parker>::resume(waiter_type& waiter) noexcept {
  lock_.lock();
  if (!waiter.is_suspended) {
    waiter.was_resumed = true;
    lock_.unlock();
    return;
  }
  waiter.is_suspended = false;
  const after_unlock rest = grant(waiter);
  unlock_and_ensure_driver();
  finish(rest);
  waiter.parker.unpark();  // the last touch: the thread may go on at once, and the pool end
}

template <class Host, class Sync, class Slot, class Parker>
bool basic_slot_allocator<Host, Sync, Slot, Parker>::regularize(waiter_type& waiter) noexcept {
  lock_.lock();
  end_overcommit(waiter);
  const bool is_withheld = may_hold_regular(waiter) && withheld_count_ > count_to_withhold();
  if (is_withheld) {
    waiter.granted = take_withheld();
    if (waiter.is_external) ++held_outside_;
  }
  const after_unlock rest = is_withheld ? give_back_withheld() : grant(waiter);
  const bool is_regular = !waiter.is_overcommitted();
  unlock_and_ensure_driver();
  finish(rest);
  return is_regular;
}

template <class Host, class Sync, class Slot, class Parker>
void basic_slot_allocator<Host, Sync, Slot, Parker>::allow(unsigned slot_count) noexcept {
  lock_.lock();
  allowed_count_.store(std::clamp<unsigned>(slot_count, 1, regular_count()), base::relaxed);
  while (withheld_count_ < count_to_withhold() && free_slots_ != nullptr) {
    withhold(take_free_slot());
    idle_.slot_taken();
  }
  after_unlock rest = give_back_withheld();
  rest.work_waits = rest.work_waits || host().timer_lacks_driver();
  lock_.unlock();
  finish(rest);
}

// -------------------------------------------------------------------------------------------------
// under the lock
template <class Host, class Sync, class Slot, class Parker>
Slot* basic_slot_allocator<Host, Sync, Slot, Parker>::take_free_slot() noexcept {
  Slot* const taken = free_slots_;
  if (taken != nullptr) free_slots_ = taken->next;
  return taken;
}

template <class Host, class Sync, class Slot, class Parker>
Slot* basic_slot_allocator<Host, Sync, Slot, Parker>::take_driver_slot() noexcept {
  const bool is_free = has_free_driver_slot();
  if (is_free) driver_slot_is_free_.store(false, base::relaxed);
  return is_free ? driver_slot_ : nullptr;
}

template <class Host, class Sync, class Slot, class Parker>
bool basic_slot_allocator<Host, Sync, Slot, Parker>::may_hold_regular(
    const waiter_type& waiter) const noexcept {
  const unsigned allowed = allowed_count();
  return !waiter.is_external || allowed == 1 || held_outside_ + 1 < allowed;
}

template <class Host, class Sync, class Slot, class Parker>
auto basic_slot_allocator<Host, Sync, Slot, Parker>::grant(waiter_type& waiter) noexcept
    -> after_unlock {
  waiter.granted = may_hold_regular(waiter) ? take_free_slot() : nullptr;
  if (waiter.granted != nullptr) {
    idle_.slot_taken();
    if (waiter.is_external) ++held_outside_;
  } else {
    begin_overcommit(waiter);
  }
  return give_back_withheld();
}

template <class Host, class Sync, class Slot, class Parker>
void basic_slot_allocator<Host, Sync, Slot, Parker>::begin_overcommit(
    waiter_type& waiter) noexcept {
  waiter.granted = waiter.own;
  overcommitted_count_.store(overcommitted_count_.load(base::relaxed) + 1, base::relaxed);
  if (!waiter.is_external) ++overcommitted_workers_;
}

template <class Host, class Sync, class Slot, class Parker>
void basic_slot_allocator<Host, Sync, Slot, Parker>::end_overcommit(waiter_type& waiter) noexcept {
  waiter.granted = nullptr;
  overcommitted_count_.store(overcommitted_count_.load(base::relaxed) - 1, base::relaxed);
  if (!waiter.is_external) --overcommitted_workers_;
}

template <class Host, class Sync, class Slot, class Parker>
unsigned basic_slot_allocator<Host, Sync, Slot, Parker>::count_to_withhold() const noexcept {
  const unsigned allowed = allowed_count();
  const unsigned most =
      overcommitted_workers_ != 0 ? allowed : allowed - (std::min)(allowed, held_outside_ + 1);
  return regular_count() - allowed + (std::min)(overcommitted_count_.load(base::relaxed), most);
}

template <class Host, class Sync, class Slot, class Parker>
void basic_slot_allocator<Host, Sync, Slot, Parker>::withhold(Slot* taken) noexcept {
  taken->next = withheld_slots_;
  withheld_slots_ = taken;
  ++withheld_count_;
}

template <class Host, class Sync, class Slot, class Parker>
Slot* basic_slot_allocator<Host, Sync, Slot, Parker>::take_withheld() noexcept {
  --withheld_count_;
  return std::exchange(withheld_slots_, withheld_slots_->next);
}

template <class Host, class Sync, class Slot, class Parker>
void basic_slot_allocator<Host, Sync, Slot, Parker>::look_at_limit() noexcept {
  is_over_limit_.store(withheld_count_ < count_to_withhold(), base::relaxed);
}

template <class Host, class Sync, class Slot, class Parker>
auto basic_slot_allocator<Host, Sync, Slot, Parker>::give_back_withheld() noexcept -> after_unlock {
  after_unlock rest;
  while (withheld_count_ > count_to_withhold()) {
    const bool work_waits = rest.work_waits;
    rest = free(take_withheld());
    rest.work_waits = rest.work_waits || work_waits;
  }
  look_at_limit();
  return rest;
}

template <class Host, class Sync, class Slot, class Parker>
auto basic_slot_allocator<Host, Sync, Slot, Parker>::put_back(waiter_type& waiter) noexcept
    -> after_unlock {
  if (waiter.is_overcommitted()) {
    end_overcommit(waiter);
    return give_back_withheld();
  }
  Slot* const freed = std::exchange(waiter.granted, nullptr);
  if (freed != driver_slot_) {
    if (waiter.is_external) --held_outside_;
    return put_back_regular(freed);
  }
  driver_slot_is_free_.store(true, base::relaxed);
  return {.work_waits = driver_slot_->has_jobs(), .lacks_driver = host().driver_is_missing()};
}

template <class Host, class Sync, class Slot, class Parker>
auto basic_slot_allocator<Host, Sync, Slot, Parker>::put_back_regular(Slot* freed) noexcept
    -> after_unlock {
  if (withheld_count_ >= count_to_withhold()) return free(freed);
  withhold(freed);
  look_at_limit();
  return {.work_waits = freed->has_jobs() || freed->has_timers()};
}

template <class Host, class Sync, class Slot, class Parker>
auto basic_slot_allocator<Host, Sync, Slot, Parker>::free(Slot* freed) noexcept -> after_unlock {
  const bool leaves_work = freed->has_jobs() || freed->has_timers();
  freed->next = free_slots_;
  free_slots_ = freed;
  return {.work_waits = idle_.slot_freed().work_waits || leaves_work};
}

// -------------------------------------------------------------------------------------------------
// after the lock
template <class Host, class Sync, class Slot, class Parker>
void basic_slot_allocator<Host, Sync, Slot, Parker>::finish(after_unlock rest) noexcept {
  if (rest.lacks_driver) host().ensure_driver();
  if (!rest.work_waits) return;
  // Cleared before the look: a producer that comes later sees the free slot itself.
  // (edge::announce)
  idle_.waiting_work_seen();
  host().wake_for_visible_work();
}

template <class Host, class Sync, class Slot, class Parker>
void basic_slot_allocator<Host, Sync, Slot, Parker>::unlock_and_ensure_driver() noexcept {
  const bool lacks_driver = host().driver_is_missing();
  lock_.unlock();
  if (lacks_driver) host().ensure_driver();
}

}  // namespace filch::sched
