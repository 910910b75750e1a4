#pragma once
// What a slot exchange does. For those who instantiate it: the roster and the model checks.
#include <filch/sched/slot_exchange.hpp>

#include <algorithm>
#include <utility>

namespace filch::sched {

template <class Host, class Sync, class Slot, class Parker>
basic_slot_exchange<Host, Sync, Slot, Parker>::basic_slot_exchange(unsigned slot_count)
    : slots_(slot_count == 1 ? 1 : slot_count + 1),
      extra_{slot_count == 1 ? nullptr : &slots_.back()},
      allowed_count_{slot_count},
      extra_is_free_{extra_ != nullptr} {
  for (unsigned i = slot_count; i > 0; --i) {
    static_cast<void>(put_back(&slots_[i - 1]));
  }
}

template <class Host, class Sync, class Slot, class Parker>
void basic_slot_exchange<Host, Sync, Slot, Parker>::acquire(claim_type& claim) noexcept {
  lock_.lock();
  const bool is_granted = grant_at_once(claim);
  if (!is_granted) stand_in_line(claim);
  unlock_and_see_to_minding();
  if (is_granted) return;
  const base::waiting_for why{"a slot"};
  claim.parker.park();
}

template <class Host, class Sync, class Slot, class Parker>
void basic_slot_exchange<Host, Sync, Slot, Parker>::release(claim_type& claim) noexcept {
  lock_.lock();
  const after_unlock rest = put_back(std::exchange(claim.granted, nullptr));
  lock_.unlock();
  finish(rest);
}

template <class Host, class Sync, class Slot, class Parker>
bool basic_slot_exchange<Host, Sync, Slot, Parker>::suspend(claim_type& claim) noexcept {
  lock_.lock();
  if (claim.was_resumed) {
    claim.was_resumed = false;
    lock_.unlock();
    return false;
  }
  claim.is_suspended = true;
  const after_unlock rest = put_back(std::exchange(claim.granted, nullptr));
  lock_.unlock();
  finish(rest);
  return true;
}

template <class Host, class Sync, class Slot, class Parker>
void basic_slot_exchange<Host, Sync, Slot, Parker>::resume(claim_type& claim) noexcept {
  lock_.lock();
  if (!claim.is_suspended) {
    claim.was_resumed = true;
    lock_.unlock();
    return;
  }
  claim.is_suspended = false;
  if (!grant_at_once(claim)) {
    stand_in_line(claim);
    lock_.unlock();  // the last touch: who is granted a slot may go on at once, and the pool end
    return;
  }
  unlock_and_see_to_minding();
  claim.parker.unpark();  // the last touch, too
}

template <class Host, class Sync, class Slot, class Parker>
void basic_slot_exchange<Host, Sync, Slot, Parker>::allow(unsigned slot_count) noexcept {
  lock_.lock();
  allowed_count_.store(std::clamp<unsigned>(slot_count, 1, regular_count()), base::relaxed);
  while (withholds() && free_slots_ != nullptr) {
    withhold(take_free_slot());
    idle_.slot_taken();
  }
  after_unlock rest;
  while (withheld_count_ > regular_count() - allowed_count()) {
    Slot* const back = std::exchange(withheld_slots_, withheld_slots_->next);
    --withheld_count_;
    rest = put_back(back);
    if (rest.granted != nullptr) rest.granted->parker.unpark();
  }
  rest.work_waits = rest.work_waits || host().time_is_lost();
  lock_.unlock();
  if (rest.granted == nullptr) finish(rest);
}

// ---------------------------------------------------------------------------------------------------------- under the lock
template <class Host, class Sync, class Slot, class Parker>
Slot* basic_slot_exchange<Host, Sync, Slot, Parker>::take_free_slot() noexcept {
  Slot* const taken = free_slots_;
  if (taken != nullptr) free_slots_ = taken->next;
  return taken;
}

template <class Host, class Sync, class Slot, class Parker>
Slot* basic_slot_exchange<Host, Sync, Slot, Parker>::take_extra() noexcept {
  const bool is_free = has_free_extra();
  if (is_free) extra_is_free_.store(false, base::relaxed);
  return is_free ? extra_ : nullptr;
}

template <class Host, class Sync, class Slot, class Parker>
void basic_slot_exchange<Host, Sync, Slot, Parker>::withhold(Slot* taken) noexcept {
  taken->next = withheld_slots_;
  withheld_slots_ = taken;
  ++withheld_count_;
}

template <class Host, class Sync, class Slot, class Parker>
bool basic_slot_exchange<Host, Sync, Slot, Parker>::grant_at_once(claim_type& claim) noexcept {
  claim.granted = take_free_slot();
  if (claim.granted != nullptr) {
    idle_.slot_taken();
  } else if (claim.may_take_extra) {
    claim.granted = take_extra();
  }
  return claim.granted != nullptr;
}

template <class Host, class Sync, class Slot, class Parker>
void basic_slot_exchange<Host, Sync, Slot, Parker>::stand_in_line(claim_type& claim) noexcept {
  claim.next = nullptr;
  (waiting_first_ == nullptr ? waiting_first_ : waiting_last_->next) = &claim;
  waiting_last_ = &claim;
  waiting_count_.store(waiting_count_.load(base::relaxed) + 1, base::relaxed);
}

template <class Host, class Sync, class Slot, class Parker>
void basic_slot_exchange<Host, Sync, Slot, Parker>::leave_line(claim_type& claim, claim_type* before) noexcept {
  (before == nullptr ? waiting_first_ : before->next) = claim.next;
  if (waiting_last_ == &claim) waiting_last_ = before;
  waiting_count_.store(waiting_count_.load(base::relaxed) - 1, base::relaxed);
}

template <class Host, class Sync, class Slot, class Parker>
auto basic_slot_exchange<Host, Sync, Slot, Parker>::put_back(Slot* freed) noexcept -> after_unlock {
  if (freed == extra_) return put_back_extra();
  const bool leaves_work = freed->has_jobs() || freed->has_timers();
  if (withholds()) {
    withhold(freed);
    return {.work_waits = leaves_work};
  }
  if (claim_type* const first = waiting_first_; first != nullptr) {
    leave_line(*first, nullptr);
    first->granted = freed;
    return {.granted = first};
  }
  freed->next = free_slots_;
  free_slots_ = freed;
  return {.work_waits = idle_.slot_freed().work_waits || leaves_work};
}

// To who had it before and waits, or home. It is none of those that the idle word counts.
template <class Host, class Sync, class Slot, class Parker>
auto basic_slot_exchange<Host, Sync, Slot, Parker>::put_back_extra() noexcept -> after_unlock {
  claim_type* before = nullptr;
  for (claim_type* each = waiting_first_; each != nullptr; before = std::exchange(each, each->next)) {
    if (!each->may_take_extra) continue;
    leave_line(*each, before);
    each->granted = extra_;
    return {.granted = each};
  }
  extra_is_free_.store(true, base::relaxed);
  return {.work_waits = extra_->has_jobs(), .is_left_alone = host().nobody_minds()};
}

// ---------------------------------------------------------------------------------------------------------- once it is open
template <class Host, class Sync, class Slot, class Parker>
void basic_slot_exchange<Host, Sync, Slot, Parker>::finish(after_unlock rest) noexcept {
  if (rest.is_left_alone) host().see_to_minding();
  if (rest.granted != nullptr) {
    rest.granted->parker.unpark();
  } else if (rest.work_waits) {
    // Cleared before the look: a producer that comes later sees the free slot itself. (edge::announce)
    idle_.waiting_work_seen();
    host().wake_for_visible_work();
  }
}

template <class Host, class Sync, class Slot, class Parker>
void basic_slot_exchange<Host, Sync, Slot, Parker>::unlock_and_see_to_minding() noexcept {
  const bool is_left_alone = host().nobody_minds();
  lock_.unlock();
  if (is_left_alone) host().see_to_minding();
}

}  // namespace filch::sched
