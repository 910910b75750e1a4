#include <filch/co.hpp>
#include <filch/co/sync/mixed_test.hpp>
#include <filch/fork.hpp>
#include <filch/graph/spawn_after.hpp>

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <functional>
#include <list>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

namespace filch::inline v0_2 {
namespace {

constexpr std::array widths{1u, 2u, 4u};

template <class F>
void in_each_pool(F check) {
  for (const unsigned workers : widths) {
    thread_pool pool{{.workers = workers}};
    check(pool);
  }
}

// -------------------------------------------------------------------------------------------------
// results and arguments
TEST(spawn_after, calls_a_function_with_the_results_of_others) {
  in_each_pool([](thread_pool& pool) {
    for (int round = 0; round < 100; ++round) {
      const auto two = spawn_after(pool, [] { return 2; });
      const auto name = spawn_after(pool, [] { return std::string{"x"}; });
      const auto both = spawn_after(
          pool, [](int n, const std::string& s) { return s + std::to_string(n); }, two, name);
      EXPECT_EQ(both.get(), "x2");
    }
  });
}

TEST(spawn_after, gives_many_successors_the_same_object) {
  in_each_pool([](thread_pool& pool) {
    const auto shared = spawn_after(pool, [] { return std::vector<int>{1, 2, 3}; });
    std::vector<shared_join_handle<const int*>> seen;
    for (int i = 0; i < 100; ++i)
      seen.push_back(spawn_after(
          pool, [](const std::vector<int>& all) { return all.data(); }, shared));
    for (const auto& each : seen) EXPECT_EQ(each.get(), shared.get().data());
  });
}

TEST(spawn_after, gives_nothing_of_tasks_that_return_nothing) {
  in_each_pool([](thread_pool& pool) {
    int written = 0;
    const auto writes = spawn_after(pool, [&] { written = 1; });
    const auto five = spawn_after(pool, [] { return 5; });
    const auto reads = spawn_after(
        pool, [&](int n) { return written + n; }, writes, five, writes);
    EXPECT_EQ(reads.get(), 6);
    spawn_after(
        pool, [&] { written = 7; }, reads)
        .get();
    EXPECT_EQ(written, 7);
  });
}

TEST(spawn_after, keeps_results_that_can_only_be_moved_or_not_even_that) {
  in_each_pool([](thread_pool& pool) {
    const auto moved = spawn_after(pool, [] { return std::make_unique<int>(4); });
    const auto twice = spawn_after(
        pool, [](const std::unique_ptr<int>& n) { return 2 * *n; }, moved);
    EXPECT_EQ(twice.get() + *moved.get(), 12);
    const auto stays = spawn_after(pool, [] { return std::atomic<int>{3}; });
    EXPECT_EQ(stays.get().load(), 3);
  });
}

struct alignas(64) line {
  char first = 'a';
};

TEST(spawn_after, aligns_results) {
  in_each_pool([](thread_pool& pool) {
    const auto one = spawn_after(pool, [] { return line{}; });
    const auto other = spawn_after(
        pool, [](const line& from) { return from; }, one);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(&one.get()) % alignof(line), 0u);
    EXPECT_EQ(other.get().first, 'a');
  });
}

TEST(spawn_after, copies_what_a_reference_names) {
  in_each_pool([](thread_pool& pool) {
    int n = 1;
    const auto copied = spawn_after(pool, [&]() -> int& { return n; });
    EXPECT_EQ(copied.get(), 1);
    EXPECT_NE(&copied.get(), &n);
  });
}

TEST(spawn_after, waits_for_a_range_of_handles) {
  in_each_pool([](thread_pool& pool) {
    std::vector<shared_join_handle<int>> all;
    for (int i = 0; i < 100; ++i) all.push_back(spawn_after(pool, [i] { return i; }));
    const auto add = [](std::span<const shared_join_handle<int>> each) {
      int sum = 0;
      for (const auto& one : each) sum += one.get();
      return sum;
    };
    const auto copied = spawn_after(pool, add, all);
    const auto listed =
        spawn_after(pool, add, std::list<shared_join_handle<int>>(all.begin(), all.end()));
    EXPECT_EQ(copied.get() + listed.get() + spawn_after(pool, add, std::move(all)).get(), 14850);
    EXPECT_EQ(spawn_after(pool, add, std::vector<shared_join_handle<int>>{}).get(), 0);
    std::atomic<int> ran{0};
    std::vector<shared_join_handle<>> none(3);
    for (int i = 0; i < 10; ++i) none.push_back(spawn_after(pool, [&] { ++ran; }));
    EXPECT_EQ(spawn_after(
                  pool, [&] { return ran.load(); }, none)
                  .get(),
              10);
  });
}

task<int> give(int value) { co_return value; }
task<> give_nothing() { co_return; }
task<std::unique_ptr<int>> give_moved(int value) { co_return std::make_unique<int>(value); }
task<int&> give_itself(int& value) { co_return value; }

TEST(spawn_after, consumes_what_spawn_has_returned) {
  in_each_pool([](thread_pool& pool) {
    for (int round = 0; round < 100; ++round) {
      int n = 5;
      auto sum = spawn_after(
          pool, [](int a, std::unique_ptr<int> b, int& c, int d) { return a + *b + c++ + d; },  //
          spawn(pool, give(1)), spawn(pool, give_nothing()), spawn(pool, give_moved(2)),
          spawn(pool, give_itself(n)), spawn_after(pool, [] { return 10; }));
      EXPECT_EQ(sum.get(), 18);
      EXPECT_EQ(n, 6);
    }
    auto ended = spawn(pool, give(3));
    while (!ended.is_finished()) std::this_thread::yield();
    EXPECT_EQ(spawn_after(
                  pool, [](int&& n) { return n; }, std::move(ended))
                  .get(),
              3);
  });
}

int plain(const int& n) { return n + 1; }
struct functor {
  std::unique_ptr<int> add;
  int operator()(int n) && { return n + *add; }
};
struct counter {
  int n = 3;
  int add(int more) const { return n + more; }
};

TEST(spawn_after, calls_functions_and_functors_of_all_kinds) {
  in_each_pool([](thread_pool& pool) {
    const auto one = spawn_after(pool, [] { return 1; });
    EXPECT_EQ(spawn_after(pool, plain, one).get(), 2);
    EXPECT_EQ(spawn_after(pool, functor{std::make_unique<int>(5)}, one).get(), 6);
    const std::function<int(int)> wrapped = [](int n) { return n * 9; };
    EXPECT_EQ(spawn_after(pool, wrapped, one).get(), 9);
    const auto object = spawn_after(pool, [] { return counter{}; });
    EXPECT_EQ(spawn_after(pool, &counter::add, object, one).get(), 4);
  });
}

TEST(spawn_after, destroys_the_function_before_the_task_ends) {
  in_each_pool([](thread_pool& pool) {
    for (int round = 0; round < 100; ++round) {
      auto captured = std::make_shared<int>(1);
      const std::weak_ptr<int> watched = captured;
      const auto task = spawn_after(pool, [captured = std::move(captured)] { return *captured; });
      EXPECT_TRUE(spawn_after(
                      pool, [&](int) { return watched.expired(); }, task)
                      .get());
    }
  });
}

// -------------------------------------------------------------------------------------------------
// handles
TEST(spawn_after, frees_a_result_with_its_last_handle) {
  in_each_pool([](thread_pool& pool) {
    for (int round = 0; round < 100; ++round) {
      auto first = spawn_after(pool, [] { return std::make_shared<int>(1); });
      const std::weak_ptr<int> watched =
          spawn_after(
              pool, [](const auto& one) { return std::weak_ptr<int>{one}; }, first)
              .get();
      shared_join_handle<std::shared_ptr<int>> copy = first;
      first = {};
      EXPECT_FALSE(watched.expired());
      copy = std::move(first);
      EXPECT_TRUE(watched.expired());
    }
  });
}

TEST(spawn_after, gives_a_temporary_handles_result_as_a_value) {
  in_each_pool([](thread_pool& pool) {
    const auto make = [] { return std::vector<int>(3, 1); };
    const std::vector<int> own = spawn_after(pool, make).get();
    EXPECT_EQ(own.size(), 3u);
    auto kept = spawn_after(pool, make);
    const auto other = kept;
    EXPECT_EQ(std::move(kept).get().size(), 3u);
    EXPECT_EQ(other.get().size(), 3u);
  });
}

TEST(spawn_after, takes_a_handle_without_a_task_for_one_that_has_ended) {
  shared_join_handle<> none;
  EXPECT_TRUE(none.is_finished());
  none.get();
  in_each_pool([&](thread_pool& pool) {
    EXPECT_EQ(spawn_after(
                  pool, [] { return 1; }, none, none)
                  .get(),
              1);
  });
}

TEST(spawn_after, runs_tasks_whose_handles_are_dropped) {
  std::atomic<int> ran{0};
  in_each_pool([&](thread_pool& pool) {
    for (int i = 0; i < 100; ++i) {
      const auto first = spawn_after(pool, [&] { ++ran; });
      spawn_after(
          pool, [&] { ++ran; },
          spawn_after(
              pool, [&] { ++ran; }, first),
          first);
    }
  });
  EXPECT_EQ(ran, 900);
}

TEST(spawn_after, tells_whether_a_task_has_ended) {
  in_each_pool([](thread_pool& pool) {
    std::atomic<bool> may_end{false};
    const auto first = spawn_after(pool, [&] {
      while (!may_end) std::this_thread::yield();
    });
    const auto second = spawn_after(
        pool, [] {}, first);
    EXPECT_FALSE(first.is_finished());
    EXPECT_FALSE(second.is_finished());
    may_end = true;
    second.get();
    EXPECT_TRUE(first.is_finished());
    EXPECT_TRUE(second.is_finished());
  });
}

TEST(spawn_after, lets_many_threads_wait_for_one_task) {
  in_each_pool([](thread_pool& pool) {
    async_event event;
    const auto waits = spawn_after(pool, [&] {
      filch::wait(event.wait());
      return 4;
    });
    std::atomic<int> sum{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) threads.emplace_back([&, waits] { sum += waits.get(); });
    std::vector<shared_join_handle<>> jobs;
    for (int i = 0; i < 4; ++i)
      jobs.push_back(spawn_after(pool, [&, waits] { sum += waits.get(); }));
    event.set();
    for (std::thread& each : threads) each.join();
    for (const auto& each : jobs) each.get();
    EXPECT_EQ(sum, 32);
  });
}

// -------------------------------------------------------------------------------------------------
// coroutines
task<int> add_later(const std::vector<int>& all, async_event& event) {
  co_await event.wait();
  int sum = 0;
  for (const int each : all) sum += each;
  co_return sum;
}

TEST(spawn_after, runs_a_coroutine_whose_arguments_last_until_its_end) {
  in_each_pool([](thread_pool& pool) {
    async_event event;
    auto all = spawn_after(pool, [] { return std::vector<int>(1000, 2); });
    const auto sum = spawn_after(
        pool,
        [&event, text = std::string(100, 'x')](const std::vector<int>& each) -> task<std::string> {
          co_return std::to_string(co_await add_later(each, event)) + text;
        },
        std::move(all));
    const auto at_once = spawn_after(
        pool, [](const std::string& s) { return give(s[3]); }, sum);
    const auto nothing = spawn_after(
        pool, [](int) { return give_nothing(); }, at_once);
    event.set();
    nothing.get();
    EXPECT_EQ(sum.get(), "2000" + std::string(100, 'x'));
    EXPECT_EQ(at_once.get(), '0');
  });
}

task<int> await_often(shared_join_handle<int> first, shared_join_handle<> second) {
  const int& same = co_await first;
  EXPECT_EQ(&same, &first.get());
  co_await second;
  co_await std::move(second);
  const int moved = co_await spawn_after([](int n) { return n + 1; }, first);
  co_return moved + co_await std::move(first);
}

TEST(spawn_after, is_awaited_by_coroutines) {
  in_each_pool([](thread_pool& pool) {
    async_event event;
    const auto first = spawn_after(pool, [&event]() -> task<int> {
      co_await event.wait();
      co_return 3;
    });
    const auto second = spawn_after(
        pool, [](int) {}, first);
    std::vector<join_handle<int>> all;
    for (int i = 0; i < 20; ++i) all.push_back(spawn(pool, await_often(first, second)));
    event.set();
    for (auto& each : all) EXPECT_EQ(block_on(std::move(each)), 7);
    EXPECT_EQ(block_on(pool, await_often(first, second)), 7);
  });
}

co::sync::foreign_coroutine await_elsewhere(shared_join_handle<int> of, std::atomic<int>& seen) {
  seen += co_await of;
}

TEST(spawn_after, is_awaited_by_coroutines_of_another_library) {
  for (const unsigned workers : widths) {
    std::atomic<int> seen{0};
    std::vector<co::sync::foreign_coroutine> all;
    {
      thread_pool pool{{.workers = workers}};
      std::atomic<bool> may_end{false};
      const auto waits = spawn_after(pool, [&] {
        while (!may_end) std::this_thread::yield();
        return 2;
      });
      for (int i = 0; i < 2; ++i) all.push_back(await_elsewhere(waits, seen));
      may_end = true;
      while (seen != 4) std::this_thread::yield();
      all.push_back(await_elsewhere(waits, seen));
      EXPECT_EQ(seen, 6);
    }
    for (const auto& each : all) EXPECT_TRUE(each.has_ended());
  }
}

}  // namespace
}  // namespace filch
