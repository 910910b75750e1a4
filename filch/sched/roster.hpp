#pragma once
#include <filch/base/mutex.hpp>
#include <filch/sched/idle_state.hpp>
#include <filch/sched/worker.hpp>

#include <vector>

namespace filch::sched {

class pool_core;

/// Who holds a slot, who sleeps, who waits for a slot: the slow half of parking, under one lock that nobody holds for long.
/// The fast half is `idle_state`. Threads: all functions may be called by any thread.
class roster {
 public:
  roster(pool_core& core, unsigned slot_count);

  /// Takes a slot, or sleeps until one is granted.
  void acquire(slot_claim& claim) noexcept;
  /// Gives the slot up: to whoever waits longest, else to the free list.
  void release(slot_claim& claim) noexcept;

  /// One of the places that visitors have left, with a slot, under one lock. Null, with nothing taken, unless both are there.
  worker* enter_at_once() noexcept;
  /// Gives slot and place back.
  void leave(worker& visitor) noexcept;
  /// Gives the slot up until `resume`. Returns false, and keeps the slot, when `resume` has already come.
  bool suspend(slot_claim& claim) noexcept;
  /// Ends a suspension: grants a slot, now or as soon as there is one, and wakes the claim's thread then.
  void resume(slot_claim& claim) noexcept;

  /// After a job became visible: wakes somebody if nobody else would find it.
  void notify(worker* by) noexcept;
  /// Puts one more worker on the search, if there is a slot and a thread for it.
  void wake_one(worker* by) noexcept;
  /// Says of a worker that a fork had woken whether it found anything to do.
  void judge_wake(bool came_in_time) noexcept;
  /// A worker that holds a slot and counts as searching, or a new one without a slot, goes to sleep. On return it has a slot and searches, or the pool ends.
  void sleep(worker& me) noexcept;

  /// After `due_ns` became the time of a first timer: wakes somebody if nobody would be awake by then.
  void see_to_time(std::uint64_t due_ns, worker* by) noexcept;
  /// True when there is a timer before whose time nobody who sleeps gets up: a due one, or one that nobody has seen yet.
  bool time_is_lost() const noexcept;
  /// Where all slots are taken, and timers are pending or a source is attached: sees to it that somebody sleeps who minds them.
  void see_to_minding() noexcept;
  /// The slot beyond those that are handed out: for a sleeper that minds what comes at its time, where all others are taken. A pool of one has none.
  bool is_extra(const slot* held) const noexcept { return held == extra_; }
  bool extra_is_out() const noexcept { return extra_ != nullptr && !extra_is_free_.load(base::relaxed); }  // relaxed: a hint
  /// True when there is an external source and nobody sleeps in it, though a slot is free.
  bool seat_is_free() noexcept;

  /// One of the places that visitors have left, or null.
  worker* take_place() noexcept;
  void return_place(worker& unused) noexcept;
  /// From now on hands out at most `slot_count` slots, at least one: those in use beyond that are withheld when they come back.
  void allow(unsigned slot_count) noexcept;
  unsigned allowed_count() const noexcept { return allowed_count_.load(base::relaxed); }             // relaxed: a report
  bool somebody_waits_for_slot() const noexcept { return waiting_count_.load(base::relaxed) != 0; }  // relaxed: seen next round
  idle_state& idle() noexcept { return idle_; }
  std::vector<slot>& slots() noexcept { return slots_; }

  /// Wakes every sleeper for good.
  void shut_down() noexcept;

