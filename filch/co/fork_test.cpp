#include <filch/base/sanitized_test.hpp>
#include <filch/co.hpp>
#include <filch/co/await_spawned_test.hpp>
#include <filch/co/run_task_test.hpp>
#include <filch/co/sync/mixed_test.hpp>
#include <filch/filch.hpp>
#include <filch/sync.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace filch::inline v0_2::co {
namespace {

using sync::widths;

task<long> fib(int n) {
  if (n < 2) co_return n;
  forked<long> left = co_await fork(fib(n - 1));
  const long right = co_await fib(n - 2);
  co_await join;
  co_return left.get() + right;
}

TEST(fork, of_a_recursion_gives_its_result) {
  for (const unsigned workers : widths) {
    thread_pool pool{{.workers = workers}};
    EXPECT_EQ(block_on(pool, fib(20)), 6765);
    EXPECT_EQ(block_on(spawn(pool, fib(20))), 6765);
  }
}

task<> wait_for(async_event& event) { co_await event.wait(); }

task<> wait_beside_a_fork(async_event& event) {
  forked<> beside = co_await fork(wait_for(event));
  co_await event.wait();
  co_await join;
}

foreign note_end(task<>& awaited, std::atomic<bool>& has_ended) {
  co_await awaited;
  has_ended = true;
}

TEST(fork, of_which_nobody_in_a_pool_knows_ends_on_the_thread_that_wakes_it) {
  thread_pool pool{{.workers = 1}};
  for (int round = 0; round < 20; ++round) {
    async_event event;
    std::atomic<bool> has_ended{false};
    task<> waits = wait_beside_a_fork(event);
    pool.run([&] { note_end(waits, has_ended); });
    event.set();
    while (!has_ended) std::this_thread::yield();
  }
}

// -------------------------------------------------------------------------------------------------
// order
task<> write_tree(std::string& to, char letter, int depth) {
  to.push_back(letter);
  if (depth == 0) co_return;
  forked<> left = co_await fork(write_tree(to, static_cast<char>(letter + 1), depth - 1));
  to.push_back('-');
  forked<> right = co_await fork(write_tree(to, static_cast<char>(letter + 2), depth - 1));
  co_await join;
  to.push_back('.');
}

TEST(fork, with_one_worker_runs_in_serial_order) {
  thread_pool pool{{.workers = 1}};
  std::string order;
  block_on(spawn(pool, write_tree(order, 'a', 2)));
  EXPECT_EQ(order, "abc-d.-cd-e..");
}

task<> fork_and_count(int depth, std::vector<int>& order) {
  order.push_back(depth);
  if (depth == 0) co_return;
  forked<> below = co_await fork(fork_and_count(depth - 1, order));
  order.push_back(-depth);
  co_await join;
}
task<> yield_until(const bool& set) {
  while (!set) co_await yield();
}
task<> descend_beside_another(std::vector<int>& order) {
  bool done = false;
  join_handle<> other = spawn(yield_until(done));
  co_await fork_and_count(1000, order);
  done = true;
  co_await other;
}

TEST(fork, keeps_its_worker_until_it_is_joined) {
  thread_pool pool{{.workers = 1}};
  std::vector<int> order;
  block_on(spawn(pool, descend_beside_another(order)));
  ASSERT_EQ(order.size(), 2001u);
  for (int i = 0; i < 1000; ++i) {
    ASSERT_EQ(order[static_cast<std::size_t>(i)], 1000 - i);
    ASSERT_EQ(order[static_cast<std::size_t>(2000 - i)], -(1000 - i));
  }
}

// -------------------------------------------------------------------------------------------------
// results
task<std::unique_ptr<int>> give(int value) { co_return std::make_unique<int>(value); }
task<int&> refer(int& to) { co_return to; }
task<int> sum_of_all_kinds() {
  int there = 3;
  auto owned = co_await fork(give(1));
  auto referred = co_await fork(refer(there));
  std::vector<forked<int>> many;
  for (int i = 0; i < 100; ++i)
    many.push_back(co_await fork([](int value) -> task<int> { co_return value; }(i)));
  co_await join;
  EXPECT_EQ(&referred.get(), &there);
  int sum = *owned.get();
  for (forked<int>& each : many) sum += each.get();
  co_return sum;
}

TEST(fork, brings_values_references_and_what_can_only_be_moved) {
  for (const unsigned workers : widths) {
    thread_pool pool{{.workers = workers}};
    EXPECT_EQ(block_on(pool, sum_of_all_kinds()), 1 + 4950);
  }
}

task<int> nest(int depth) {
  if (depth == 0) co_return 0;
  forked<int> below = co_await fork(nest(depth - 1));
  co_await join;
  co_return 1 + below.get();
}

TEST(fork, goes_as_deep_as_memory_lasts) {
  // The fork stack has room for a quarter of a million
  const int depth = base::is_sanitized ? 20'000 : 600'000;
  for (const unsigned workers : widths) {
    thread_pool pool{{.workers = workers}};
    EXPECT_EQ(block_on(pool, nest(depth)), depth);
  }
}

// -------------------------------------------------------------------------------------------------
// among others
task<long> fib_with_everything(int n, unsigned turn) {
  if (n < 2) co_return n;
  switch (turn % 5) {
    case 0: {
      const auto [left, right] = co_await when_all(fib_with_everything(n - 1, turn + 1),
                                                   fib_with_everything(n - 2, turn + 2));
      co_return left + right;
    }
    case 1: {
      const auto [left, right] =
          filch::join([&] { return block_on(fib_with_everything(n - 1, turn + 1)); },
                      [&] { return block_on(fib(n - 2)); });
      co_return left + right;
    }
    case 2: co_await yield(); break;
    case 3: {
      join_handle<long> right = spawn(fib_with_everything(n - 2, turn + 2));
      forked<long> left = co_await fork(fib_with_everything(n - 1, turn + 1));
      const long second = co_await right;
      co_await join;
      co_return left.get() + second;
    }
    default: break;
  }
  forked<long> left = co_await fork(fib_with_everything(n - 1, turn + 1));
  forked<long> right = co_await fork(fib_with_everything(n - 2, turn + 3));
  co_await join;
  co_return left.get() + right.get();
}

TEST(fork, nests_with_joins_groups_and_suspensions) {
  for (const unsigned workers : widths) {
    thread_pool pool{{.workers = workers}};
    for (unsigned turn = 0; turn < 5; ++turn)
      EXPECT_EQ(block_on(pool, fib_with_everything(12, turn)), 144);
    const auto [left, right] = pool.run([] {
      return filch::join([] { return block_on(fib_with_everything(10, 4)); },
                         [] { return block_on(fib_with_everything(9, 3)); });
    });
    EXPECT_EQ(left + right, 89);
  }
}

task<> spin_at(std::atomic<int>& arrived, int all) {
  ++arrived;
  while (arrived < all) {
  }
  co_return;
}
task<> meet_spinning(std::atomic<int>& arrived) {
  const forked<> one = co_await fork(spin_at(arrived, 2));
  co_await spin_at(arrived, 2);
  co_await join;
}

TEST(fork, lets_another_worker_go_on_while_the_child_runs) {
  thread_pool pool{{.workers = 2}};
  for (int i = 0; i < 20; ++i) {
    std::atomic<int> arrived{0};
    block_on(pool, meet_spinning(arrived));
    EXPECT_EQ(arrived, 2);
  }
}

task<> set_what_the_child_waits_for() {
  bool set = false;
  const forked<> waits = co_await fork(yield_until(set));
  set = true;
  co_await join;
}

TEST(fork, lets_its_parent_go_on_when_it_yields) {
  thread_pool pool{{.workers = 1}};
  block_on(pool, set_what_the_child_waits_for());
}

task<bool> asked() { co_return (co_await get_stop_token()).stop_requested(); }
task<bool> fork_asked(std::atomic<bool>& begun) {
  begun = true;
  while (!(co_await get_stop_token()).stop_requested()) co_await yield();
  forked<bool> child = co_await fork(asked());
  co_await join;
  co_return child.get();
}

TEST(fork, sees_the_token_of_its_root) {
  thread_pool pool{{.workers = 2}};
  std::atomic<bool> begun{false};
  join_handle<bool> runs = spawn(pool, fork_asked(begun));
  runs.cancel();
  EXPECT_TRUE(block_on(pool, await_spawned(std::move(runs))));
}

// -------------------------------------------------------------------------------------------------
// space
struct living {
  explicit living(std::atomic<int>& of) noexcept : now{of} {
    const int count = ++now;
    for (int seen = most; count > seen && !most.compare_exchange_weak(seen, count);) {
    }
  }
  living(const living&) = delete;
  living& operator=(const living&) = delete;
  ~living() { --now; }
  std::atomic<int>& now;
  static inline std::atomic<int> most{0};
};
task<> grow(std::atomic<int>& alive, int depth) {
  const living here{alive};
  if (depth == 1) co_return;
  std::vector<forked<>> all;
  for (int i = 0; i < 4; ++i) all.push_back(co_await fork(grow(alive, depth - 1)));
  co_await join;
}

TEST(fork, keeps_no_more_tasks_alive_than_the_serial_depth_on_each_worker) {
  constexpr int depth = 7;
  for (const unsigned workers : widths) {
    thread_pool pool{{.workers = workers}};
    living::most = 0;
    std::atomic<int> alive{0};
    for (int i = 0; i < 5; ++i) block_on(pool, grow(alive, depth));
    EXPECT_LE(living::most, static_cast<int>(workers) * depth);
    EXPECT_GE(living::most, depth);
    EXPECT_EQ(alive, 0);
  }
}

// -------------------------------------------------------------------------------------------------
// misuse
task<> move_in_a_fork(thread_pool& to) { co_await schedule_on(to); }
task<> fork_a_move(thread_pool& to) {
  const forked<> moves = co_await fork(move_in_a_fork(to));
  co_await join;
}
void move_to_another_pool() {
  thread_pool other{{.workers = 1}};
  block_on(fork_a_move(other));
}
task<> call_a_move(thread_pool& to) {
  bool set = false;
  const forked<> waits = co_await fork(yield_until(set));
  co_await move_in_a_fork(to);
  set = true;
  co_await join;
}
void move_a_caller_that_has_forked() {
  thread_pool here{{.workers = 1}}, other{{.workers = 1}};
  block_on(here, call_a_move(other));
}
task<> fork_twice() {
  task<> once = move_in_a_fork(default_pool());
  const task<> owner = std::move(once);
  const forked<> moved_from = co_await fork(std::move(once));
}

task<int> yield_once() {
  co_await yield();
  co_return 1;
}
task<int> return_at_once() { co_return 1; }
template <class T>
task<> ask_a_handle_that_was_moved_away(task<T> child) {
  auto left = co_await fork(std::move(child));
  auto moved = std::move(left);
  co_await join;
  moved.get();
  left.get();
}
/// In a pool of one worker no other worker takes the parent.
template <class T>
void ask_a_handle_in_a_pool_of_one(task<T> child) {
  thread_pool pool{{.workers = 1}};
  block_on(spawn(pool, ask_a_handle_that_was_moved_away(std::move(child))));
}

TEST(fork, ends_the_process_when_it_is_misused) {
  ::testing::GTEST_FLAG(death_test_style) = "threadsafe";
  EXPECT_DEATH(block_on(ask_a_handle_that_was_moved_away(yield_once())),
               "not from one that was moved away");
  EXPECT_DEATH(ask_a_handle_in_a_pool_of_one(return_at_once()), "not from one that was moved away");
  int referred = 1;
  EXPECT_DEATH(ask_a_handle_in_a_pool_of_one(refer(referred)), "not from one that was moved away");
  EXPECT_DEATH(move_to_another_pool(), "a task that was forked stays in its pool");
  EXPECT_DEATH(move_a_caller_that_has_forked(), "its parent stays until the join");
  EXPECT_DEATH(block_on(fork_twice()), "moved from");
}

}  // namespace
}  // namespace filch::co
