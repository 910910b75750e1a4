#pragma once
#include <filch/base/mutex.hpp>
#include <filch/sched/idle_state.hpp>
#include <filch/sched/slot_claim.hpp>

#include <vector>

namespace filch::sched {

/// Slots, and who waits for one: how a slot goes from hand to hand (README, "A stalled join"). Who sleeps is its host's business.
///
/// A template, so that the model checkers read the text that ships, which is in `slot_exchange_steps.hpp`. `Host` derives from it and answers as a friend.
/// Under the lock: `nobody_minds()`, with all slots taken, so that somebody is to be told to mind what comes; `time_is_lost()`, there is a timer that
/// nobody gets up for. Without it: `see_to_minding()` tells somebody; `wake_for_visible_work()` looks for work that was left to whoever frees a slot.
/// A `Slot` has `has_jobs()`, `has_timers()` and `next`. Threads: all public functions may be called by any thread.
template <class Host, class Sync, class Slot, class Parker>
class basic_slot_exchange {
 public:
  using claim_type = basic_slot_claim<Slot, Parker>;

  /// With one slot beyond `slot_count`, the extra one, unless that is 1.
  explicit basic_slot_exchange(unsigned slot_count);

  /// Takes a slot, or sleeps until one is granted.
  void acquire(claim_type& claim) noexcept;
  /// Gives the slot up: to whoever waits longest, else to the free list.
  void release(claim_type& claim) noexcept;
  /// Gives the slot up until `resume`. Returns false, and keeps the slot, when `resume` has already come.
  bool suspend(claim_type& claim) noexcept;
  /// Ends a suspension: grants a slot, now or as soon as there is one, and wakes the claim's thread then.
  void resume(claim_type& claim) noexcept;

  /// From now on hands out at most `slot_count` slots, at least one: those in use beyond that are withheld when they come back.
  void allow(unsigned slot_count) noexcept;
  unsigned allowed_count() const noexcept { return allowed_count_.load(base::relaxed); }             // relaxed: a report
  bool somebody_waits_for_slot() const noexcept { return waiting_count_.load(base::relaxed) != 0; }  // relaxed: seen next round
  /// The slot beyond those that are handed out: for a sleeper that minds what comes at its time, where all others are taken. A pool of one has none.
  bool is_extra(const Slot* held) const noexcept { return held == extra_; }
  bool extra_is_out() const noexcept { return extra_ != nullptr && !has_free_extra(); }
  basic_idle_state<Sync>& idle() noexcept { return idle_; }
  std::vector<Slot>& slots() noexcept { return slots_; }

 protected:
  /// What a slot that came back leaves to do once the lock is open.
  struct after_unlock {
    claim_type* granted = nullptr;
    bool work_waits = false;
    bool is_left_alone = false;  ///< The extra slot is back, and nobody minds what comes.
  };
  after_unlock put_back(Slot* freed) noexcept FILCH_REQUIRES(lock_);
  /// Once the lock is open.
  void finish(after_unlock rest) noexcept;
  Slot* take_free_slot() noexcept FILCH_REQUIRES(lock_);
  Slot* take_extra() noexcept FILCH_REQUIRES(lock_);
  bool has_free_slot() const noexcept FILCH_REQUIRES(lock_) { return free_slots_ != nullptr; }
  bool has_free_extra() const noexcept { return extra_is_free_.load(base::relaxed); }  // relaxed: a hint without the lock
  bool free_extra_has_jobs() const noexcept { return has_free_extra() && extra_->has_jobs(); }
  bool can_be_had() const noexcept FILCH_REQUIRES(lock_) { return has_free_slot() || has_free_extra(); }
  /// Where a slot was taken, which may have been the last one.
  void unlock_and_see_to_minding() noexcept FILCH_RELEASE(lock_) FILCH_UNCHECKED;  // to the host the lock is its own

 private:
  Host& host() noexcept { return static_cast<Host&>(*this); }
  unsigned regular_count() const noexcept { return static_cast<unsigned>(slots_.size()) - (extra_ == nullptr ? 0 : 1); }
  bool withholds() const noexcept FILCH_REQUIRES(lock_) { return withheld_count_ < regular_count() - allowed_count(); }
  void withhold(Slot* taken) noexcept FILCH_REQUIRES(lock_);
  after_unlock put_back_extra() noexcept FILCH_REQUIRES(lock_) FILCH_UNCHECKED;  // the same
  bool grant_at_once(claim_type& claim) noexcept FILCH_REQUIRES(lock_);
  void stand_in_line(claim_type& claim) noexcept FILCH_REQUIRES(lock_);
  void leave_line(claim_type& claim, claim_type* before) noexcept FILCH_REQUIRES(lock_);

  // What searchers look at all the time, and what seldom changes.
  std::vector<Slot> slots_;  ///< The extra one, if there is one, comes last.
  Slot* const extra_;
  typename Sync::template atomic<unsigned> allowed_count_;     ///< Writer: `allow`, under `lock_`. Readers: all.
  typename Sync::template atomic<unsigned> waiting_count_{0};  ///< Writers: under `lock_`. Readers: searching workers.
  typename Sync::template atomic<bool> extra_is_free_;         ///< Writers: under `lock_`. Readers: all.

 protected:
  basic_idle_state<Sync> idle_;
  alignas(base::cache_line_bytes) typename Sync::mutex lock_;

 private:
  // What changes whenever somebody comes or goes.
  Slot* free_slots_ FILCH_GUARDED_BY(lock_) = nullptr;
  Slot* withheld_slots_ FILCH_GUARDED_BY(lock_) = nullptr;  ///< More than the CPU budget allows now.
  unsigned withheld_count_ FILCH_GUARDED_BY(lock_) = 0;
  claim_type* waiting_first_ FILCH_GUARDED_BY(lock_) = nullptr;
  claim_type* waiting_last_ FILCH_GUARDED_BY(lock_) = nullptr;
};

}  // namespace filch::sched
