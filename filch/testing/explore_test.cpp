#include <filch/filch.hpp>
#include <filch/testing.hpp>
#include <filch/testing/seed_on_crash.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <mutex>
#include <numeric>
#include <set>
#include <stdexcept>
#include <vector>

namespace filch::inline v0_2 {
namespace {

using namespace std::chrono_literals;
using testing::explore;
using testing::options;
using testing::replay;
using testing::report;
using testing::strategy;

constexpr strategy all_strategies[] = {strategy::random, strategy::pct, strategy::steal_everything,
                                       strategy::steal_nothing};

/// Expects that `body` passes under every strategy.
void expect_passes(const std::function<void()>& body, unsigned seeds = 100) {
  for (const strategy each : all_strategies) {
    const report found = explore(body, {.seeds = seeds, .who_goes_on = each});
    EXPECT_TRUE(found.passed()) << found.text();
    EXPECT_EQ(found.seeds_run, seeds);
    EXPECT_EQ(found.threads_left, 0u);
  }
}

long fib(int n) {
  if (n < 2) return n;
  const auto [left, right] = join([n] { return fib(n - 1); }, [n] { return fib(n - 2); });
  return left + right;
}

/// Two additions, each of them a read and a write with room for another between.
void lose_an_update() {
  testing::shared<int> sum{"sum", 0};
  const auto add = [&] { sum.write(sum.read() + 1); };
  join(add, add);
  testing::check(sum.read() == 2, "nothing is lost");
}

void lock_crosswise() {
  testing::mutex first{"first"}, second{"second"};
  const auto take = [](testing::mutex& a, testing::mutex& b) {
    const std::lock_guard one{a};
    const std::lock_guard two{b};
  };
  join([&] { take(first, second); }, [&] { take(second, first); });
}

// -------------------------------------------------------------------------------------------------
// all that filch offers
TEST(explore, runs_joins) {
  expect_passes([] { testing::check(fib(7) == 13, "fib(7) is 13"); });
}

TEST(explore, runs_joins_in_a_pool_of_the_body) {
  expect_passes([] {
    thread_pool pool{{.workers = 2}};
    testing::check(pool.run([] { return fib(6); }) == 8, "fib(6) is 8");
  });
}

TEST(explore, runs_task_groups) {
  expect_passes([] {
    int ran = 0;
    task_group group;
    for (int i = 0; i < 5; ++i) group.run([&] { ++ran; });
    group.wait();
    testing::check(ran == 5, "all jobs of a group run");
  });
}

TEST(explore, runs_loops_and_reductions) {
  expect_passes([] {
    std::vector<int> visits(20);
    parallel_for(0, 20, [&](int i) { ++visits[static_cast<std::size_t>(i)]; });
    testing::check(visits == std::vector<int>(20, 1), "every index once");
    testing::check(parallel_reduce(
                       0, 20, 0, [](int i) { return i; }, std::plus<>{}) == 190,
                   "the sum");
  });
}

TEST(explore, runs_submitted_jobs_and_blocking_ones) {
  expect_passes([] {
    int ran = 0;
    {
      thread_pool pool{{.workers = 1}};
      testing::mutex gate{"gate"};
      const std::lock_guard closed{gate};
      pool.submit([&] {
        blocking([] { testing::nap(1ms); });
        ++ran;
      });
      pool.submit([&] { ++ran; });
    }
    testing::check(ran == 2, "what was submitted has run when the pool is gone");
  });
}

TEST(explore, runs_nested_pools_and_threads_from_outside) {
  expect_passes([] {
    thread_pool outer{{.workers = 2}}, inner{{.workers = 1}};
    long left = 0, right = 0;
    {
      testing::thread other{
          "other", [&] { left = outer.run([&] { return inner.run([] { return fib(4); }); }); }};
      right = inner.run([&] { return outer.run([] { return fib(5); }); });
    }
    testing::check(left == 3 && right == 5, "both get their result");
  });
}

TEST(explore, gets_by_where_threads_are_refused) {
  const report found = explore([] { testing::check(fib(7) == 13, "fib(7) is 13"); },
                               {.seeds = 200, .refused_threads = 1});
  EXPECT_TRUE(found.passed()) << found.text();
}

// -------------------------------------------------------------------------------------------------
// replay
TEST(replay, has_the_same_schedule_every_time) {
  const auto body = [] { fib(6); };
  for (std::uint64_t seed = 0; seed < 24; ++seed) {
    const report once = replay(seed, body), again = replay(seed, body);
    EXPECT_TRUE(once.passed()) << once.text();
    EXPECT_GT(once.schedule.size(), 100u);
    EXPECT_EQ(once.schedule, again.schedule);
  }
}

TEST(replay, has_another_schedule_for_another_seed) {
  std::set<std::string> seen;
  for (std::uint64_t seed = 0; seed < 64; ++seed) {
    const std::string text =
        replay(seed, [] { fib(6); }, {.who_goes_on = strategy::random}).schedule;
    seen.insert(text.substr(text.find('\n')));
  }
  EXPECT_GE(seen.size(), 32u);  // if time slices are long, few schedules are possible
}

TEST(replay, repeats_a_failure_byte_for_byte) {
  for (void (*const body)() : {lose_an_update, lock_crosswise}) {
    const report found = explore(body);
    ASSERT_FALSE(found.passed());
    for (int i = 0; i < 3; ++i) EXPECT_EQ(replay(*found.failing_seed, body).text(), found.text());
  }
}

TEST(replay, gives_the_body_the_same_seed) {
  std::vector<std::uint64_t> seen;
  explore([&] { seen.push_back(testing::seed()); }, {.seeds = 3, .first_seed = 40});
  replay(41, [&] { seen.push_back(testing::seed()); });
  EXPECT_EQ(seen, (std::vector<std::uint64_t>{40, 41, 42, 41}));
  EXPECT_EQ(testing::seed(), 0u);
}

// -------------------------------------------------------------------------------------------------
// what it finds
TEST(explore, finds_a_lost_update_and_shows_both_reads) {
  for (const strategy each : {strategy::any, strategy::random, strategy::pct}) {
    const report found = explore(lose_an_update, {.who_goes_on = each});
    ASSERT_FALSE(found.passed());
    EXPECT_NE(found.failure.find("nothing is lost"), std::string::npos) << found.text();
    EXPECT_NE(found.schedule.find("worker 1     * reads sum"), std::string::npos) << found.text();
  }
}

TEST(explore, finds_nothing_where_nothing_is_shared) {
  EXPECT_TRUE(explore(lose_an_update, {.who_goes_on = strategy::steal_nothing}).passed());
}

TEST(explore, says_which_thread_waits_for_what_in_a_deadlock) {
  const report found = explore(lock_crosswise);
  ASSERT_FALSE(found.passed());
  EXPECT_NE(found.failure.find("deadlock"), std::string::npos) << found.text();
  EXPECT_NE(found.failure.find("waits for second, held by "), std::string::npos) << found.text();
  EXPECT_NE(found.failure.find("waits for first, held by "), std::string::npos) << found.text();
}

TEST(explore, names_the_job_that_a_stalled_join_waits_for) {
  const auto body = [] {
    testing::mutex never{"never"};
    never.lock();
    join([] {}, [&] { never.lock(); });
  };
  const report found = explore(body, {.who_goes_on = strategy::steal_everything});
  ASSERT_FALSE(found.passed());
  EXPECT_NE(found.failure.find("body waits for a job that was stolen by worker 1"),
            std::string::npos)
      << found.text();
  EXPECT_NE(found.failure.find("waits for never, held by body"), std::string::npos) << found.text();
}

TEST(explore, reports_an_exception_that_leaves_the_body) {
  const report found = explore([] { throw std::runtime_error("oh no"); });
  EXPECT_EQ(found.failing_seed, 0u);
  EXPECT_NE(found.failure.find("oh no"), std::string::npos);
}

TEST(explore, reports_an_exception_that_nobody_will_see) {
  const auto submitted = [] {
    thread_pool{{.workers = 1}}.submit([] { throw std::runtime_error("lost in a job"); });
  };
  const auto grouped = [] {
    task_group{}.run([] { throw std::runtime_error("lost in a group"); });
  };
  const report job = explore(submitted), group = explore(grouped);
  EXPECT_NE(job.failure.find("lost in a job"), std::string::npos) << job.text();
  EXPECT_NE(group.failure.find("lost in a group"), std::string::npos) << group.text();
  EXPECT_TRUE(explore(grouped, {.seeds = 10, .drops_are_failures = false}).passed());
}

TEST(explore, lets_a_group_drop_what_comes_second) {
  EXPECT_TRUE(explore(
                  [] {
                    try {
                      task_group group;
                      group.run([] { throw std::runtime_error("second"); });
                      throw std::logic_error("first");
                    } catch (const std::logic_error&) {
                    }
                  },
                  {.seeds = 50})
                  .passed());
}

TEST(explore, reports_a_body_that_goes_round_in_circles) {
  const report found = explore(
      [] {
        testing::shared<bool> done{"done", false};
        while (!done.read()) testing::nap(1us);
      },
      {.most_steps = 10'000});
  ASSERT_FALSE(found.passed());
  EXPECT_NE(found.failure.find("no end after 10000 steps"), std::string::npos) << found.text();
}

TEST(explore, says_at_which_seed_the_process_dies) {
  ::testing::GTEST_FLAG(death_test_style) = "threadsafe";
  const auto dies_at_three = [](void (*die)()) {
    explore([die] {
      fib(4);
      if (testing::seed() == 3) die();
    });
  };
  EXPECT_DEATH(dies_at_three([] { std::abort(); }), "runs seed 3");
  EXPECT_DEATH(dies_at_three([] { FILCH_ASSERT(false, "as a test wants it", 0); }),
               "as a test wants it.*\n.*\n.*\n.*schedule of seed 3");
}

/// Whether a signal from outside reaches the old handler after two `seed_on_crash` overlapped.
[[noreturn]] void is_sent_a_signal_beside_another_exploration() {
  testing::seed_on_crash first;
  {
    testing::seed_on_crash second;
    second.running(7);
  }
  first.running(8);
  ::raise(SIGFPE);
  std::_Exit(0);
}
[[noreturn]] void aborts_with_a_handler() {
  std::signal(SIGABRT, [](int) { std::_Exit(3); });
  testing::seed_on_crash says;
  says.running(9);
  std::abort();
}
TEST(explore, lets_every_signal_take_its_course) {
  ::testing::GTEST_FLAG(death_test_style) = "threadsafe";
  EXPECT_DEATH(is_sent_a_signal_beside_another_exploration(), "runs seed 8");
  EXPECT_EXIT(aborts_with_a_handler(), ::testing::ExitedWithCode(3), "runs seed 9");
}

TEST(explore, goes_on_after_failures) {
  for (int i = 0; i < 10; ++i) EXPECT_FALSE(explore(lock_crosswise).passed());
  expect_passes([] { fib(5); }, 10);
}

/// A bug of depth two: the reader must come between two particular writes.
void read_between() {
  testing::shared<int> low{"low", 0}, high{"high", 0};
  testing::thread reader{"reader", [&] {
                           const int upper = high.read();
                           testing::check(low.read() == upper, "both halves belong together");
                         }};
  low.write(1);
  high.write(1);
}

TEST(explore, finds_a_bug_of_depth_two_by_priorities) {
  const report found =
      explore(read_between, {.seeds = 200, .who_goes_on = strategy::pct, .depth = 2});
  EXPECT_FALSE(found.passed());
}

// -------------------------------------------------------------------------------------------------
// modes
/// How many of the right sides of joins run on another worker than their left ones.
int stolen_sides(strategy which) {
  int stolen = 0;
  const auto body = [&stolen] {
    thread_pool pool{{.workers = 3}};
    pool.run([&] {
      for (int i = 0; i < 10; ++i) {
        const auto [left, right] =
            join([] { return worker_index(); }, [] { return worker_index(); });
        if (left != right) ++stolen;
      }
    });
  };
  EXPECT_TRUE(explore(body, {.seeds = 20, .who_goes_on = which}).passed());
  return stolen;
}

TEST(explore, can_have_everything_stolen) {
  EXPECT_GE(stolen_sides(strategy::steal_everything), 190);
}
TEST(explore, can_have_nothing_stolen) { EXPECT_EQ(stolen_sides(strategy::steal_nothing), 0); }

// -------------------------------------------------------------------------------------------------
// clock
TEST(explore, lets_hours_pass_in_no_time) {
  const auto begin = std::chrono::steady_clock::now();
  const report found = explore(
      [] {
        testing::shared<int> order{"order", 0};
        testing::thread late{"late", [&] {
                               testing::nap(2h);
                               testing::check(order.read() == 1, "two hours are longer than one");
                             }};
        testing::nap(1h);
        order.write(1);
      },
      {.seeds = 100});
  EXPECT_TRUE(found.passed()) << found.text();
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 30s);
}

TEST(explore, takes_a_nap_that_has_ended_for_none) {
  const report found = explore([] { testing::nap(-1ms); }, {.seeds = 10});
  EXPECT_TRUE(found.passed()) << found.text();
}

// A sleep may be over before its thread has handed the turn to another one.
TEST(explore, tells_of_a_sleeper_that_is_up_before_it_slept) {
  const auto body = [] {
    testing::thread other{"other", [] {
                            for (int i = 0; i < 20; ++i) testing::nap(1us);
                          }};
    for (int i = 0; i < 20; ++i) testing::nap(1us);
  };
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    EXPECT_TRUE(replay(seed, body).passed());
  }
}

TEST(explore, leaves_threads_that_are_not_simulated_alone) {
  thread_pool pool{{.workers = 2}};
  EXPECT_EQ(pool.run([] { return fib(15); }), 610);
  int ran = 0;
  explore([&] { ++ran; }, {.seeds = 5});
  EXPECT_EQ(ran, 5);
  EXPECT_EQ(pool.run([] { return fib(15); }), 610);
}

}  // namespace
}  // namespace filch
