#pragma once
#include <filch/base/mutex.hpp>
#include <filch/policy/tuning.hpp>
#include <filch/sched/external_source.hpp>
#include <filch/sched/place_table.hpp>
#include <filch/sched/slot_exchange.hpp>
#include <filch/sched/worker.hpp>

#include <memory>

namespace filch::sched {

class pool_core;
class roster;
using slot_exchange = basic_slot_exchange<roster, base::real_sync, slot, base::parker>;

/// Which worker holds a slot, and which sleeps: the slow half of parking, under one lock that
/// nobody holds for long. The fast half is `idle_state`. Threads: all functions may be called by
/// any thread.
class roster : public slot_exchange {
 public:
  /// Without places for workers until `make_room`.
  roster(pool_core& core, unsigned slot_count);
  void make_room(unsigned worker_capacity) {
    places_ = std::make_unique<place_table>(worker_capacity);
  }

  /// One of the places that visitors have left, with a slot, under one lock. Null, with nothing
  /// taken, if there is no place.
  worker* enter() noexcept;
  /// Gives slot and place back.
  void leave(worker& visitor) noexcept;

  /// After a job became visible: wakes somebody if nobody else would find it.
  void notify(worker* by) noexcept {
    if (policy::wakes_somebody(idle_.announce_work())) [[unlikely]]
      wake_one(by);
  }
  /// The same of a job that can wait for the next look of a guard, if there is one.
  void notify_guard(worker* by) noexcept;
  /// Puts one more worker on the search, if there is a slot and a thread for it.
  void wake_one(worker* by) noexcept;
  /// Says of a worker that a fork had woken whether it found anything to do.
  void judge_wake(bool came_in_time) noexcept;
  /// A worker that holds a slot and counts as searching, or a new one without a slot, goes to
  /// sleep. On return it has a slot and searches, or the pool ends.
  void sleep(worker& me) noexcept;

  /// After `due_ns` became the time of a first timer: wakes somebody if nobody would be awake by
  /// then.
  void see_to_time(std::uint64_t due_ns, worker* by) noexcept;
  /// True when there is a timer before whose time nobody who sleeps gets up: a due one, or one that
  /// nobody has seen yet.
  bool time_is_lost() const noexcept;
  /// Where all slots are taken, and timers are pending or a source is attached: sees to it that
  /// somebody sleeps who minds them.
  void see_to_minding() noexcept;
  /// True when there is an external source and nobody sleeps in it, though a slot is free, nor soon
  /// looks whether somebody should.
  bool seat_is_free() noexcept;
  /// A worker with an ordinary slot has taken what had arrived there, and looks there again when
  /// that has run.
  void note_arrival(const worker& me) noexcept {
    last_arrival_ticks_.store(base::ticks(), base::relaxed);  // relaxed, both: hints
    attendant_.store(&me, base::relaxed);
  }
  /// It sleeps or blocks.
  void stop_attending(const worker& me) noexcept;

  /// One of the places that visitors have left, or null.
  worker* take_place() noexcept;
  void return_place(worker& unused) noexcept;
  /// Of a worker that has just been made.
  void note_use(const worker& made) noexcept;
  /// All workers that may have forks have indices below it.
  unsigned worker_bound() const noexcept { return places_->bound(); }

  /// Wakes every sleeper for good.
  void shut_down() noexcept;

 private:
  friend slot_exchange;

  void wake_for_visible_work() noexcept;
  void return_unused(slot* given, worker* by) noexcept;
  worker* pop_place() noexcept FILCH_REQUIRES(lock_);
  void push_sleeper(worker& me, bool watches) noexcept FILCH_REQUIRES(lock_);
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
  enum class post : unsigned char { none, seat, guard };
  struct change_of_post {
    bool was_guard = false;
    post now = post::none;
    std::uint64_t looks_again_ns = external_source::no_deadline;  ///< As the guard.
  };
  change_of_post take_post(worker& me) noexcept;
  roused sit(worker& me, std::uint64_t nanoseconds) noexcept;
  bool is_attended() const noexcept FILCH_REQUIRES(lock_);
  bool has_arrived_within(std::uint64_t microseconds) const noexcept;
  void stop_guarding(const worker& me) noexcept FILCH_REQUIRES(lock_);
  void leave_post(const worker& me) noexcept FILCH_REQUIRES(lock_);
  void rouse(worker& woken, bool sits) noexcept;
  bool keeps_watch(std::uint64_t& last_active, std::uint64_t& seen_entries) noexcept
      FILCH_REQUIRES(lock_);
  bool get_up(worker& me) noexcept;
  bool get_up_beside(worker& me) noexcept;
  void rise(worker& me, slot* taken) noexcept FILCH_REQUIRES(lock_);
  void stop_watching(worker& me) noexcept;
  bool nobody_minds() const noexcept FILCH_REQUIRES(lock_);
  bool was_only_told(worker& me) noexcept;
  std::uint64_t keep_time(worker& me) noexcept FILCH_REQUIRES(lock_);
  std::uint64_t keep_time_unless_all_work(worker& me) noexcept;
  void lose_time(const worker& me) noexcept FILCH_REQUIRES(lock_);
  void sleep_on(worker& me) noexcept;
  bool wait_for_slot(worker& me) noexcept;

  alignas(base::cache_line_bytes) pool_core& core_;  // not beside the lock: it is read without
  std::unique_ptr<place_table> places_;
  alignas(base::cache_line_bytes) bool is_shut_down_ FILCH_GUARDED_BY(lock_) = false;
  /// How often somebody took a slot without being woken for it.
  std::uint64_t entries_ FILCH_GUARDED_BY(lock_) = 0;
  /// Last in, first out: the warmest wakes first.
  worker* sleepers_ FILCH_GUARDED_BY(lock_) = nullptr;
  worker* watcher_ FILCH_GUARDED_BY(lock_) = nullptr;  ///< The only sleeper with a timeout.
  /// The one that sleeps in the external source.
  worker* sitter_ FILCH_GUARDED_BY(lock_) = nullptr;
  /// The one that looks now and then whether it should sit there.
  worker* guard_ FILCH_GUARDED_BY(lock_) = nullptr;
  /// The one that gets up for the first timer.
  worker* keeper_ FILCH_GUARDED_BY(lock_) = nullptr;
  /// Somebody was told or started, and has yet to come to the list.
  bool minder_comes_ FILCH_GUARDED_BY(lock_) = false;
  /// When. Writers: under `lock_`. Readers: who starts timers.
  base::atomic<std::uint64_t> kept_until_ns_{timer::never};
  /// Writers: who takes what has arrived. Readers: who sleeps.
  base::atomic<std::uint64_t> last_arrival_ticks_{0};
  /// Who took it last, if it is up. Writers: workers. Readers: who sleeps.
  base::atomic<const worker*> attendant_{nullptr};
  policy::timer_backoff timer_backoff_
      FILCH_GUARDED_BY(lock_);  ///< Of the keeper, whoever that is.
  policy::wake_record wakes_ FILCH_GUARDED_BY(lock_);
  policy::poll_interval poll_interval_ FILCH_GUARDED_BY(lock_);  ///< In who takes what arrives.
};

extern template class basic_slot_exchange<roster, base::real_sync, slot, base::parker>;

}  // namespace filch::sched
