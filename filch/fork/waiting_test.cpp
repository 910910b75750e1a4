// What a wait may do, and above all what it must not do.
#include <filch/filch.hpp>
#include <filch/sched/worker/scheduler.hpp>
#include <filch/testing/other_side_test.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <future>
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

void await(const std::atomic<bool>& flag) {
  while (!flag) std::this_thread::yield();
}

/// A join that stalls while a foreign fork is open. Its stolen half takes one of the pool's slots,
/// the owner of that fork another. If there are no more slots than these two and its own, the
/// foreign job is run by the thread that gets the slot of the stalled join, or by the wait itself.
class join_beside_a_foreign_job {
 public:
  /// `foreign`, or what it calls, sets `released` once it has begun. Until then all three slots
  /// stay taken.
  template <class F>
  join_beside_a_foreign_job(thread_pool& pool, std::atomic<bool>& released, F foreign)
      : released_{released}, owner_{[this, &pool, foreign] {
          await(stolen_);
          pool.core().wants().request_from_all();  // so that its first fork is public
          pool.run([&] {
            join(
                [&] {
                  forked_ = true;
                  await(released_);
                },
                foreign);
          });
        }} {}
  ~join_beside_a_foreign_job() {
    filch::blocking([&] { owner_.join(); });
  }
  /// In a job of the pool: returns when `released` is set.
  void stall() {
    join([&] { await(forked_); },
         [&] {
           stolen_ = true;
           await(released_);
         });
  }

 private:
  std::atomic<bool> stolen_{false};
  std::atomic<bool> forked_{false};
  std::atomic<bool>& released_;
  std::thread owner_;
};

constexpr unsigned slots_of_a_join_beside_a_foreign_job = 3;

TEST(waiting, leaves_alone_what_others_fork_meanwhile) {
  static thread_local bool is_waiting = false;
  for (int round = 0; round < 20; ++round) {
    thread_pool pool({.workers = slots_of_a_join_beside_a_foreign_job});
    std::atomic<bool> released{false}, by_the_wait{false};
    pool.run([&] {
      join_beside_a_foreign_job here(pool, released, [&] {
        by_the_wait = is_waiting;
        released = true;
      });
      is_waiting = true;
      here.stall();
      is_waiting = false;
    });
    EXPECT_FALSE(by_the_wait) << "round " << round;
  }
}

// rayon#592: a worker that holds a lock waits in a join, and there runs an unrelated job that needs
// the lock.
TEST(waiting, holds_a_mutex_across_a_join_without_meeting_it_again) {
  for (int round = 0; round < 20; ++round) {
    thread_pool pool({.workers = slots_of_a_join_beside_a_foreign_job});
    std::mutex guarded;
    std::atomic<std::thread::id> holder;
    std::atomic<bool> released{false}, met_itself{false};
    pool.run([&] {
      join_beside_a_foreign_job here(pool, released, [&] {
        met_itself = holder.load() == std::this_thread::get_id();
        released = true;
        if (!met_itself) const std::lock_guard wait_for_it{guarded};  // the mutex is not recursive
      });
      const std::lock_guard hold{guarded};
      holder = std::this_thread::get_id();
      here.stall();
      holder = std::thread::id{};
    });
    EXPECT_FALSE(met_itself) << "round " << round;
  }
}

// rayon#854: each wait runs another root, which waits in turn, and the stack holds them all.
TEST(waiting, does_not_pile_up_other_roots_on_its_stack) {
  constexpr int deepest = 4;
  static thread_local int roots_here = 0;
  std::atomic<int> level{0}, occupied{0}, most_roots{0};
  thread_pool pool({.workers = 1 + 2 * deepest});  // last: its jobs use what stands above
  // Two slots are free when a level begins, no matter which
  for (int i = 0; i < 2 * (deepest - 1); ++i) {
    pool.submit([&, until = 2 + i / 2] {
      ++occupied;
      while (level < until) std::this_thread::yield();
    });
  }
  while (occupied != 2 * (deepest - 1)) std::this_thread::yield();

  std::atomic<bool> released{false};
  const std::function<void()> root = [&] {
    ++roots_here;
    for (int seen = most_roots;
         seen < roots_here && !most_roots.compare_exchange_weak(seen, roots_here);) {
    }
    if (level == deepest) {
      released = true;
    } else {
      ++level;
      join_beside_a_foreign_job(pool, released, root).stall();
    }
    --roots_here;
  };
  pool.run(root);
  EXPECT_EQ(most_roots, 1);
}

thread_local int active_root = -1;

