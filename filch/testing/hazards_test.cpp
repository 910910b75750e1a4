// Bugs of other schedulers, each as a program that would then fail under some schedule.
// tests/mutants/data/testing.toml has the mistake in ours that brings each of them back.
// FILCH_SEEDS multiplies the number of seeds.
#include <filch/filch.hpp>
#include <filch/testing/expect_test.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <stdexcept>

namespace filch::inline v0_2::testing {
namespace {

using namespace std::chrono_literals;

/// A flag that a thread waits for while it keeps its slot, as a job does that spins or sleeps in
/// the kernel. Outlives the pool, whose destructor waits for the threads that read it.
class flag {
 public:
  void raise() { up_.write(true); }
  void await() {
    while (!up_.read()) nap(10us);
  }

 private:
  shared<bool> up_{"flag", false};
};

TEST(hazards, a_job_that_waits_for_one_it_submitted_gets_it) {
  expect_no_failure([] {
    flag done;
    thread_pool pool{{.workers = 2}};
    pool.submit([&] {
      pool.submit([&] { done.raise(); });
      done.await();
    });
    done.await();
  });
}

TEST(hazards, two_submitted_jobs_that_must_overlap_do) {
  expect_no_failure([] {
    flag first, second;
    thread_pool pool{{.workers = 2}};
    const auto meet = [&pool](flag& mine, flag& other) {
      pool.submit([&] {
        mine.raise();
        other.await();
      });
    };
    meet(first, second);
    meet(second, first);
    first.await();
    second.await();
  });
}

TEST(hazards, two_sides_of_a_join_that_must_overlap_do) {
  expect_no_failure([] {
    thread_pool pool{{.workers = 2}};
    pool.run([] {
      for (int i = 0; i < 3; ++i) {
        flag left, right;
        join([&] { left.raise(), right.await(); }, [&] { right.raise(), left.await(); });
      }
    });
  });
}

// A worker that wakes itself sees forks of an owner without a request: after wakes that came too
// late, no request is left standing.
TEST(hazards, two_sides_that_must_overlap_do_where_wakes_came_too_late) {
  constexpr options longer{.seeds = 300, .most_steps = 200'000};
  expect_no_failure(
      [] {
        thread_pool pool{{.workers = 2}};
        for (int i = 0; i < 8; ++i) {
          pool.run([] { join([] {}, [] {}); });
          nap(2ms);
        }
        flag left, right;
        pool.run([&] {
          join([&] { left.raise(), right.await(); }, [&] { right.raise(), left.await(); });
        });
      },
      longer);
}

TEST(hazards, jobs_behind_one_that_waits_run_elsewhere) {
  expect_no_failure([] {
    flag first, second, third;
    thread_pool pool{{.workers = 2}};
    pool.submit([&] {
      for (flag* const each : {&first, &second, &third}) {
        pool.submit([each] { each->raise(); });
      }
      first.await(), second.await(), third.await();
    });
  });
}

TEST(hazards, more_work_comes_to_light_while_somebody_searches) {
  expect_no_failure([] {
    thread_pool pool{{.workers = 3}};
    pool.run([] {
      flag a, b, c;
      join([&] { a.raise(), b.await(), c.await(); }, [&] { b.raise(), a.await(), c.await(); },
           [&] { c.raise(), a.await(), b.await(); });
    });
  });
}

TEST(hazards, a_join_returns_though_others_work_on) {
  expect_no_failure([] {
    flag joined;
    thread_pool pool{{.workers = 3}};
    pool.submit([&] { joined.await(); });
    pool.run([&] {
      for (int i = 0; i < 3; ++i) join([] { nap(20us); }, [] { nap(30us); });
    });
    joined.raise();
  });
}

TEST(hazards, all_workers_may_wait_for_children) {
  expect_no_failure([] {
    thread_pool pool{{.workers = 2}};
    int leaves = 0;
    pool.run([&] {
      task_group parents;
      for (int i = 0; i < 4; ++i) {
        parents.run([&] {
          task_group children;
          for (int j = 0; j < 2; ++j) children.run([&] { ++leaves; });
          children.wait();
        });
      }
      parents.wait();
    });
    check(leaves == 8, "every child runs");
  });
}

TEST(hazards, a_group_waits_for_what_its_last_job_adds) {
  expect_no_failure([] {
    thread_pool pool{{.workers = 2}};
    int ran = 0;
    pool.run([&] {
      task_group group;
      group.run([&] {
        group.run([&] {
          group.run([&] { ++ran; });
          ++ran;
        });
        ++ran;
      });
      group.wait();
      check(ran == 3, "a wait ends after the last job");
    });
  });
}

TEST(hazards, two_pools_that_call_each_other_do_not_starve) {
  expect_no_failure([] {
    thread_pool one{{.workers = 1}}, two{{.workers = 1}};
    const auto there_and_back = [](thread_pool& from, thread_pool& to) {
      from.run([&] { to.run([&] { from.run([] { join([] {}, [] {}); }); }); });
    };
    thread other{"other", [&] { there_and_back(two, one); }};
    there_and_back(one, two);
  });
}

TEST(hazards, blocking_calls_let_the_work_behind_them_run) {
  expect_no_failure([] {
    flag done;
    thread_pool pool{{.workers = 1}};
    pool.submit([&] { blocking([&] { done.await(); }); });
    pool.submit([&] { done.raise(); });
  });
}

TEST(hazards, callers_from_outside_get_their_turn) {
  expect_no_failure([] {
    thread_pool pool{{.workers = 1}};
    int visits = 0;
    const auto visit = [&] {
      for (int i = 0; i < 3; ++i) pool.run([&] { ++visits; });
    };
    pool.submit([] { join([] {}, [] {}); });
    {
      thread other{"other", visit};
      visit();
    }
    check(visits == 6, "every visit happens");
  });
}

TEST(hazards, a_pool_may_be_destroyed_by_its_own_job) {
  const report found = explore(
      [] {
        auto* const pool = new thread_pool{{.workers = 2}};
        flag gone;
        pool->submit([&, pool] {
          delete pool;
          gone.raise();
        });
        gone.await();
      },
      {.seeds = 20});
  EXPECT_TRUE(found.passed()) << found.text();
  EXPECT_EQ(found.threads_left, 20u);  // its threads are left to the process
}

TEST(hazards, a_pool_that_ends_finishes_what_its_jobs_submit) {
  expect_no_failure(
      [] {
        int ran = 0;
        std::function<void(int)> go_on;  // outlives the pool
        {
          thread_pool pool{{.workers = 2}};
          go_on = [&](int left) {
            ++ran;
            if (left > 0) pool.submit([&go_on, left] { go_on(left - 1); });
          };
          pool.submit([&] { go_on(4); });
        }
        check(ran == 5, "all have run when the pool is gone");
      },
      {.seeds = 2000});
}

TEST(hazards, sleepers_notice_the_end_of_the_pool) {
  expect_no_failure([] {
    thread_pool pool{{.workers = 4}};
    pool.warm_up();
    nap(std::chrono::microseconds(seed() % 8 * 500));
  });
}

TEST(hazards, workers_that_fall_asleep_notice_the_end_of_the_pool) {
  expect_no_failure([] {
    for (int i = 0; i < 4; ++i) {
      thread_pool pool{{.workers = 2}};
      pool.run([] { join([] {}, [] {}); });
    }
  });
}

TEST(hazards, bursts_of_submissions_with_pauses_leave_nothing_behind) {
  expect_no_failure([] {
    thread_pool pool{{.workers = 2}};
    for (int burst = 0; burst < 4; ++burst) {
      int ran = 0;
      for (int i = 0; i < 3; ++i) pool.submit([&] { ++ran; });
      while (ran < 3) nap(50us);
      nap(std::chrono::microseconds(seed() % 16 * 200));
    }
  });
}

TEST(hazards, exceptions_come_out_wherever_their_jobs_have_run) {
  for (const strategy each : {strategy::steal_everything, strategy::any}) {
    expect_no_failure(
        [] {
          thread_pool pool{{.workers = 2}};
          int caught = 0;
          for (int i = 0; i < 3; ++i) {
            try {
              pool.run([] { join([] {}, [] { throw std::runtime_error("right"); }); });
            } catch (const std::runtime_error&) {
              ++caught;
            }
          }
          check(caught == 3, "every exception gets to its join");
        },
        {.seeds = 300, .who_goes_on = each});
  }
}

}  // namespace
}  // namespace filch::testing