 private:
  struct after_unlock {
    slot_claim* granted = nullptr;
    bool work_waits = false;
    bool is_left_alone = false;  ///< The extra slot is back, and perhaps nobody minds what comes.
  };
  unsigned regular_count() const noexcept { return static_cast<unsigned>(slots_.size()) - (extra_ == nullptr ? 0 : 1); }
  bool withholds() const noexcept FILCH_REQUIRES(lock_) { return withheld_count_ < regular_count() - allowed_count(); }
  void withhold(slot* taken) noexcept FILCH_REQUIRES(lock_);
  after_unlock put_back(slot* freed) noexcept FILCH_REQUIRES(lock_);
  after_unlock put_back_extra() noexcept FILCH_REQUIRES(lock_);
  slot* take_extra() noexcept FILCH_REQUIRES(lock_);
  bool grant_at_once(slot_claim& claim) noexcept FILCH_REQUIRES(lock_);
  void stand_in_line(slot_claim& claim) noexcept FILCH_REQUIRES(lock_);
  void finish(after_unlock rest) noexcept;
  void return_unused(slot* given, worker* by) noexcept;
  void keep_place(worker& unused) noexcept FILCH_REQUIRES(lock_);
  slot* take_free_slot() noexcept FILCH_REQUIRES(lock_);
  void push_sleeper(worker& me, bool watches) noexcept FILCH_REQUIRES(lock_);
  void settle(worker& me) noexcept;
  worker* pop_sleeper() noexcept FILCH_REQUIRES(lock_);
  void remove_sleeper(worker& me) noexcept FILCH_REQUIRES(lock_);
  bool nap(worker& me) noexcept;
  enum class roused : unsigned char {
    by_somebody,
    by_source,
    by_clock,
    by_time,  ///< It has not slept: something was due.
  };
  roused sleep_for(worker& me, std::uint64_t nanoseconds) noexcept;
  bool sit_down(worker& me) noexcept;
  void rouse(worker& woken, bool sits) noexcept;
  bool keeps_watch(std::uint64_t& last_active, std::uint64_t& seen_entries) noexcept FILCH_REQUIRES(lock_);
  bool get_up(worker& me) noexcept;
  bool get_up_beside(worker& me) noexcept;
  void rise(worker& me, slot* taken) noexcept FILCH_REQUIRES(lock_);
  bool can_be_had() const noexcept FILCH_REQUIRES(lock_) {
    return free_slots_ != nullptr || extra_is_free_.load(base::relaxed);
  }
  void stop_watching(worker& me) noexcept;
  bool nobody_minds() const noexcept FILCH_REQUIRES(lock_);
  void unlock_and_see_to_minding() noexcept FILCH_RELEASE(lock_);
  bool was_only_told(worker& me) noexcept;
  std::uint64_t keep_time(worker& me) noexcept FILCH_REQUIRES(lock_);
  std::uint64_t keep_time_unless_all_work(worker& me) noexcept;
  void lose_time(const worker& me) noexcept FILCH_REQUIRES(lock_);
  void sleep_on(worker& me) noexcept;
  bool wait_for_slot(worker& me) noexcept;

  // What searchers look at all the time, and what seldom changes.
  pool_core& core_;
  std::vector<slot> slots_;  ///< The extra one, if there is one, comes last.
  slot* const extra_;
  base::atomic<unsigned> allowed_count_;     ///< Writer: `allow`, under `lock_`. Readers: all.
  base::atomic<unsigned> waiting_count_{0};  ///< Writers: under `lock_`. Readers: searching workers.
  base::atomic<bool> extra_is_free_;         ///< Writers: under `lock_`. Readers: all.
  idle_state idle_;
  // What changes whenever somebody comes or goes.
  alignas(base::cache_line_bytes) base::mutex lock_;
  bool is_shut_down_ FILCH_GUARDED_BY(lock_) = false;
  slot* free_slots_ FILCH_GUARDED_BY(lock_) = nullptr;
  worker* places_ FILCH_GUARDED_BY(lock_) = nullptr;        ///< Workers of visitors that have left.
  std::uint64_t entries_ FILCH_GUARDED_BY(lock_) = 0;       ///< How often somebody took a slot without being woken for it.
  slot* withheld_slots_ FILCH_GUARDED_BY(lock_) = nullptr;  ///< More than the CPU budget allows now.
  unsigned withheld_count_ FILCH_GUARDED_BY(lock_) = 0;
  worker* sleepers_ FILCH_GUARDED_BY(lock_) = nullptr;       ///< Last in, first out: the warmest wakes first.
  worker* watcher_ FILCH_GUARDED_BY(lock_) = nullptr;        ///< The only sleeper with a timeout.
  worker* sitter_ FILCH_GUARDED_BY(lock_) = nullptr;         ///< The one that sleeps in the external source.
  worker* keeper_ FILCH_GUARDED_BY(lock_) = nullptr;         ///< The one that gets up for the first timer.
  bool minder_comes_ FILCH_GUARDED_BY(lock_) = false;       ///< Somebody was told or started, and has yet to come to the list.
  base::atomic<std::uint64_t> kept_until_ns_{timer::never};  ///< When. Writers: under `lock_`. Readers: who starts timers.
  policy::wake_record wakes_ FILCH_GUARDED_BY(lock_);
  slot_claim* waiting_first_ FILCH_GUARDED_BY(lock_) = nullptr;
  slot_claim* waiting_last_ FILCH_GUARDED_BY(lock_) = nullptr;
};

}  // namespace filch::sched
