// What a wait may do, and above all what it may not.
#include <filch/filch.hpp>
#include <filch/sched/core.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace {

using filch::join;
using filch::thread_pool;

void burn(int rounds) {
  for (int i = 0; i < rounds; ++i) asm volatile("");
}

// rayon#592: a worker that holds a lock waits in a join, runs an unrelated job there, and that job wants the lock.
TEST(waiting, holds_a_mutex_across_a_join_without_meeting_it_again) {
  thread_pool pool({.workers = 4});
  std::mutex guarded;
  int entered = 0;
  pool.run([&] {
    filch::parallel_for(0, 400, [&](int) {
      const std::lock_guard hold{guarded};  // not recursive: meeting it again on this thread would never end
      join([] { burn(2000); }, [] { burn(2000); });
      ++entered;
    });
  });
  EXPECT_EQ(entered, 400);
}

thread_local int active_root = -1;

/// Runs `body` as part of `root` and says whether this thread was idle or already busy with the same root.
template <class F>
bool as_part_of(int root, F&& body) {
  const bool is_ours = active_root == -1 || active_root == root;
  const int before = std::exchange(active_root, root);
  body();
  active_root = before;
  return is_ours;
}

bool tree(int root, int depth) {
  bool ok = true;
  ok &= as_part_of(root, [&] {
    if (depth == 0) return burn(300);
    const auto [left, right] = join([&] { return tree(root, depth - 1); }, [&] { return tree(root, depth - 1); });
    ok = left && right;
  });
  return ok;
}

TEST(waiting, runs_only_descendants_of_what_it_waits_for) {
  thread_pool pool({.workers = 4});
  std::vector<std::thread> roots;
  std::atomic<int> clean{0};
  for (int root = 0; root < 6; ++root) {
    roots.emplace_back([&, root] {
      for (int round = 0; round < 20; ++round) clean += pool.run([&] { return tree(root, 9); });
    });
  }
  for (auto& each : roots) each.join();
  EXPECT_EQ(clean, 6 * 20);
}

long fib(unsigned n) {
  if (n < 2) return n;
  const auto [a, b] = join([n] { return fib(n - 1); }, [n] { return fib(n - 2); });
  return a + b;
}

void busy(std::chrono::nanoseconds length) {
  for (const auto end = std::chrono::steady_clock::now() + length; std::chrono::steady_clock::now() < end;) {
  }
}

/// Joins with `right`, which a thief runs: the left side ends when it has begun.
template <class F>
void join_stolen(F&& right) {
  std::atomic<bool> begun{false};
  join([&] { while (!begun) std::this_thread::yield(); },
       [&] {
         begun = true;
         right();
       });
}

// A stalled join spins for 10 us before it sleeps: every delay about that long, so that the job ends at each step of falling asleep.
TEST(waiting, sees_a_job_complete_just_as_it_falls_asleep) {
  thread_pool pool({.workers = 2});
  for (int round = 0; round < 2000; ++round) {
    std::atomic<bool> done{false};
    pool.run([&] {
      join_stolen([&] {
        busy(std::chrono::nanoseconds(6'000 + round * 7919 % 9'000));
        done = true;
      });
    });
    ASSERT_TRUE(done) << "round " << round;
  }
}

// Three slots: the stalled join, its thief, and another owner whose fork is public and can be taken by nobody else at first.
TEST(waiting, leaves_alone_what_others_fork_meanwhile) {
  static thread_local bool is_waiting = false;
  for (int round = 0; round < 20; ++round) {
    thread_pool pool({.workers = 3});
    std::atomic<bool> is_stolen{false}, is_forked{false}, has_run{false}, by_the_wait{false};
    const auto await = [](std::atomic<bool>& flag) {
      while (!flag) std::this_thread::yield();
    };
    std::thread other([&] {
      await(is_stolen);
      pool.core().ask_everybody();  // so that its first fork is public
      pool.run([&] {
        join(
            [&] {
              is_forked = true;
              await(has_run);
            },
            [&] {
              by_the_wait = is_waiting;
              has_run = true;
            });
      });
    });
    pool.run([&] {
      join(
          [&] {
            await(is_forked);
            is_waiting = true;
          },
          [&] {
            is_stolen = true;
            await(has_run);
          });
    });
    is_waiting = false;
    other.join();
    EXPECT_FALSE(by_the_wait) << "round " << round;
  }
}

