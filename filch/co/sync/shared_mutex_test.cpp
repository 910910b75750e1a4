// A lock that several tasks may share: none beside one that has it alone, in order of arrival.
#include <filch/co/sync/mixed_test.hpp>

#include <gtest/gtest.h>

#include <string>

namespace filch::inline v0_2::co::sync {
namespace {

/// Two numbers that are equal unless a task has the lock alone.
struct guarded {
  async_shared_mutex lock;
  long left = 0, right = 0;
  std::atomic<int> readers{0};
};

task<> use_often(guarded& what, int times) {
  for (int i = 0; i < times; ++i) {
    if (i % 4 == 0) {
      const auto held = co_await what.lock.lock();
      EXPECT_EQ(what.readers, 0);
      ++what.left;
      co_await co::yield();
      ++what.right;
    } else {
      const auto held = co_await what.lock.lock_shared();
      ++what.readers;
      if (i % 4 == 1) co_await co::yield();
      EXPECT_EQ(what.left, what.right);
      --what.readers;
    }
  }
}
void use_often_by_thread(guarded& what, int times) {
  for (int i = 0; i < times; ++i) {
    if (i % 4 == 0) {
      const auto held = filch::wait(what.lock.lock());
      ++what.left;
      ++what.right;
    } else {
      const auto held = filch::wait(what.lock.lock_shared());
      EXPECT_EQ(what.left, what.right);
    }
  }
}

TEST(async_shared_mutex, lets_several_share_and_one_be_alone) {
  for (const unsigned workers : widths) {
    thread_pool pool{{.workers = workers}};
    guarded what;
    run_mixed(
        pool, 3, [&](int) { return use_often(what, 200); },
        [&](int) { use_often_by_thread(what, 200); });
    EXPECT_EQ(what.left, 9 * 50);
    EXPECT_TRUE(what.lock.try_lock()) << "it is free at the end";
  }
}

TEST(async_shared_mutex, attempts_do_not_wait) {
  async_shared_mutex lock;
  {
    const auto first = lock.try_lock_shared(), second = lock.try_lock_shared();
    EXPECT_TRUE(first && second);
    EXPECT_FALSE(lock.try_lock());
  }
  const auto alone = lock.try_lock();
  EXPECT_TRUE(alone);
  EXPECT_FALSE(lock.try_lock());
  EXPECT_FALSE(lock.try_lock_shared());
}

task<> note_alone(async_shared_mutex& lock, std::string& order, char who) {
  const auto held = co_await lock.lock();
  order.push_back(who);
}
task<> note_shared(async_shared_mutex& lock, std::string& order, char who) {
  const auto held = co_await lock.lock_shared();
  order.push_back(who);
  co_await co::yield();
  order.push_back(who);
}
task<> come_in_turns(async_shared_mutex& lock, std::string& order) {
  scope nursery;
  auto held = co_await lock.lock_shared();
  nursery.spawn(note_alone(lock, order, 'A'));
  co_await co::yield();
  nursery.spawn(note_shared(lock, order, 'b'));
  co_await co::yield();
  nursery.spawn(note_shared(lock, order, 'c'));
  co_await co::yield();
  nursery.spawn(note_alone(lock, order, 'D'));
  co_await co::yield();
  EXPECT_EQ(order, "") << "a later sharer waits behind the one that waits to have it alone";
  held.unlock();
  co_await nursery.join();
}

TEST(async_shared_mutex, serves_in_order_of_arrival_and_neighbours_together) {
  thread_pool pool{{.workers = 1}};
  async_shared_mutex lock;
  std::string order;
  block_on(spawn(pool, come_in_turns(lock, order)));
  EXPECT_EQ(order, "AbcbcD");
}

task<> cancel_who_waits_to_be_alone(async_shared_mutex& lock, std::string& order) {
  scope readers;
  auto held = co_await lock.lock_shared();
  join_handle<> alone = spawn(note_alone(lock, order, 'A'));
  co_await co::yield();
  readers.spawn(note_shared(lock, order, 'b'));
  co_await co::yield();
  EXPECT_EQ(order, "");
  alone.cancel();
  co_await readers.join();
  EXPECT_EQ(order, "bb") << "nobody is before it any more";
  EXPECT_THROW(co_await alone, cancelled);
}

TEST(async_shared_mutex, lets_in_those_that_an_interrupted_waiter_kept_out) {
  thread_pool pool{{.workers = 1}};
  async_shared_mutex lock;
  std::string order;
  block_on(spawn(pool, cancel_who_waits_to_be_alone(lock, order)));
  EXPECT_TRUE(lock.try_lock());
}

}  // namespace
}  // namespace filch::co::sync