/// Runs `body` as part of `root` and says whether this thread was idle or already busy with the
/// same root.
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
    const auto [left, right] =
        join([&] { return tree(root, depth - 1); }, [&] { return tree(root, depth - 1); });
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
  for (const auto end = std::chrono::steady_clock::now() + length;
       std::chrono::steady_clock::now() < end;) {
  }
}

/// Joins with `right`, which a thief runs: the left side ends when it has begun.
template <class F>
void join_stolen(F&& right) {
  std::atomic<bool> begun{false};
  join(
      [&, before_fork = std::chrono::steady_clock::now()] {
        filch::testing::await_other_side(before_fork, [&] { return begun.load(); });
      },
      [&] {
        begun = true;
        right();
      });
}

// A stalled join spins for 10 us before it sleeps: every delay about that long, so that the job
// ends at each step of falling asleep.
TEST(waiting, sees_a_job_complete_just_as_it_falls_asleep) {
  thread_pool pool({.workers = 2});
  for (int round = 0; round < 2000 && !HasFailure(); ++round) {
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

/// As `fib`, with open forks whenever it yields: on one processor its victim runs then or never.
long hospitable_fib(unsigned n) {
  if (n == 12) {
    std::this_thread::yield();
    return fib(n);
  }
  const auto [a, b] = join([n] { return hospitable_fib(n - 1); },
                           [n] { return n - 2 < 12 ? fib(n - 2) : hospitable_fib(n - 2); });
  return a + b;
}

TEST(waiting, takes_back_part_of_the_stolen_job) {
  thread_pool pool({.workers = 2});
  const auto was_helped = [&] { return pool.metrics().total.stolen_back > 0; };
  // Other programs may keep the two from meeting
  for (int round = 0; round < 200 || (round < 20'000 && !was_helped()); ++round) {
    long result = 0;
    pool.run([&] { join_stolen([&] { result = hospitable_fib(22); }); });
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
          for (int i = 0; i < 10; ++i)
            inner.run([&, root] { foreign += !as_part_of(root, [] { burn(500); }); });
          inner.wait();
        });
      });
    }
    // The outer wait itself is part of no root, so it may run any of its own jobs.
    outer.wait();
  });
  EXPECT_EQ(foreign, 0);
}

// oneTBB#2156: the only worker waits, in a job inside a wait, for a job that was enqueued after.
TEST(waiting, the_only_worker_gets_to_what_a_nested_wait_is_for) {
  thread_pool pool({.workers = 1});
  for (int round = 0; round < 50; ++round) {
    std::atomic<int> ran{0};
    const auto wait_for_a_submitted_job = [&] {
      std::promise<void> done;
      pool.submit([&] {
        ++ran;
        done.set_value();
      });
      filch::blocking([&] { done.get_future().wait(); });
    };
    const auto wait_for_a_group_of_it = [&] {
      filch::task_group inner(pool);
      inner.run(wait_for_a_submitted_job);
      inner.wait();
    };
    pool.run([&] {
      filch::task_group outer;
      outer.run([&] { join(wait_for_a_group_of_it, wait_for_a_submitted_job); });
      outer.wait();
    });
    ASSERT_EQ(ran, 2);
  }
}

/// As std::async would be used: submits `n - 1` and waits for it, and so on.
long sum_by_submitting(thread_pool& pool, int n) {
  if (n == 0) return 0;
  std::promise<long> below;
  pool.submit([&] { below.set_value(sum_by_submitting(pool, n - 1)); });
  return n + filch::blocking([&] { return below.get_future().get(); });
}

// taskflow#575: each job waits for another that it submitted, and there are many more of them than
// workers.
TEST(waiting, jobs_that_wait_for_jobs_may_outnumber_the_workers) {
  for (const unsigned workers : {1u, 2u, 4u}) {
    thread_pool pool({.workers = workers});
    EXPECT_EQ(pool.run([&] { return sum_by_submitting(pool, 100); }), 5050);
  }
}

// A wait inside a job inside a wait, in every combination.
TEST(waiting, nests_in_every_combination) {
  thread_pool outer({.workers = 2});
  thread_pool inner({.workers = 2});
  std::atomic<long> sum{0};
  outer.run([&] {
    filch::parallel_for(0, 50, [&](int i) {
      filch::task_group group;
      group.run([&, i] {
        sum += inner.run([&, i] {
          return filch::parallel_reduce(
              0, 100, 0L, [&, i](int j) { return long{i} * j; },
              [](long a, long b) { return a + b; });
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
