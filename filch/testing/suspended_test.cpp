// Reports about coroutines that are suspended for ever.
#include <filch/co.hpp>
#include <filch/sync.hpp>
#include <filch/testing.hpp>

#include <gtest/gtest.h>

#include <coroutine>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace filch::inline v0_2 {
namespace {

using namespace std::chrono_literals;
using testing::explore;
using testing::replay;
using testing::report;

/// The failure of the first schedule that ends in a deadlock, which another run of the same seed
/// repeats.
std::string deadlock_of(const std::function<void()>& body) {
  const report found = explore(body);
  EXPECT_FALSE(found.passed());
  if (found.passed()) return "";
  EXPECT_NE(found.failure.find("deadlock"), std::string::npos) << found.text();
  EXPECT_EQ(replay(*found.failing_seed, body).text(), found.text());
  return found.failure;
}

/// Whether these parts stand in the text in this order.
bool has_in_order(const std::string& text, std::initializer_list<const char*> parts) {
  std::size_t from = 0;
  for (const char* part : parts) {
    const std::size_t found = text.find(part, from);
    if (found == std::string::npos) return false;
    from = found + std::string(part).size();
  }
  return true;
}
#define EXPECT_IN_ORDER(text, ...) EXPECT_TRUE(has_in_order(text, {__VA_ARGS__})) << text

// -------------------------------------------------------------------------------------------------
// locks
struct two_locks {
  async_mutex accounts, journal;
};
constexpr int transfer_stops_at = __LINE__ + 4;
task<> transfer(two_locks& of) {
  const async_lock first = co_await of.accounts.lock();
  co_await co::yield();
  const async_lock second = co_await of.journal.lock();
}
task<> audit(two_locks& of) {
  const async_lock first = co_await of.journal.lock();
  co_await co::yield();
  const async_lock second = co_await of.accounts.lock();
}

TEST(suspended, tasks_that_lock_crosswise_are_named_with_their_locks_and_holders) {
  const std::string text = deadlock_of([] {
    two_locks locks;
    task<> first = transfer(locks), second = audit(locks);
    block_on(when_all(std::move(first), std::move(second)));
  });
  const std::string place =
      "(testing/suspended_test.cpp:" + std::to_string(transfer_stops_at) + ")";
  const std::string transfers =
      "  task 1 transfer " + place + " waits for async_mutex 1, held by task 2 audit\n";
  EXPECT_IN_ORDER(
      text, "  body waits for task 3 when_all\n", transfers.c_str(), "  task 2 audit (",
      ") waits for async_mutex 2, held by task 1 transfer\n",
      "  task 3 when_all (co/when_all.hpp:", ") waits for task 1 transfer, task 2 audit\n");
}

task<async_lock> take(async_mutex& lock) { co_return co_await lock.lock(); }
task<> take_and_wait(async_mutex& lock, async_event& never) {
  const async_lock held = co_await take(lock);
  co_await never.wait();
}

TEST(suspended, a_lock_is_held_by_the_task_it_was_passed_on_to) {
  const std::string text = deadlock_of([] {
    async_mutex lock;
    async_event never;
    const join_handle<> holds = spawn(take_and_wait(lock, never));
    while (lock.try_lock()) testing::nap(1us);
    const async_lock held = wait(lock.lock());
  });
  EXPECT_IN_ORDER(text, "body waits for async_mutex 1, held by task 1 take_and_wait\n",
                  "task 1 take_and_wait", "waits for async_event 2\n");
}

task<> leave_locked(async_mutex& lock, async_lock& to) { to = co_await lock.lock(); }
task<> share_forever(async_shared_mutex& lock, async_latch& came, async_event& never) {
  const auto held = co_await lock.lock_shared();
  came.count_down();
  co_await never.wait();
}

TEST(suspended, a_thread_that_holds_a_lock_is_named_and_a_task_that_ended_with_one) {
  const std::string text = deadlock_of([] {
    async_mutex by_body, by_task;
    async_lock kept;
    block_on(leave_locked(by_task, kept));
    const async_lock held = wait(by_body.lock());
    task<async_lock> first = take(by_body), second = take(by_task);
    block_on(when_all(std::move(first), std::move(second)));
  });
  EXPECT_IN_ORDER(text, "take", "waits for async_mutex 1, held by body\n", "take",
                  "waits for async_mutex 2, held by task 1 leave_locked, which has ended\n");
}

TEST(suspended, all_that_share_a_lock_are_named) {
  const std::string text = deadlock_of([] {
    async_shared_mutex lock;
    async_latch came{2};
    async_event never;
    const join_handle<> one = spawn(share_forever(lock, came, never)),
                        other = spawn(share_forever(lock, came, never));
    wait(came.wait());
    const auto held = wait(lock.lock());
  });
  EXPECT_IN_ORDER(
      text,
      "body waits for async_shared_mutex 1, held by task 1 share_forever, task 2 share_forever\n");
}

// -------------------------------------------------------------------------------------------------
// channels and the like
task<int> pull(channel<int>& from) {
  const std::optional<int> got = co_await from.receive();
  co_return got.value_or(0);
}
task<int> pull_by(channel<int>& from) { co_return co_await pull(from); }
task<> push(channel<int>& to) { static_cast<void>(co_await to.send(1)); }

TEST(suspended, a_receive_that_nobody_sends_to_is_named_with_its_caller) {
  const std::string text = deadlock_of([] {
    channel<int> silent{1};
    block_on(pull_by(silent));
  });
  EXPECT_IN_ORDER(text, "body waits for task 1 pull_by\n", "task 1 pull_by (",
                  ") waits for task 2 pull\n", "task 2 pull (",
                  ") waits for a value from channel 1\n");
}

TEST(suspended, both_ends_of_a_channel_have_its_number) {
  const std::string text = deadlock_of([] {
    channel<int> full{0}, empty{0};
    task<> first = push(full), second = push(full);
    task<int> third = pull(empty);
    block_on(when_all(std::move(first), std::move(third), std::move(second)));
  });
  EXPECT_IN_ORDER(text, "task 1 push", "room in channel 1\n", "task 2 push", "room in channel 1\n",
                  "task 3 pull", "a value from channel 2\n");
}

task<> await_spawned_one(async_semaphore& none) {
  struct inner {
    static task<> acquire(async_semaphore& from) {
      const async_permit never = co_await from.acquire();
    }
  };
  co_await spawn(inner::acquire(none));
}
task<> in_a_scope(async_semaphore& none) {
  co::scope nursery;
  nursery.spawn(await_spawned_one(none));
  co_await nursery.join();
}
task<> forks(async_semaphore& none) {
  const auto forked = co_await co::fork(in_a_scope(none));
  co_await co::join;
}

TEST(suspended, what_joins_scopes_and_awaits_wait_for_is_named_down_to_the_last) {
  const std::string text = deadlock_of([] {
    async_semaphore none{0};
    block_on(forks(none));
  });
  EXPECT_IN_ORDER(text, "task 1 forks", "waits for task 2 in_a_scope\n", "task 2 in_a_scope",
                  "waits for task 3 await_spawned_one\n", "task 3 await_spawned_one",
                  "waits for task 4 acquire\n", "task 4 acquire",
                  "waits for a permit of async_semaphore 1\n");
}

// -------------------------------------------------------------------------------------------------
// what is not suspended
task<> locks_plainly(testing::mutex& lock, async_event& ready) {
  ready.set();
  lock.lock();
  co_return;
}

TEST(suspended, a_task_whose_thread_waits_is_said_to_run_there) {
  const std::string text = deadlock_of([] {
    thread_pool pool{{.workers = 1}};
    testing::mutex never{"never"};
    async_event ready;
    never.lock();
    const join_handle<> stuck = spawn(pool, locks_plainly(never, ready));
    wait(ready.wait());
    block_on(spawn(pool, locks_plainly(never, ready)));
  });
  EXPECT_IN_ORDER(text, "waits for never, held by body\n", "task 1 locks_plainly runs on worker ",
                  "task 2 locks_plainly waits for a worker\n");
}

struct of_another_library {
  static bool await_ready() noexcept { return false; }
  static void await_suspend(std::coroutine_handle<>) noexcept {}
  static void await_resume() noexcept {}
};
task<> await_something_else() { co_await of_another_library{}; }

TEST(suspended, a_task_that_awaits_what_nobody_knows_waits_for_something) {
  EXPECT_IN_ORDER(deadlock_of([] { block_on(await_something_else()); }),
                  "task 1 await_something_else waits for something\n");
}

TEST(suspended, many_tasks_are_counted) {
  const std::string text = deadlock_of([] {
    channel<int> silent{1};
    std::vector<task<int>> all;
    for (int i = 0; i < 120; ++i) all.push_back(pull(silent));
    block_on(when_all(std::move(all)));
  });
  EXPECT_IN_ORDER(text, "task 100 pull", "  and 21 more tasks\n");
}

}  // namespace
}  // namespace filch
