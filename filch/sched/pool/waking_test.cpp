// Work is found, however the workers park.
#include <filch/filch.hpp>
#include <filch/sched/worker/worker.hpp>
#include <filch/testing/other_side_test.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <optional>
#include <thread>
#include <vector>

namespace {

using filch::thread_pool;
using filch::testing::await_other_side;
using std::chrono::steady_clock;
using namespace std::chrono_literals;

void busy(steady_clock::duration length) {
  for (const auto end = steady_clock::now() + length; steady_clock::now() < end;) {
  }
}

long fib(unsigned n) {
  if (n < 2) return n;
  const auto [a, b] = filch::join([n] { return fib(n - 1); }, [n] { return fib(n - 2); });
  return a + b;
}

// golang#45867: a runnable job and an idle worker must meet. The two halves wait for each other.
TEST(waking, two_halves_that_must_overlap_always_do) {
  thread_pool pool({.workers = 2});
  for (int round = 0; round < 2000 && !HasFailure(); ++round) {
    if (round % 200 == 0) std::this_thread::sleep_for(5ms);
    std::atomic<int> here{0};
    pool.run([&] {
      filch::parallel_for(0, 2, [&, before_fork = steady_clock::now()](int) {
        ++here;
        await_other_side(before_fork, [&] { return here == 2; });
      });
    });
  }
}

TEST(waking, a_fork_made_before_anybody_was_idle_is_found_inside_a_long_leaf) {
  thread_pool pool({.workers = 2});
  for (int round = 0; round < 20; ++round) {
    std::atomic<bool> right_ran{false};
    pool.run([&] {
      filch::join(
          [&] {
            const auto left = [&, before_fork = steady_clock::now()] {
              await_other_side(before_fork, [&] { return right_ran.load(); });
            };
            filch::join(left, [&] { right_ran = true; });
          },
          [] { busy(1ms); });  // keeps the other worker busy until after the inner fork
    });
  }
}

/// Whether `attempt()` succeeds in one of three times that count. It returns nothing if the machine
/// was busy meanwhile, and so does this if that is always so, as under valgrind.
template <class F>
std::optional<bool> succeeds_in_one_of_three(F&& attempt) {
  int failures = 0;
  for (const auto end = steady_clock::now() + 5s; failures < 3 && steady_clock::now() < end;) {
    const std::optional<bool> was_seen = attempt();
    if (was_seen == true) return true;
    failures += was_seen == false;
  }
  return failures == 3 ? std::optional(false) : std::nullopt;
}

// A worker that would be woken into the slot it gives away keeps the slot for as long as a wake
// takes: here 30 us at least, as one or two wakes were measured since the guess of 40.
TEST(waking, a_join_that_ends_soon_keeps_its_slot) {
  const auto is_kept = succeeds_in_one_of_three([]() -> std::optional<bool> {
    thread_pool pool({.workers = 2});
    pool.warm_up();
    std::this_thread::sleep_for(1ms);  // a thread that has just begun may be on the same processor
    std::atomic<bool> is_stolen{false}, is_joining{false};
    steady_clock::time_point begin, end;
    pool.run([&] {
      filch::join(
          [&] {
            while (!is_stolen) std::this_thread::yield();
            begin = steady_clock::now();
            is_joining = true;
          },
          [&] {
            is_stolen = true;
            while (!is_joining) {
            }
            busy(25us);
            end = steady_clock::now();
          });
    });
    if (end - begin > 28us) return {};
    return pool.metrics().total.slots_handed_over == 0;
  });
  if (!is_kept) GTEST_SKIP() << "25 us are never less than 28 here";
  EXPECT_TRUE(*is_kept);
}

// If its thief comes back, it finds a fork without a request. Here the thief is busy with another
// job as soon as it has finished.
TEST(waking, an_owner_that_was_robbed_of_a_long_job_goes_on_offering_the_next) {
  std::vector<bool> expected(12, false);
  const int at_once = 1;  // the thief has just finished
  std::fill_n(expected.begin(), at_once + filch::policy::eager_exposure::in_vain::most, true);
  const auto are_offered = succeeds_in_one_of_three([&]() -> std::optional<bool> {
    std::vector<bool> is_offered;
    std::atomic<bool> is_finished{false}, is_over{false};
    thread_pool pool({.workers = 2});  // last: its jobs use what stands above
    pool.run([&] {
      const auto steal_from = [&] {
        busy(30us);
        pool.submit([&] {
          while (!is_over) std::this_thread::yield();
        });
        is_finished = true;
      };
      filch::join(
          [&] {
            while (!is_finished) std::this_thread::yield();
          },
          steal_from);
      const auto* const here = &filch::sched::current_worker();
      const auto long_leaf = [&] {
        is_offered.push_back(!here->peek().is_empty());
        busy(30us);
      };
      for (int i = 0; i < 12; ++i) filch::join(long_leaf, [] {});
      is_over = true;
    });
    // Other workers were woken for that, and request
    if (pool.metrics().total.slots_handed_over != 0) return {};
    return is_offered == expected;
  });
  if (!are_offered) GTEST_SKIP() << "the thief always comes late to the end of its job";
  EXPECT_TRUE(*are_offered);
}

// The thief has learnt that this owner's jobs are not worth stealing.
TEST(waking, a_job_behind_one_that_waits_is_found_however_small_the_ones_before_it_were) {
  thread_pool pool({.workers = 2});
  for (int round = 0; round < 5; ++round) {
    std::atomic<bool> last_ran{false}, done{false};
    pool.submit([&] {
      for (int i = 0; i < 1000; ++i) pool.submit([] {});
      pool.submit([&] { last_ran = true; });
      while (!last_ran) std::this_thread::yield();
      done = true;
    });
    while (!done) std::this_thread::yield();
  }
}

// The holder of the only slot wakes no worker for jobs that it queues: only the look at its queue
// when it leaves finds them.
TEST(waking, jobs_that_an_external_thread_leaves_in_the_only_slot_are_found) {
  thread_pool pool({.workers = 1});
  pool.warm_up();
  for (int round = 0; round < 5; ++round) {
    std::this_thread::sleep_for(10ms);  // so that the worker sleeps
    std::atomic<bool> ran{false};
    pool.run([&] { pool.submit([&] { ran = true; }); });
    while (!ran) std::this_thread::yield();
  }
}

// In a pool of one slot no other worker is awake when its owner blocks. The worker that gets the
// slot must not park before it has used force.
TEST(waking, the_fork_of_a_blocked_owner_is_taken_where_there_is_one_slot) {
  for (const int jobs_before : {0, 1, 3}) {
    thread_pool pool({.workers = 1});
    std::atomic<int> ran{0};
    for (int i = 1; i <= jobs_before; ++i) {
      pool.submit([&] { ++ran; });
      while (ran != i) std::this_thread::sleep_for(100us);
      std::this_thread::sleep_for(1ms);
    }
    for (int round = 0; round < 100; ++round) {
      std::atomic<bool> right_ran{false};
      pool.run([&] {
        filch::join(
            [&] {
              filch::blocking([&] {
                while (!right_ran) std::this_thread::sleep_for(50us);
              });
            },
            [&] { right_ran = true; });
      });
    }
  }
}

// A thief without a budget for small jobs parks over public ones, but not for good.
TEST(waking, tiny_forks_of_several_blocked_owners_all_run_where_there_is_one_slot) {
  constexpr int owners = 8;
  thread_pool pool({.workers = 1});
  for (int round = 0; round < 30; ++round) {
    std::atomic<int> entered{0}, ran{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < owners; ++i) {
      threads.emplace_back([&] {
        ++entered;
        pool.run([&] {
          while (entered < owners) std::this_thread::yield();
          std::this_thread::sleep_for(300us);
          filch::join(
              [&] {
                filch::blocking([&] {
                  while (ran < owners) std::this_thread::sleep_for(100us);
                });
              },
              [&] { ++ran; });
        });
      });
    }
    for (std::thread& each : threads) each.join();
  }
}

// The second fork follows the first within a microsecond: while the thief of the first one offers
// the last slot.
TEST(waking, three_parts_that_must_overlap_always_do) {
  thread_pool pool({.workers = 3});
  for (int round = 0; round < 300 && !HasFailure(); ++round) {
    std::atomic<int> here{0};
    const auto come = [&](int wanted) {
      ++here;
      while (here < wanted) std::this_thread::yield();
    };
    const auto meet = [&](int wanted) {
      const auto left = [&, before_fork = steady_clock::now()] {
        ++here;
        await_other_side(before_fork, [&] { return here >= wanted; });
      };
      filch::join(left, [&] { come(wanted); });
    };
    pool.run([&] {
      for (const auto end = steady_clock::now() + 1ms; steady_clock::now() < end; here = 0) meet(2);
      const auto second = [&] {
        busy(std::chrono::nanoseconds(round * 7919 % 1000));
        meet(3);
      };
      filch::join(second, [&] { come(3); });
    });
  }
}

// A thief that requests again after each answer must not take the next fork for one that has waited
// since the search began.
TEST(waking, an_owner_is_silent_only_since_it_answered) {
  constexpr std::uint64_t patience = 1'000'000'000;  // no test is preempted for so long
  thread_pool pool({.workers = 1});
  pool.run([] {
    filch::sched::worker& owner = filch::sched::current_worker();
    const std::uint64_t before = filch::base::ticks();
    EXPECT_FALSE(owner.is_silent_for(0, before)) << "nobody asks";
    owner.request_work();
    EXPECT_FALSE(owner.is_silent_for(0, before)) << "it has nothing to answer with";
    const auto look = [&] {
      const std::uint64_t now = filch::base::ticks();
      EXPECT_FALSE(owner.is_silent_for(0, now)) << "it has answered";
      owner.request_work();
      EXPECT_FALSE(owner.is_silent_for(now - before, now)) << "it has answered since";
      EXPECT_FALSE(owner.is_silent_for(patience, before))
          << "a thief that read its clock before the answer";
      EXPECT_TRUE(owner.is_silent_for(patience, now + patience)) << "the request stands";
      EXPECT_TRUE(owner.is_silent_for(patience, 0)) << "a counter that has begun again";
    };
    filch::join([&] { filch::join(look, [] {}); }, [] {});
  });
}

// Beside an owner that answers all the time with jobs too small to take, one that is silent must
// still be heard.
TEST(waking, a_silent_owner_is_exposed_by_force_beside_one_that_answers) {
  thread_pool pool({.workers = 3});
  std::atomic<bool> stop{false};
  std::thread chatty([&] {
    pool.run([&] {
      while (!stop) fib(18);
    });
  });
  int late = 0;
  for (int round = 0; round < 20; ++round) {
    std::atomic<bool> outer_ran{false}, right_ran{false};
    const auto begin = steady_clock::now();
    pool.run([&] {
      filch::join(
          [&] {
            while (!outer_ran) std::this_thread::yield();  // the outer fork is gone
            filch::join(
                [&] {
                  while (!right_ran) std::this_thread::sleep_for(50us);
                },
                [&] { right_ran = true; });
          },
          [&] { outer_ran = true; });
    });
    if (steady_clock::now() - begin > 200ms) ++late;
  }
  stop = true;
  chatty.join();
  EXPECT_LE(late, 2) << "of 20: nobody came in 200 ms";
}

// tokio#8056: a runnable job is in a place where only the busy worker looks.
TEST(waking, a_job_behind_the_one_that_waits_for_it_is_run_by_another) {
  thread_pool pool({.workers = 2});
  for (int round = 0; round < 200; ++round) {
    std::atomic<bool> done{false};
    pool.submit([&] {
      std::atomic<bool> second_ran{false};
      pool.submit([&] { second_ran = true; });
      while (!second_ran) std::this_thread::yield();
      done = true;
    });
    while (!done) std::this_thread::yield();
  }
}

// No slot is free, and there is always a job from outside.
TEST(waking, a_job_behind_the_one_that_waits_for_it_is_run_beside_a_full_injector) {
  constexpr int count = 20'000;
  thread_pool pool({.workers = 2});
  std::atomic<bool> is_full{false};
  std::atomic<int> drained{0}, drained_before{-1};
  pool.submit([&] {
    while (!is_full) std::this_thread::yield();
    pool.submit([&] { drained_before = drained.load(); });
    while (drained_before < 0) std::this_thread::yield();
  });
  for (int i = 0; i < count; ++i) {
    pool.submit([&] {
      busy(5us);
      ++drained;
    });
  }
  is_full = true;
  while (drained != count || drained_before < 0) std::this_thread::yield();
  EXPECT_LT(drained_before, count / 2);
}

// rayon#394: a worker that finds a job wakes another, which wakes another.
TEST(waking, one_job_wakes_one_worker) {
  constexpr int rounds = 50;
  thread_pool pool({.workers = 8});
  pool.warm_up();
  while (pool.metrics().total.parks < 8) std::this_thread::yield();
  const auto before = pool.metrics().total;
  std::atomic<int> ran{0};
  for (int round = 1; round <= rounds; ++round) {
    pool.submit([&] { ++ran; });
    while (ran != round) std::this_thread::yield();
    std::this_thread::sleep_for(2ms);
  }
  const auto after = pool.metrics().total;
  EXPECT_LE(after.parks - before.parks, rounds + rounds / 2)
      << "each job ends one worker's sleep, and seldom another's";
}

TEST(waking, every_submitted_job_runs_however_the_workers_fall_asleep) {
  for (unsigned workers : {1u, 2u, 4u, 16u}) {
    thread_pool pool({.workers = workers});
    std::atomic<int> ran{0};
    for (int i = 1; i <= 3000; ++i) {
      pool.submit([&] { ++ran; });
      if (i % 3 == 0) {
        while (ran != i) std::this_thread::yield();
      }
      if (i % 500 == 0) std::this_thread::sleep_for(1ms);
    }
    while (ran != 3000) std::this_thread::yield();
  }
}

// Workers give up a search after 2 to 40 us: delays are about that long, so that jobs come at each
// step of parking.
TEST(waking, a_job_that_comes_just_as_the_last_searcher_gives_up_is_run) {
  for (const unsigned workers : {1u, 2u}) {
    thread_pool pool({.workers = workers});
    std::atomic<int> ran{0};
    for (int i = 1; i <= 10'000; ++i) {
      pool.submit([&] { ++ran; });
      while (ran != i) std::this_thread::yield();
      busy(std::chrono::nanoseconds(i * 7919 % 60'000));
    }
  }
}

}  // namespace
