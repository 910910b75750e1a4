// Slots from hand to hand under every interleaving up to a bound: a waiter that suspends gets one
// back, no waiter holds another's, the number of threads at work returns to the limit, and no job
// is left behind.
#include <filch/testing/model/witness.hpp>

#include <filch/base/parker.hpp>
#include <filch/sched/parking/slot_allocator_steps.hpp>
#include <filch/testing/model/model_futex.hpp>

#include <memory>

namespace {

using filch::base::relaxed;
using filch::testing::checked_sync;
using filch::testing::holds;
using filch::testing::model_assert;
using filch::testing::scenario;
using parker = filch::base::basic_parker<filch::testing::model_futex<checked_sync>>;

/// Its holder writes to it: two holders, or a holder that does not see the writes of the last one,
/// are a race.
struct slot {
  slot* next = nullptr;
  checked_sync::plain<int> turns{0};
  bool has_jobs() const { return false; }
  bool has_timers() const { return false; }
};

/// A pool whose jobs are a number, and in which no worker sleeps. If all slots are taken a driver
/// is missing, and `ensure_driver` takes the lock.
class office : public filch::sched::basic_slot_allocator<office, checked_sync, slot, parker> {
 public:
  using basic_slot_allocator::basic_slot_allocator;

  checked_sync::atomic<int> jobs{0};
  checked_sync::atomic<int> wakes{0};

  void hold_at_first(waiter_type& waiter) {
    waiter.granted = take_free_slot();
    idle_.slot_taken();
  }
  /// As the driver does when all slots are taken.
  bool wake_self_with_driver_slot(waiter_type& waiter) {
    lock_.lock();
    waiter.granted = take_driver_slot();
    lock_.unlock();
    return waiter.granted != nullptr;
  }
  void post() {
    jobs.store(1, relaxed);
    if (filch::policy::wakes_somebody(idle_.announce_work())) wakes.fetch_add(1, relaxed);
  }