TEST(waiting, takes_back_part_of_the_stolen_job) {
  thread_pool pool({.workers = 2});
  const auto was_helped = [&] { return pool.metrics().total.stolen_back > 0; };
  for (int round = 0; round < 200 || (round < 20'000 && !was_helped()); ++round) {  // other programs may keep both from meeting
    long result = 0;
    pool.run([&] { join_stolen([&] { result = fib(22); }); });
    ASSERT_EQ(result, 17'711) << "round " << round;
  }
  EXPECT_TRUE(was_helped());
}

TEST(waiting, in_a_task_group_runs_only_jobs_of_that_group) {
  thread_pool pool({.workers = 3});
  std::atomic<int> foreign{0};
  pool.run([&] {
    filch::task_group outer;
    for (int root = 0; root < 40; ++root) {
      outer.run([&, root] {
        foreign += !as_part_of(root, [&] {
          filch::task_group inner;
          for (int i = 0; i < 10; ++i) inner.run([&, root] { foreign += !as_part_of(root, [] { burn(500); }); });
          inner.wait();
        });
      });
    }
    // The outer wait itself is part of no root, so it may run any of its own jobs.
    outer.wait();
  });
  EXPECT_EQ(foreign, 0);
}

// rayon#854: waiting by stealing piles unrelated frames on one stack.
TEST(waiting, does_not_pile_up_stack_frames_of_others) {
  thread_pool pool({.workers = 4});
  std::atomic<std::ptrdiff_t> deepest{0};
  pool.run([&] {
    filch::parallel_for(0, 3000, [&](int) {
      static thread_local const char* top = nullptr;
      char here = 0;
      const bool is_outermost = top == nullptr;
      if (is_outermost) top = &here;
      std::ptrdiff_t depth = top - &here;
      auto seen = deepest.load();
      while (depth > seen && !deepest.compare_exchange_weak(seen, depth)) {
      }
      join([] { burn(1000); }, [] { burn(1000); });
      if (is_outermost) top = nullptr;
    });
  });
  EXPECT_LT(deepest.load(), 64 * 1024);
}

// oneTBB#2156, taskflow#575: a wait inside a job inside a wait.
TEST(waiting, nests_in_every_combination) {
  thread_pool outer({.workers = 2});
  thread_pool inner({.workers = 2});
  std::atomic<long> sum{0};
  outer.run([&] {
    filch::parallel_for(0, 50, [&](int i) {
      filch::task_group group;
      group.run([&, i] {
        sum += inner.run([&, i] {
          return filch::parallel_reduce(0, 100, 0L, [&, i](int j) { return long{i} * j; }, [](long a, long b) { return a + b; });
        });
      });
      join([&] { sum += 1; }, [&] { outer.run([&] { sum += 1; }); });
      group.wait();
    });
  });
  EXPECT_EQ(sum, 1225L * 4950 + 100);
}

TEST(waiting, two_pools_of_one_worker_that_call_each_other_do_not_starve) {
  thread_pool a({.workers = 1});
  thread_pool b({.workers = 1});
  std::atomic<int> done{0};
  std::vector<std::thread> callers;
  for (int i = 0; i < 4; ++i) {
    callers.emplace_back([&, i] {
      thread_pool& first = i % 2 == 0 ? a : b;
      thread_pool& second = i % 2 == 0 ? b : a;
      for (int round = 0; round < 200; ++round) {
        first.run([&] { second.run([&] { first.run([&] { second.run([&] { ++done; }); }); }); });
      }
    });
  }
  for (auto& each : callers) each.join();
  EXPECT_EQ(done, 800);
}

}  // namespace
