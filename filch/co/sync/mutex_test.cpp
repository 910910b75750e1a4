// Locks and permits: one holder at a time, in order, for coroutines, jobs and threads.
#include <filch/co/await_spawned_test.hpp>
#include <filch/co/sync/mixed_test.hpp>
#include <filch/fork.hpp>

#include <gtest/gtest.h>

#include <latch>
#include <memory>
#include <optional>
#include <string>

namespace filch::inline v0_2::co::sync {
namespace {

task<> add_often(async_mutex& lock, long& sum, int times, bool holds_it_across_an_await) {
  for (int i = 0; i < times; ++i) {
    const async_lock held = co_await lock.lock();
    const long before = sum;
    if (holds_it_across_an_await) co_await co::yield();
    sum = before + 1;
  }
}
void add_often_by_thread(async_mutex& lock, long& sum, int times) {
  for (int i = 0; i < times; ++i) {
    const async_lock held = filch::wait(lock.lock());
    ++sum;
  }
}

TEST(async_mutex, lets_in_one_owner_of_any_kind_at_a_time) {
  for (const unsigned workers : widths) {
    thread_pool pool{{.workers = workers}};
    async_mutex lock;
    long sum = 0;
    run_mixed(
        pool, 4, [&](int i) { return add_often(lock, sum, 500, i % 2 == 0); },
        [&](int) { add_often_by_thread(lock, sum, 500); });
    EXPECT_EQ(sum, 3 * 4 * 500) << workers << " workers";
    EXPECT_TRUE(lock.try_lock()) << "it is free at the end";
  }
}

task<> note_turn(async_mutex& lock, std::string& turns, char who) {
  const async_lock held = co_await lock.lock();
  turns.push_back(who);
}
task<> hold_while_others_come(async_mutex& lock, std::string& turns) {
  scope nursery;
  async_lock held = co_await lock.lock();
  for (char who = 'a'; who <= 'e'; ++who) {
    nursery.spawn(note_turn(lock, turns, who));
    co_await co::yield();
  }
  held.unlock();
  co_await nursery.join();
}

TEST(async_mutex, is_handed_on_in_order_of_arrival) {
  thread_pool pool{{.workers = 1}};
  async_mutex lock;
  std::string turns;
  block_on(spawn(pool, hold_while_others_come(lock, turns)));
  EXPECT_EQ(turns, "abcde");
}

task<> overtake_once(async_mutex& lock, std::string& turns) {
  scope nursery;
  async_lock held = co_await lock.lock();
  for (char who = 'a'; who <= 'c'; ++who) nursery.spawn(note_turn(lock, turns, who));
  co_await co::yield();
  held.unlock();
  held = lock.try_lock();
  EXPECT_TRUE(held) << "it is free until the first that waits has come";
  turns.push_back('o');
  co_await co::yield();  // the first waiter returns in vain
  held.unlock();
  EXPECT_FALSE(lock.try_lock()) << "this time it was handed over";
  co_await nursery.join();
}

TEST(async_mutex, may_be_taken_once_before_its_waiters) {
  thread_pool pool{{.workers = 1}};
  async_mutex lock;
  std::string turns;
  block_on(spawn(pool, overtake_once(lock, turns)));
  EXPECT_EQ(turns, "oabc");
}

task<> come_back_stopped(async_mutex& lock, std::string& turns) {
  scope nursery;
  async_lock held = co_await lock.lock();
  join_handle<> stopped = spawn(note_turn(lock, turns, 'x'));
  co_await co::yield();
  nursery.spawn(note_turn(lock, turns, 'a'));
  co_await co::yield();
  held.unlock();
  stopped.cancel();  // it was about to return
  co_await nursery.join();
  EXPECT_THROW(co_await std::move(stopped), cancelled);
}

TEST(async_mutex, goes_to_the_next_if_the_returning_waiter_was_cancelled) {
  thread_pool pool{{.workers = 1}};
  async_mutex lock;
  std::string turns;
  block_on(spawn(pool, come_back_stopped(lock, turns)));
  EXPECT_EQ(turns, "a");
  EXPECT_TRUE(lock.try_lock());
}

task<> nothing() { co_return; }
task<> note_that_it_was_stopped(async_mutex& lock, async_latch& was_stopped) {
  try {
    static_cast<void>(co_await lock.lock());
  } catch (const cancelled&) {
    was_stopped.count_down();
  }
}
foreign_coroutine wait_with_the_lock(async_mutex& lock, async_latch& was_stopped,
                                     std::atomic<bool>& has_ended) {
  const async_lock held = co_await lock.lock();
  filch::wait(was_stopped.wait());
  has_ended = true;
}

TEST(async_mutex, waits_inside_a_hand_over_for_the_waiter_that_caused_it) {
  async_mutex lock;
  async_latch was_stopped{1};
  std::atomic<bool> has_ended{false};
  async_lock held = lock.try_lock();
  std::optional<foreign_coroutine> waits;  // outlives the thread that ends it
  thread_pool pool{{.workers = 1}};
  join_handle<> stopped = spawn(pool, note_that_it_was_stopped(lock, was_stopped));
  block_on(spawn(pool, nothing()));  // by then the other one waits
  waits.emplace(wait_with_the_lock(lock, was_stopped, has_ended));
  std::latch is_done{1};
  pool.submit([&] {  // by a job, which has the only slot: no other job runs in between
    held.unlock();
    stopped.cancel();
    is_done.count_down();
  });
  is_done.wait();
  block_on(pool, await_spawned(std::move(stopped)));
  while (!has_ended) std::this_thread::yield();
}

TEST(async_mutex, is_held_by_its_guard_only) {
  async_mutex lock;
  async_lock first = lock.try_lock();
  EXPECT_TRUE(first);
  EXPECT_FALSE(lock.try_lock());
  async_lock second = std::move(first);
  EXPECT_FALSE(first);  // NOLINT: it says so
  first.unlock();
  EXPECT_FALSE(lock.try_lock());
  second = async_lock{};
  EXPECT_TRUE(lock.try_lock());
}

task<> lock_and_free(std::optional<async_mutex>& lock, async_lock& held_by_first) {
  co_await co::yield();
  held_by_first.unlock();
  co_await co::yield();
  static_cast<void>(lock);
}
task<> end_it_when_it_is_mine(std::optional<async_mutex>& lock) {
  async_lock held = co_await lock->lock();
  held.unlock();
  lock.reset();
}

TEST(async_mutex, may_be_destroyed_by_the_task_it_was_handed_to) {
  for (const unsigned workers : widths) {
    thread_pool pool{{.workers = workers}};
    for (int i = 0; i < 300; ++i) {
      std::optional<async_mutex> lock{std::in_place};
      async_lock held = lock->try_lock();
      join_handle<> ends = spawn(pool, end_it_when_it_is_mine(lock));
      join_handle<> gives = spawn(pool, lock_and_free(lock, held));
      block_on(pool, await_spawned(std::move(ends)));
      EXPECT_FALSE(lock.has_value());
      block_on(pool, await_spawned(std::move(gives)));
    }
  }
}

TEST(async_mutex, makes_a_job_wait_that_lets_others_run) {
  thread_pool pool{{.workers = 1}};
  async_mutex lock;
  int steps = 0;
  pool.run([&] {
    async_lock held = lock.try_lock();
    filch::join(
        [&] {
          const async_lock mine = filch::wait(lock.lock());
          EXPECT_EQ(steps++, 1);
        },
        [&] {
          EXPECT_EQ(steps++, 0);
          held.unlock();
        });
  });
  EXPECT_EQ(steps, 2);
}

// -------------------------------------------------------------------------------------------------
// permits
struct visitors {
  std::atomic<int> inside{0};
  std::atomic<int> most{0};
  std::atomic<int> all{0};
  void come() {
    const int now = ++inside;
    int seen = most;
    while (seen < now && !most.compare_exchange_weak(seen, now)) {
    }
    ++all;
  }
  void go() { --inside; }
};
task<> visit_often(async_semaphore& permits, visitors& here, int times) {
  for (int i = 0; i < times; ++i) {
    const async_permit held = co_await permits.acquire(1 + static_cast<std::size_t>(i) % 2);
    here.come();
    if (i % 3 == 0) co_await co::yield();
    here.go();
  }
}
void visit_often_by_thread(async_semaphore& permits, visitors& here, int times) {
  for (int i = 0; i < times; ++i) {
    const async_permit held = filch::wait(permits.acquire(1 + static_cast<std::size_t>(i) % 3));
    here.come();
    here.go();
  }
}

TEST(async_semaphore, lets_as_many_in_as_it_has_permits) {
  for (const unsigned workers : widths) {
    thread_pool pool{{.workers = workers}};
    async_semaphore permits{3};
    visitors here;
    run_mixed(
        pool, 5, [&](int) { return visit_often(permits, here, 300); },
        [&](int) { visit_often_by_thread(permits, here, 300); });
    EXPECT_EQ(here.all, 3 * 5 * 300);
    EXPECT_LE(here.most, 3);
    const async_permit all = permits.try_acquire(3);
    EXPECT_TRUE(all);
    EXPECT_FALSE(permits.try_acquire());
  }
}

task<> take_one(async_semaphore& permits, int& taken) {
  (co_await permits.acquire()).detach();
  ++taken;
}
task<> release_many(async_semaphore& permits, int& taken) {
  scope nursery;
  for (int i = 0; i < 5; ++i) nursery.spawn(take_one(permits, taken));
  co_await co::yield();
  permits.put_back(3);
  co_await co::yield();
  EXPECT_EQ(taken, 3);
  permits.put_back(4);
  co_await nursery.join();
  EXPECT_EQ(taken, 5);
  EXPECT_FALSE(permits.try_acquire(3));
  EXPECT_TRUE(permits.try_acquire(2));
}

task<> note_turn(async_semaphore& permits, std::string& turns, char who) {
  const async_permit held = co_await permits.acquire();
  turns.push_back(who);
}
task<> release_to_those_who_wait(async_semaphore& permits, std::string& turns) {
  scope nursery;
  for (char who = 'a'; who <= 'e'; ++who) nursery.spawn(note_turn(permits, turns, who));
  co_await co::yield();
  permits.put_back();
  EXPECT_FALSE(permits.try_acquire()) << "it was handed to the first that waits";
  nursery.spawn(note_turn(permits, turns, 'z'));
  co_await nursery.join();
}

TEST(async_semaphore, serves_in_order_of_arrival_and_lets_nobody_overtake) {
  thread_pool pool{{.workers = 1}};
  async_semaphore permits{0};
  std::string turns;
  block_on(spawn(pool, release_to_those_who_wait(permits, turns)));
  EXPECT_EQ(turns, "abcdez");
}

task<> note_turn_with(async_semaphore& permits, std::size_t wanted, std::string& turns, char who) {
  (co_await permits.acquire(wanted)).detach();
  turns.push_back(who);
}
task<> take_many(async_semaphore& permits, std::string& turns) {
  scope nursery;
  nursery.spawn(note_turn_with(permits, 3, turns, 'm'));
  nursery.spawn(note_turn_with(permits, 1, turns, 'f'));
  for (int i = 0; i < 3; ++i) {
    co_await co::yield();
    EXPECT_EQ(turns, "");
    EXPECT_FALSE(permits.try_acquire()) << "what there is is kept for the first";
    permits.put_back();
  }
  co_await co::yield();
  EXPECT_EQ(turns, "m");
  permits.put_back(2);
  co_await nursery.join();
  EXPECT_EQ(turns, "mf");
  const async_permit rest = permits.try_acquire();
  EXPECT_TRUE(rest);
  EXPECT_FALSE(permits.try_acquire());
}

TEST(async_semaphore, gives_many_at_once_and_nobody_passes_their_waiter) {
  thread_pool pool{{.workers = 1}};
  async_semaphore permits{0};
  std::string turns;
  block_on(spawn(pool, take_many(permits, turns)));
}

TEST(async_semaphore, has_a_permit_back_when_what_holds_it_ends) {
  async_semaphore permits{3};
  {
    async_permit two = filch::wait(permits.acquire(2)), one = permits.try_acquire();
    EXPECT_TRUE(one);
    EXPECT_FALSE(permits.try_acquire());
    two = std::move(one);  // gives the two back
    EXPECT_FALSE(one);
    EXPECT_TRUE(permits.try_acquire(2));
    two.release();
    EXPECT_FALSE(two);
    EXPECT_TRUE(permits.try_acquire(3));
    permits.try_acquire().detach();
    EXPECT_FALSE(permits.try_acquire(3));
    permits.put_back();
  }
  EXPECT_TRUE(permits.try_acquire(3));
}

TEST(async_semaphore, serves_those_who_wait_and_keeps_the_rest) {
  thread_pool pool{{.workers = 1}};
  async_semaphore permits{0};
  int taken = 0;
  block_on(spawn(pool, release_many(permits, taken)));
}

foreign_coroutine take_and_end(std::unique_ptr<async_semaphore>& permits, bool& has_ended) {
  (co_await permits->acquire()).detach();
  permits.reset();
  has_ended = true;
}

TEST(async_semaphore, may_be_destroyed_by_the_task_that_got_one_of_several_permits) {
  auto permits = std::make_unique<async_semaphore>(0);
  bool has_ended = false;
  const foreign_coroutine takes = take_and_end(permits, has_ended);
  permits->put_back(2);
  EXPECT_TRUE(has_ended);
}

task<bool> take_again(async_semaphore& permits) {
  async_semaphore::taking takes = permits.acquire();
  EXPECT_THROW(static_cast<void>(co_await takes), cancelled);
  permits.put_back();
  (co_await takes).detach();
  co_return true;
}
task<bool> take_again_when_asked(async_semaphore& permits) {
  const std::stop_token token = co_await get_stop_token();
  while (!token.stop_requested()) co_await co::yield();
  co_return co_await take_again(permits);
}

TEST(async_semaphore, gives_a_permit_to_an_operation_that_was_interrupted_before) {
  thread_pool pool{{.workers = 1}};
  async_semaphore permits{0};
  join_handle<bool> takes = spawn(pool, take_again_when_asked(permits));
  takes.cancel();
  EXPECT_TRUE(block_on(std::move(takes)));
  EXPECT_FALSE(permits.try_acquire());
}

TEST(async_semaphore_death_test, counts_as_many_permits_as_it_says) {
  constexpr std::size_t most = async_semaphore::max();
  async_semaphore full{most}, empty{0};
  EXPECT_TRUE(full.try_acquire(most));
  empty.put_back(most);
  EXPECT_TRUE(empty.try_acquire(most));
  EXPECT_DEATH(static_cast<void>(full.acquire(most + 1)), "so many permits cannot be counted");
  EXPECT_DEATH(async_semaphore{most + 1}, "so many permits cannot be counted");
  EXPECT_DEATH(empty.put_back(most + 1), "so many permits cannot be counted");
}

}  // namespace
}  // namespace filch::co::sync
