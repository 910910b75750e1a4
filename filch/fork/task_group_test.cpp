#include <filch/fork.hpp>
#include <filch/sched/worker/worker.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <thread>

namespace {

using filch::task_group;
using filch::thread_pool;

class task_group_on : public testing::TestWithParam<unsigned> {
 protected:
  thread_pool pool{{.workers = GetParam()}};
};
INSTANTIATE_TEST_SUITE_P(workers, task_group_on, testing::Values(1u, 2u, 5u));

TEST_P(task_group_on, runs_every_job_exactly_once) {
  std::atomic<int> ran{0};
  pool.run([&] {
    task_group group;
    for (int i = 0; i < 5000; ++i) group.run([&] { ++ran; });
    group.wait();
    EXPECT_EQ(ran, 5000);
  });
}

TEST_P(task_group_on, can_be_used_from_outside_and_again_after_a_wait) {
  task_group group(pool);
  std::atomic<int> ran{0};
  for (int round = 1; round <= 3; ++round) {
    for (int i = 0; i < 100; ++i) group.run([&] { ++ran; });
    group.wait();
    EXPECT_EQ(ran, 100 * round);
  }
}

TEST_P(task_group_on, jobs_may_add_jobs_to_their_own_group) {
  std::atomic<int> ran{0};
  pool.run([&] {
    task_group group;
    std::function<void(int)> grow = [&](int depth) {
      ++ran;
      if (depth == 0) return;
      group.run([&, depth] { grow(depth - 1); });
      group.run([&, depth] { grow(depth - 1); });
    };
    group.run([&] { grow(9); });
    group.wait();
  });
  EXPECT_EQ(ran, 1023);
}

TEST_P(task_group_on, may_outlive_the_frame_that_filled_it_with_joins_open_around) {
  std::atomic<int> ran{0};
  pool.run([&] {
    auto group = std::make_unique<task_group>();
    const auto fill = [&] {
      for (int i = 0; i < 50; ++i) group->run([&] { ++ran; });
    };
    filch::join(fill, [&] { filch::join(fill, fill); });
    group->wait();
    EXPECT_EQ(ran, 150);
  });
}

TEST_P(task_group_on, rethrows_of_the_jobs_that_threw_the_exception_of_the_one_added_first) {
  for (int round = 0; round < 20; ++round) {
    std::atomic<bool> has_first_begun{false};
    task_group group(pool);
    const bool is_alone = pool.concurrency() == 1;
    group.run([&] {
      has_first_begun = true;
      // The other one has thrown
      while (!is_alone && !group.is_cancelled()) std::this_thread::yield();
      throw 1;
    });
    if (!is_alone) {
      group.run([&] {
        while (!has_first_begun) std::this_thread::yield();
        throw 2;
      });
    }
    try {
      group.wait();
      FAIL() << "nothing was thrown";
    } catch (int thrown) {
      EXPECT_EQ(thrown, 1);
    }
    group.wait();  // the exception was delivered; nothing is left of it
  }
}

TEST_P(task_group_on, begins_no_job_after_one_has_thrown_and_frees_it) {
  const auto witness = std::make_shared<int>(1);
  std::atomic<int> ran{0};
  pool.run([&] {
    task_group group;
    group.run([] { throw 1; });
    EXPECT_THROW(group.wait(), int);
    EXPECT_FALSE(group.is_cancelled());
    group.run([&] {  // the youngest, so that on one worker the wait begins with it
      for (int i = 0; i < 100; ++i)
        group.run([&ran, &group, witness] { ran += group.is_cancelled(); });
      throw 2;
    });
    EXPECT_THROW(group.wait(), int);
    EXPECT_EQ(ran, 0) << "a job has begun in a cancelled group";
    if (pool.concurrency() == 1) {
      group.run([&ran, witness] { ++ran; });
      group.run([] { throw 3; });
      EXPECT_THROW(group.wait(), int);
      EXPECT_EQ(ran, 0);
    }
    group.run([&ran] { ++ran; });
    group.wait();
    EXPECT_EQ(ran, 1);
  });
  EXPECT_EQ(witness.use_count(), 1);
}

TEST_P(task_group_on, cancel_discards_what_has_not_begun_and_frees_it) {
  const auto witness = std::make_shared<int>(1);
  std::atomic<int> ran{0};
  pool.run([&] {
    task_group group;
    group.run([&] { group.cancel(); });
    group.wait();
    group.cancel();
    for (int i = 0; i < 100; ++i) group.run([&ran, witness] { ++ran; });
    EXPECT_TRUE(group.is_cancelled());
    group.wait();
    EXPECT_EQ(ran, 0);
    group.run([&ran] { ++ran; });
    group.wait();
    EXPECT_EQ(ran, 1);
  });
  EXPECT_EQ(witness.use_count(), 1);
}

TEST(task_group, cancel_lets_what_runs_elsewhere_finish) {
  thread_pool pool({.workers = 2});
  std::atomic<bool> runs{false}, may_end{false}, has_ended{false};
  std::atomic<int> late{0};
  const auto await = [](const std::atomic<bool>& flag) {
    while (!flag) std::this_thread::yield();
  };
  pool.run([&] {
    task_group group;
    group.run([&] {
      runs = true;
      await(may_end);
      // A wait that does not wait returns before
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      has_ended = true;
    });
    await(runs);  // on the other worker, so that no thread can begin the next
    for (int i = 0; i < 100; ++i) group.run([&late] { ++late; });
    group.cancel();
    EXPECT_FALSE(has_ended);
    may_end = true;
    group.wait();
    EXPECT_TRUE(has_ended);
    EXPECT_EQ(late, 0);
  });
}

TEST_P(task_group_on, carries_what_a_captures_destructor_throws) {
  struct thrower {
    bool armed = false;
    thrower() = default;
    thrower(thrower&& other) noexcept : armed{std::exchange(other.armed, false)} {}
    ~thrower() noexcept(false) {
      if (armed) throw 3;
    }
  };
  task_group group(pool);
  thrower held;
  held.armed = true;
  group.run([held = std::move(held)] {});
  EXPECT_THROW(group.wait(), int);
}

TEST_P(task_group_on, destroys_what_it_cancels_also_where_captures_throw_then) {
  std::atomic<int> alive{0}, ran{0};
  struct thrower {
    std::atomic<int>* alive;
    explicit thrower(std::atomic<int>& counted) : alive{&counted} { ++counted; }
    thrower(thrower&& other) noexcept : alive{std::exchange(other.alive, nullptr)} {}
    ~thrower() noexcept(false) {
      if (alive == nullptr) return;
      --*alive;
      throw 4;
    }
  };
  {
    task_group group(pool);
    group.cancel();
    for (int i = 0; i < 10; ++i) group.run([&ran, held = thrower{alive}] { ++ran; });
    try {
      group.wait();
    } catch (int thrown) {
      EXPECT_EQ(thrown, 4);
    }
  }
  EXPECT_EQ(ran, 0);
  EXPECT_EQ(alive, 0);
}

TEST_P(task_group_on, the_destructor_waits) {
  std::atomic<int> ran{0};
  {
    task_group group(pool);
    for (int i = 0; i < 100; ++i) group.run([&] { ++ran; });
  }
  EXPECT_EQ(ran, 100);
}

TEST(task_group, waits_for_the_end_of_a_job_that_another_worker_runs) {
  thread_pool pool({.workers = 2});
  for (int round = 0; round < 20; ++round) {
    std::atomic<bool> begun{false}, ended{false};
    pool.run([&] {
      task_group group;
      group.run([&] {
        begun = true;
        std::this_thread::sleep_for(std::chrono::microseconds(200));
        ended = true;
      });
      while (!begun) std::this_thread::yield();
      group.wait();
      EXPECT_TRUE(ended);
    });
  }
}

TEST(task_group, a_recursion_of_groups_leaves_no_tickets_behind) {
  thread_pool pool({.workers = 1});
  struct walk {
    static void down(int depth, std::size_t& most) {
      if (depth == 0) return;
      task_group group;
      group.run([&most, depth] { down(depth - 1, most); });
      down(depth - 1, most);
      group.wait();
      most = std::max(most, filch::sched::current_worker().waiter.granted->ready.size_hint());
    }
  };
  std::size_t most = 0;
  pool.run([&] { walk::down(14, most); });
  EXPECT_LE(most, 14u);
}

TEST(task_group_death_test, a_group_that_waits_in_its_own_job_says_so) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  const auto wait_in_own_job = [] {
    task_group group;
    group.run([&] { filch::join([&] { group.wait(); }, [] {}); });
    group.wait();
  };
  EXPECT_DEATH(
      wait_in_own_job(),
      "of a task_group in a job of that group, called in .*task_group_test.*waits for itself");
  const auto wait_in_job_of_another = [] {
    thread_pool pool({.workers = 1});
    task_group group(pool), other(pool);
    group.run([&] {
      other.run([&] { group.wait(); });
      other.wait();
    });
    group.wait();
  };
  EXPECT_DEATH(wait_in_job_of_another(), "waits for itself");
}

}  // namespace