 private:
  friend basic_slot_allocator;
  bool driver_is_missing() const { return !has_free_slot() && has_free_driver_slot(); }
  bool timer_lacks_driver() const { return false; }
  void ensure_driver() {
    lock_.lock();
    lock_.unlock();
  }
  void wake_for_visible_work() {
    if (jobs.load(relaxed) == 0) return;
    lock_.lock();
    if (has_free_slot()) {
      wakes.fetch_add(1, relaxed);
    } else {
      idle_.note_waiting_work();
    }
    lock_.unlock();
  }
};

struct waiter : office::waiter_type {
  waiter() { own = &overcommit; }
  slot overcommit;
};

void compute(waiter& holder) {
  model_assert(holder.granted != nullptr, "a thread that goes on holds a slot");
  slot& mine = *holder.granted;
  mine.turns.write(mine.turns.read() + 1);
}

/// A stalled join gives its slot away until its job is done.
void stall(office& at, waiter& who) {
  compute(who);
  if (at.suspend(who)) who.parker.park();
  compute(who);
}
/// An external thread, or a job that comes back from blocking: it never waits.
void external_scope(office& at, waiter& who) {
  at.acquire(who);
  compute(who);
  at.release(who);
}
/// A worker between two jobs, as in `worker::serve`: beyond the limit it gives its slot up.
void end_job(office& at, waiter& who) {
  if (at.is_over_limit() || (who.is_overcommitted() && !at.regularize(who))) at.release(who);
}

template <int Threads>
struct in_office : scenario<Threads> {
  static constexpr unsigned context_bound =
      Threads == 2 ? 3 : 0;  // with three it takes minutes, and the explorer sees them all
  explicit in_office(unsigned slots = 1) : pool{slots} { pool.hold_at_first(first); }
  void after() override {
    model_assert(!first.is_suspended && !first.was_resumed && !first.parker.has_token(),
                 "a hand-over leaves nothing behind");
    model_assert(!pool.is_over_limit(), "all that compute are within the limit");
    model_assert(pool.idle().peek().free_slots + held_count() == pool.allowed_count(),
                 "no slot is lost");
  }
  virtual unsigned held_count() const { return holds_regular(first) + holds_regular(second); }
  static unsigned holds_regular(const waiter& who) {
    return who.granted != nullptr && !who.is_overcommitted() ? 1 : 0;
  }
  office pool;
  waiter first, second;
};

struct join_that_stalls : in_office<2> {
  void thread(unsigned index) override { index == 0 ? stall(pool, first) : pool.resume(first); }
};

/// It stalls twice: a resumption counts once.
struct join_that_stalls_again : in_office<2> {
  parker goes_on;
  void thread(unsigned index) override {
    if (index == 0) {
      stall(pool, first);
      goes_on.unpark();
      stall(pool, first);
    } else {
      pool.resume(first);
      goes_on.park();
      pool.resume(first);
    }
  }
};

/// A stalled join gives its slot away, and the job it is in ends.
void stall_and_end(office& at, waiter& who) {
  stall(at, who);
  at.release(who);
}

struct visitor_meanwhile : in_office<3> {
  explicit visitor_meanwhile(bool is_external = true) { second.is_external = is_external; }
  void thread(unsigned index) override {
    index == 0   ? stall_and_end(pool, first)
    : index == 1 ? pool.resume(first)
                 : external_scope(pool, second);
  }
};
struct own_thread_meanwhile : visitor_meanwhile {
  own_thread_meanwhile() : visitor_meanwhile{false} {}
};

/// A worker that resumed beyond the limit, and the one that has its slot, both come between two
/// jobs while a job is submitted.
struct width_that_returns : in_office<3> {
  width_that_returns() {
    static_cast<void>(pool.suspend(first));
    pool.acquire(second);
    pool.resume(first);
    first.parker.park();
    model_assert(pool.is_over_limit(), "a join that can go on goes on");
  }
  void thread(unsigned index) override {
    index == 0 ? end_job(pool, first) : index == 1 ? end_job(pool, second) : pool.post();
  }
  void after() override {
    in_office::after();
    model_assert(first.granted == nullptr || second.granted == nullptr,
                 "one slot, one thread at work");
    const bool is_held = first.granted != nullptr || second.granted != nullptr;
    model_assert(is_held || pool.wakes.load(relaxed) != 0,
                 "a job is found by the thread that keeps a slot, or wakes one");
  }
};

/// External threads leave the last slot to the pool, so its jobs go on beginning.
struct slot_beside_visitors : in_office<2> {
  slot_beside_visitors() : in_office{2} {
    pool.hold_at_first(second);
    for (waiter* each : {&third, &fourth, &fifth}) {
      each->is_external = true;
      pool.acquire(*each);
    }
  }
  void thread(unsigned index) override { end_job(pool, index == 0 ? first : second); }
  void after() override {
    model_assert(!pool.is_over_limit(), "all that can be withheld are");
    const unsigned kept = holds_regular(first) + holds_regular(second);
    model_assert(kept + pool.idle().peek().free_slots == 1,
                 "one of two slots is withheld, and one stays in use");
  }
  waiter third, fourth, fifth;
};

struct budget_that_shrinks_meanwhile : in_office<3> {
  budget_that_shrinks_meanwhile() : in_office{2} { pool.hold_at_first(second); }
  void thread(unsigned index) override {
    if (index == 0) {
      stall(pool, first);
    } else if (index == 1) {
      pool.resume(first);
      pool.release(second);
    } else {
      pool.allow(1);
    }
  }
  void after() override {
    in_office::after();
    model_assert(pool.idle().peek().free_slots == 0 || first.is_overcommitted(),
                 "of two slots one is withheld, and one held");
  }
  unsigned held_count() const override {
    return in_office::held_count() + (first.is_overcommitted() ? 1 : 0);
  }
};

struct budget_that_comes_back : in_office<2> {
  budget_that_comes_back() : in_office{2} {
    pool.hold_at_first(second);
    pool.allow(1);
    pool.release(second);
  }
  void thread(unsigned index) override {
    index == 0 ? external_scope(pool, second) : pool.allow(2);
  }
};

/// A job comes while the last slot is being given away: its producer or the giver wakes a worker.
struct job_while_the_last_slot_is_released : in_office<2> {
  void thread(unsigned index) override { index == 0 ? pool.release(first) : pool.post(); }
  void after() override {
    model_assert(pool.wakes.load(relaxed) != 0, "a job that found every slot taken wakes somebody");
  }
};
struct job_while_a_join_stalls : in_office<3> {
  void thread(unsigned index) override {
    index == 0 ? stall_and_end(pool, first) : index == 1 ? pool.post() : pool.resume(first);
  }
  void after() override {
    in_office::after();
    model_assert(pool.wakes.load(relaxed) != 0, "a job that found every slot taken wakes somebody");
  }
};

/// A job on the driver's slot blocks and comes back, while the next driver takes that slot.
struct driver_slot_twice : in_office<2> {
  driver_slot_twice() : in_office{2} {
    pool.hold_at_first(second);
    model_assert(pool.wake_self_with_driver_slot(serving), "the driver's slot is free");
  }
  void thread(unsigned index) override { index == 0 ? block() : mind(); }
  void block() {
    compute(serving);
    pool.release(serving);
    pool.acquire(serving);
    compute(serving);
    pool.release(serving);
  }
  void mind() {
    if (!pool.wake_self_with_driver_slot(minder)) return;
    compute(minder);
    pool.release(minder);
  }
  void after() override {
    in_office::after();
    model_assert(!pool.works_beside(), "the driver's slot comes home");
  }
  waiter serving, minder;
};

/// The pool ends as soon as the join goes on.
struct pool_that_ends_with_the_join : scenario<2> {
  pool_that_ends_with_the_join() { pool->hold_at_first(*who); }
  void thread(unsigned index) override {
    index == 0 ? stall_and_end() : known->resume(*known_claim);
  }
  void stall_and_end() {
    if (known->suspend(*known_claim)) known_claim->parker.park();
    who.reset();
    pool.reset();
  }
  std::unique_ptr<office> pool = std::make_unique<office>(1);
  office* const known = pool.get();
  std::unique_ptr<waiter> who = std::make_unique<waiter>();
  waiter* const known_claim = who.get();
};

}  // namespace

