#pragma once
#include <filch/base/mutex.hpp>
#include <filch/sched/idle_state.hpp>
#include <filch/sched/slot_waiter.hpp>

#include <vector>

namespace filch::sched {

/// Slots, and how they go from hand to hand (README, "Slots admit new jobs"). Who sleeps is its
/// host's business.
///
/// A slot admits new jobs. What has begun never waits for one: a claim that finds all slots taken
/// is granted its own, the overcommit slot. For each of these one regular slot is withheld as soon
/// as its holder comes between two jobs, so that the number of threads at work returns to the
/// limit. In a pool of two or more, threads of the user leave the last regular slot to the pool's
/// own threads, and it is not withheld for their sake. So jobs go on being admitted however many of
/// them compute here.
///
/// A template, so that the model checkers read the text that ships, which is in
/// `slot_allocator_steps.hpp`. `Host` derives from it and answers as a friend. Under the lock:
/// `driver_is_missing()`, with all slots taken, so that somebody is to be told to mind what comes;
/// `timer_lacks_driver()`, there is a timer that nobody gets up for. Without it: `ensure_driver()` tells
/// somebody; `wake_for_visible_work()` looks for work that was left to whoever frees a slot. A
/// `Slot` has `has_jobs()`, `has_timers()` and `next`. Threads: all public functions may be called
/// by any thread.
template <class Host, class Sync, class Slot, class Parker>
class basic_slot_allocator {
 public:
  using waiter_type = basic_slot_waiter<Slot, Parker>;

  /// With one slot beyond `slot_count`, the extra one, unless that is 1.
  explicit basic_slot_allocator(unsigned slot_count);

  /// Takes a free slot, or else the claim's own. Never waits.
  void acquire(waiter_type& claim) noexcept;
  /// Gives the slot up.
  void release(waiter_type& claim) noexcept;
  /// Gives the slot up until `resume`. Returns false, and keeps the slot, when `resume` has already
  /// come.
  bool suspend(waiter_type& claim) noexcept;
  /// Ends a suspension: grants a slot as `acquire` does, and wakes the claim's thread.
  void resume(waiter_type& claim) noexcept;
  /// Between two jobs: exchanges an overcommit slot for a regular one. Returns false when there is
  /// none to be had.
  bool regularize(waiter_type& claim) noexcept;

  /// From now on hands out at most `slot_count` slots, at least one: those in use beyond that are
  /// withheld when they come back.
  void allow(unsigned slot_count) noexcept;
  // Relaxed: a report
  unsigned allowed_count() const noexcept { return allowed_count_.load(base::relaxed); }
  /// More threads compute than are allowed to: a worker between two jobs gives its slot up.
  // Relaxed: seen between the next two jobs
  bool is_over_limit() const noexcept { return is_over_limit_.load(base::relaxed); }
  /// The slot beyond those that are handed out: for a sleeper that minds what comes at its time,
  /// where all others are taken. A pool of one has none.
  bool is_extra(const Slot* held) const noexcept { return held == extra_; }
  /// A thread computes on a slot that the idle word does not count.
  bool works_beside() const noexcept {
    // Relaxed: as above
    return overcommitted_count_.load(base::relaxed) != 0 ||
           (extra_ != nullptr && !has_free_extra());
  }
  /// Whether a thread holds a slot, as the idle word was `seen`.
  bool is_in_use(policy::idle_view seen) const noexcept {
    return seen.free_slots < allowed_count() || works_beside();
  }
  basic_idle_state<Sync>& idle() noexcept { return idle_; }
  std::vector<Slot>& all_slots() noexcept { return slots_; }

