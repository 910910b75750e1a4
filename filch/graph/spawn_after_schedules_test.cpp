// Tasks that wait for others, under one schedule after another.
#include <filch/co.hpp>
#include <filch/graph/spawn_after.hpp>
#include <filch/sync.hpp>
#include <filch/testing/expect_test.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace filch::inline v0_2::testing {
namespace {

task<int> give(int value) { co_return value; }
task<int> add_awaited(shared_join_handle<int> left, shared_join_handle<int> right) {
  const int sum = co_await left;
  co_return sum + co_await right;
}

TEST(spawn_after_schedules, a_successor_finds_what_its_tasks_have_left) {
  expect_no_failure([] {
    thread_pool pool{{.workers = 2}};
    shared<int> left{"left", 0}, right{"right", 0};
    const auto one = spawn_after(pool, [&] { left.write(1); });
    const auto two = spawn_after(pool, [&] { right.write(2); });
    const auto both = spawn_after(
        pool, [&] { return left.read() + right.read(); }, one, two);
    const auto again = spawn_after(
        pool, [&] { left.write(left.read() + 1); }, both, one);
    again.get();
    check(both.get() == 3 && left.read() == 2, "each finds what those before it have left");
  });
}

TEST(spawn_after_schedules, a_graph_grows_from_two_pools_and_a_thread) {
  expect_no_failure([] {
    thread_pool pool{{.workers = 2}}, other{{.workers = 1}};
    const auto source = spawn_after(other, [] { return 1; });
    const auto spawned = spawn_after(
        pool, [](int n, int m) { return n + m; }, source, spawn(other, give(2)));
    const auto inside =
        spawn_after(pool, [&] { return spawn_after([](int n) { return n + 1; }, source).get(); });
    const auto awaits = spawn_after(
        pool, [=] { return add_awaited(spawned, inside); }, source);
    check(awaits.get() == 5, "all come to their end");
  });
}

TEST(spawn_after_schedules, many_wait_for_one) {
  expect_no_failure([] {
    thread_pool pool{{.workers = 2}};
    const auto first = spawn_after(pool, [] { return 1; });
    std::vector<shared_join_handle<int>> rays;
    for (int i = 0; i < 4; ++i) {
      rays.push_back(i % 2 == 0 ? spawn_after(
                                      pool, [](int n) { return n; }, first)
                                : spawn_after(
                                      pool, [](int n) { return give(n); }, first));
    }
    const auto add = [](std::span<const shared_join_handle<int>> all) {
      int sum = 0;
      for (const auto& each : all) sum += each.get();
      return sum;
    };
    const auto sum = spawn_after(pool, add, std::move(rays));
    check(block_on(pool, add_awaited(sum, first)) == 5, "all come to their end");
  });
}

TEST(spawn_after_schedules, handles_are_dropped_while_tasks_end) {
  expect_no_failure([] {
    shared<int> ran{"ran", 0};
    {
      thread_pool pool{{.workers = 2}};
      shared_join_handle<> last;
      for (int i = 0; i < 4; ++i) {
        last = spawn_after(
            pool, [&] { ran.write(ran.read() + 1); }, last);
        nap(std::chrono::microseconds(seed() % 5));
      }
    }
    check(ran.read() == 4, "every task runs");
  });
}

TEST(spawn_after_schedules, a_failure_passes_to_all_that_come_after) {
  expect_no_failure([] {
    thread_pool pool{{.workers = 2}};
    const auto first = spawn_after(pool, [] { throw std::runtime_error("first"); });
    const auto left = spawn_after(
        pool, [] {}, first);
    const auto right = spawn_after(
        pool, [] { throw std::runtime_error("right"); }, first);
    bool has_failed = false;
    try {
      spawn_after(
          pool, [] {}, left, right)
          .get();
    } catch (const std::runtime_error& thrown) {
      has_failed = thrown.what() == std::string{"first"};
    }
    check(has_failed, "the exception comes to the end");
  });
}

TEST(spawn_after_schedules, a_stop_ends_all_that_has_not_begun) {
  expect_no_failure([] {
    shared<int> ran{"ran", 0};
    thread_pool pool{{.workers = 2}};
    bool was_stopped = false;
    try {
      shared_join_handle<> last;
      for (int i = 0; i < 4; ++i) {
        last = spawn_after(
            pool, [&] { ran.write(ran.read() + 1); }, last, last);
        if (seed() % 5 == static_cast<unsigned>(i)) pool.request_stop();
      }
      last.get();
    } catch (const pool_stopped&) {
      was_stopped = true;
    }
    check(was_stopped || seed() % 5 > 2, "a stop is told");
  });
}

}  // namespace
}  // namespace filch::testing