TEST(slot_allocator_model, a_join_that_stalls_gets_a_slot_back) {
  EXPECT_TRUE(holds<join_that_stalls>());
}
TEST(slot_allocator_model, a_resumption_counts_once) {
  EXPECT_TRUE(holds<join_that_stalls_again>());
}
TEST(slot_allocator_model, a_slot_that_was_given_away_serves_a_visitor_and_comes_back) {
  EXPECT_TRUE(holds<visitor_meanwhile>());
  EXPECT_TRUE(holds<own_thread_meanwhile>());
}
TEST(slot_allocator_model, the_width_returns_to_the_limit_between_two_jobs) {
  EXPECT_TRUE(holds<width_that_returns>());
}
TEST(slot_allocator_model, threads_from_outside_leave_one_slot_in_use) {
  EXPECT_TRUE(holds<slot_beside_visitors>());
}
TEST(slot_allocator_model, a_budget_that_shrinks_takes_no_slot_from_a_join) {
  EXPECT_TRUE(holds<budget_that_shrinks_meanwhile>());
}
TEST(slot_allocator_model, a_budget_that_comes_back_is_there_for_the_next) {
  EXPECT_TRUE(holds<budget_that_comes_back>());
}
TEST(slot_allocator_model, a_job_is_found_by_the_thread_that_gives_the_last_slot_away) {
  EXPECT_TRUE(holds<job_while_the_last_slot_is_released>());
}
TEST(slot_allocator_model, a_job_is_found_although_the_join_that_gave_its_slot_away_is_back) {
  EXPECT_TRUE(holds<job_while_a_join_stalls>());
}
TEST(slot_allocator_model, the_extra_slot_is_held_by_one_and_comes_home) {
  EXPECT_TRUE(holds<driver_slot_twice>());
}
#if !defined(FILCH_RELACY)  // whose futex knows sleepers by the word itself, not by its address
TEST(slot_allocator_model, a_pool_may_end_as_soon_as_the_last_join_goes_on) {
  EXPECT_TRUE(holds<pool_that_ends_with_the_join>());
}
#endif