 protected:
  /// What a slot that came back leaves to do once the lock is open.
  struct after_unlock {
    bool work_waits = false;
    bool lacks_driver = false;  ///< The extra slot is back, and nobody minds what comes.
  };
  /// Of a claim, which holds none then.
  // To the host the lock is its own
  after_unlock put_back(waiter_type& claim) noexcept FILCH_REQUIRES(lock_) FILCH_UNCHECKED;
  /// Of one that no claim holds, and that is neither the extra slot nor a claim's own.
  after_unlock put_back_regular(Slot* freed) noexcept FILCH_REQUIRES(lock_);
  after_unlock grant(waiter_type& claim) noexcept FILCH_REQUIRES(lock_);
  /// Once the lock is open.
  void finish(after_unlock rest) noexcept;
  Slot* take_free_slot() noexcept FILCH_REQUIRES(lock_);
  Slot* take_extra() noexcept FILCH_REQUIRES(lock_);
  bool has_free_slot() const noexcept FILCH_REQUIRES(lock_) { return free_slots_ != nullptr; }
  // Relaxed: a hint without the lock
  bool has_free_extra() const noexcept { return extra_is_free_.load(base::relaxed); }
  bool free_extra_has_jobs() const noexcept { return has_free_extra() && extra_->has_jobs(); }
  bool can_be_had() const noexcept FILCH_REQUIRES(lock_) {
    return has_free_slot() || has_free_extra();
  }
  /// Where a slot was taken, which may have been the last one.
  // To the host the lock is its own
  void unlock_and_ensure_driver() noexcept FILCH_RELEASE(lock_) FILCH_UNCHECKED;

 private:
  Host& host() noexcept { return static_cast<Host&>(*this); }
  unsigned regular_count() const noexcept {
    return static_cast<unsigned>(slots_.size()) - (extra_ == nullptr ? 0 : 1);
  }
  /// The last slot is for the pool's own threads, in a pool of two or more.
  bool may_hold_regular(const waiter_type& claim) const noexcept FILCH_REQUIRES(lock_);
  unsigned count_to_withhold() const noexcept FILCH_REQUIRES(lock_);
  void begin_overcommit(waiter_type& claim) noexcept FILCH_REQUIRES(lock_);
  void end_overcommit(waiter_type& claim) noexcept FILCH_REQUIRES(lock_);
  after_unlock give_back_withheld() noexcept FILCH_REQUIRES(lock_);
  Slot* take_withheld() noexcept FILCH_REQUIRES(lock_);
  void withhold(Slot* taken) noexcept FILCH_REQUIRES(lock_);
  void look_at_limit() noexcept FILCH_REQUIRES(lock_);
  after_unlock free(Slot* freed) noexcept FILCH_REQUIRES(lock_);

  // What searchers look at all the time, and what seldom changes.
  std::vector<Slot> slots_;  ///< The extra one, if there is one, comes last.
  Slot* const extra_;
  /// Writer: `allow`, under `lock_`. Readers: all.
  typename Sync::template atomic<unsigned> allowed_count_;
  /// Writers: under `lock_`. Readers: all.
  typename Sync::template atomic<unsigned> overcommitted_count_{0};
  /// Writers: under `lock_`. Readers: workers.
  typename Sync::template atomic<bool> is_over_limit_{false};
  /// Writers: under `lock_`. Readers: all.
  typename Sync::template atomic<bool> extra_is_free_;

 protected:
  basic_idle_state<Sync> idle_;
  alignas(base::cache_line_bytes) typename Sync::mutex lock_;

 private:
  // What changes whenever somebody comes or goes.
  Slot* free_slots_ FILCH_GUARDED_BY(lock_) = nullptr;
  /// Beyond what the CPU budget and overcommitted claims leave.
  Slot* withheld_slots_ FILCH_GUARDED_BY(lock_) = nullptr;
  unsigned withheld_count_ FILCH_GUARDED_BY(lock_) = 0;
  /// Regular slots that threads of the user hold.
  unsigned held_outside_ FILCH_GUARDED_BY(lock_) = 0;
  /// Of the overcommitted claims those of the pool's own threads.
  unsigned overcommitted_workers_ FILCH_GUARDED_BY(lock_) = 0;
};

}  // namespace filch::sched
