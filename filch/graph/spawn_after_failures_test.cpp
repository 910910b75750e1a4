#include <filch/co.hpp>
#include <filch/fork.hpp>
#include <filch/graph/spawn_after.hpp>
#include <filch/metrics.hpp>
#include <filch/sync.hpp>

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace filch::inline v0_2 {
namespace {

constexpr std::array widths{1u, 2u, 4u};

std::atomic<int> escaped{0};
void count_escaped(std::exception_ptr) noexcept { ++escaped; }

/// Checks in pools that count exceptions that no caller sees; none may be left but `expected`.
template <class F>
void in_each_pool(int expected, F check) {
  for (const unsigned workers : widths) {
    escaped = 0;
    {
      thread_pool pool{{.workers = workers, .on_escaped_exception = &count_escaped}};
      check(pool);
    }
    EXPECT_EQ(escaped, expected) << workers << " workers";
  }
}

template <class T>
std::string what_is_thrown(const shared_join_handle<T>& by) {
  try {
    by.get();
    return "nothing";
  } catch (const std::exception& thrown) {
    return thrown.what();
  }
}

auto fails(const char* why) {
  return [why]() -> int { throw std::runtime_error(why); };
}

// -------------------------------------------------------------------------------------------------
// exceptions
TEST(spawn_after_failures, reach_every_successor_and_every_caller) {
  in_each_pool(0, [](thread_pool& pool) {
    std::atomic<int> ran{0};
    const auto first = spawn_after(pool, fails("first"));
    const auto second = spawn_after(
        pool, [&](int) { ++ran; }, first);
    const auto third = spawn_after(
        pool, [&]() -> task<> { co_return void(++ran); }, second);
    for (int i = 0; i < 2; ++i) {
      EXPECT_EQ(what_is_thrown(third), "first");
      EXPECT_EQ(what_is_thrown(second), "first");
      EXPECT_EQ(what_is_thrown(first), "first");
    }
    EXPECT_THROW(spawn_after(pool, fails("temporary")).get(), std::runtime_error);
    EXPECT_EQ(ran, 0);
  });
}

TEST(spawn_after_failures, are_chosen_in_the_order_of_the_arguments) {
  in_each_pool(0, [](thread_pool& pool) {
    for (int round = 0; round < 100; ++round) {
      const auto well = spawn_after(pool, [] { return 1; });
      const auto one = spawn_after(pool, fails("one"));
      const auto two = spawn_after(pool, fails("two"));
      const auto both = [](int, int, int) {};
      EXPECT_EQ(what_is_thrown(spawn_after(pool, both, well, two, one)), "two");
      EXPECT_EQ(what_is_thrown(spawn_after(pool, both, one, two, well)), "one");
      const std::vector<shared_join_handle<int>> all{well, two, one};
      EXPECT_EQ(what_is_thrown(spawn_after(
                    pool, [](auto) {}, all)),
                "two");
    }
  });
}

task<int> fail_later(const char* why) {
  co_await co::yield();
  throw std::runtime_error(why);
}

TEST(spawn_after_failures, of_coroutines_and_of_spawned_tasks_are_the_same) {
  in_each_pool(0, [](thread_pool& pool) {
    for (int round = 0; round < 100; ++round) {
      const auto later = spawn_after(pool, [] { return fail_later("later"); });
      EXPECT_EQ(what_is_thrown(spawn_after(
                    pool, [](int) {}, later)),
                "later");
      const auto consumes = spawn_after(
          pool, [](int, int) {}, spawn(pool, fail_later("spawned")),
          spawn(pool, fail_later("also")));
      EXPECT_EQ(what_is_thrown(consumes), "spawned");
    }
  });
}

task<std::string> catch_it(shared_join_handle<int> of) {
  try {
    co_await of;
  } catch (const std::runtime_error& caught) {
    co_return caught.what();
  }
  co_return "nothing";
}

TEST(spawn_after_failures, are_thrown_by_awaits) {
  in_each_pool(0, [](thread_pool& pool) {
    const auto first = spawn_after(pool, fails("awaited"));
    EXPECT_EQ(block_on(pool, catch_it(first)), "awaited");
    EXPECT_EQ(block_on(pool, catch_it(first)), "awaited");
  });
}

struct throws_when_copied {
  throws_when_copied() = default;
  throws_when_copied(const throws_when_copied&) { throw std::runtime_error("copied"); }
  int operator()() const { return 0; }
};

TEST(spawn_after_failures, in_copies_leave_nothing_behind) {
  in_each_pool(0, [](thread_pool& pool) {
    const throws_when_copied f;
    EXPECT_THROW(spawn_after(pool, f), std::runtime_error);
    auto runs_on = spawn(pool, []() -> task<> { co_return; }());
    EXPECT_THROW(spawn_after(pool, f, std::move(runs_on)), std::runtime_error);
    static const throws_when_copied result;
    EXPECT_EQ(what_is_thrown(spawn_after(pool, [] { return result; })), "copied");
  });
}

// -------------------------------------------------------------------------------------------------
// unseen
TEST(spawn_after_failures, that_no_caller_sees_are_reported_once) {
  in_each_pool(3, [](thread_pool& pool) {
    spawn_after(pool, fails("dropped"));
    const auto kept = spawn_after(pool, fails("kept"));
    while (!kept.is_finished()) std::this_thread::yield();
    const auto source = spawn_after(pool, fails("inherited"));
    for (int i = 0; i < 10; ++i)
      spawn_after(
          pool, [](int) {}, source);
  });
}

TEST(spawn_after_failures, count_as_seen_where_one_successor_was_asked) {
  in_each_pool(0, [](thread_pool& pool) {
    auto source = spawn_after(pool, fails("inherited"));
    const auto one = spawn_after(
                   pool, [](int) {}, source),
               other = one;
    const auto dropped = spawn_after(
        pool, [](int) {}, std::move(source));
    EXPECT_EQ(what_is_thrown(one), "inherited");
    EXPECT_EQ(what_is_thrown(spawn_after(
                  pool, [] {}, one, spawn_after(pool, fails("lost")))),
              "inherited");
  });
}

TEST(spawn_after_failures, are_reported_after_the_pool_is_gone) {
  escaped = 0;
  {
    auto pool = std::make_unique<thread_pool>(
        pool_options{.workers = 1, .on_escaped_exception = &count_escaped});
    const auto kept = spawn_after(
        *pool, [](int) {}, spawn_after(*pool, fails("kept")));
    pool.reset();
    EXPECT_TRUE(kept.is_finished());
    EXPECT_EQ(escaped, 0);
  }
  EXPECT_EQ(escaped, 1);
}

TEST(spawn_after_failures, end_the_process_if_they_are_lost_without_a_handler) {
  ::testing::GTEST_FLAG(death_test_style) = "threadsafe";
  EXPECT_DEATH(
      {
        thread_pool pool{{.workers = 1}};
        spawn_after(pool, fails("lost"));
      },
      "an exception escaped");
}

TEST(spawn_after_failures, by_misuse_end_the_process_with_a_message) {
  ::testing::GTEST_FLAG(death_test_style) = "threadsafe";
  EXPECT_DEATH(shared_join_handle<int>{}.is_finished(), "after it was given a task");
  thread_pool pool{{.workers = 1}};
  auto used = spawn(pool, []() -> task<int> { co_return 1; }());
  used.detach();
  EXPECT_DEATH(spawn_after(
                   pool, [](int) {}, std::move(used)),
               "awaited once");
}

// -------------------------------------------------------------------------------------------------
// stopped pools
TEST(spawn_after_failures, by_a_stop_end_all_that_has_not_begun) {
  in_each_pool(0, [](thread_pool& pool) {
    std::atomic<int> ran{0};
    std::atomic<bool> began{false}, may_end{false};
    const auto runs = spawn_after(pool, [&] {
      began = true;
      while (!may_end) std::this_thread::yield();
      return ++ran;
    });
    std::vector<shared_join_handle<int>> waits{spawn_after(
        pool, [&](int) { return ++ran; }, runs)};
    for (int i = 0; i < 1000; ++i)
      waits.push_back(spawn_after(
          pool, [&](int) { return ++ran; }, waits.back()));
    while (!began) std::this_thread::yield();
    pool.request_stop();
    EXPECT_THROW(spawn_after(pool, [] {}), pool_stopped);
    EXPECT_THROW(spawn_after(
                     pool, [](int) {}, runs),
                 pool_stopped);
    may_end = true;
    EXPECT_EQ(runs.get(), 1);
    for (const auto& each : waits) EXPECT_THROW(each.get(), pool_stopped);
    EXPECT_EQ(ran, 1);
    EXPECT_EQ(pool.metrics().total.jobs_discarded, 1001u);
  });
}

TEST(spawn_after_failures, by_a_stop_are_not_reported) {
  in_each_pool(0, [](thread_pool& pool) {
    std::atomic<bool> began{false};
    const auto stops = spawn_after(pool, [&] {
      began = true;
      pool.request_stop();
    });
    for (int i = 0; i < 100 && !began; ++i) {
      try {
        spawn_after(
            pool, [] {},
            spawn_after(
                pool, [] {}, stops));
      } catch (const pool_stopped&) {
      }
    }
    while (!began) std::this_thread::yield();  // until then the task uses it
  });
}

TEST(spawn_after_failures, by_a_stop_reach_tasks_of_other_pools) {
  in_each_pool(0, [](thread_pool& pool) {
    thread_pool other{{.workers = 1}};
    std::atomic<bool> began{false}, may_end{false};
    const auto runs = spawn_after(other, [&] {
      began = true;
      while (!may_end) std::this_thread::yield();
    });
    const auto waits = spawn_after(
        other, [] {}, runs);
    const auto here = spawn_after(
        pool, [] {}, waits);
    while (!began) std::this_thread::yield();
    other.request_stop();
    may_end = true;
    EXPECT_THROW(here.get(), pool_stopped);
    const auto discarded = spawn_after(
        pool, [] {}, runs);
    discarded.get();
  });
}

TEST(spawn_after_failures, by_a_stop_let_coroutines_that_have_begun_go_on) {
  in_each_pool(0, [](thread_pool& pool) {
    async_event event;
    std::atomic<bool> began{false};
    const auto runs = spawn_after(pool, [&]() -> task<int> {
      began = true;
      co_await event.wait();
      co_return 1;
    });
    const auto waits = spawn_after(
        pool, [](int) {}, runs);
    while (!began) std::this_thread::yield();
    pool.request_stop();
    event.set();
    EXPECT_EQ(runs.get(), 1);
    EXPECT_THROW(waits.get(), pool_stopped);
  });
}

}  // namespace
}  // namespace filch
