// Which job begins first, and that none starves behind others.
#include <filch/filch.hpp>
#include <filch/policy/priority.hpp>
#include <filch/testing/expect_test.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <thread>

namespace filch::inline v0_2 {
namespace {

void wait_for(const std::atomic<bool>& happened) {
  while (!happened) std::this_thread::yield();
}

class priority_of_submitted : public ::testing::TestWithParam<bool> {
 protected:
  /// Runs `submits` while the only worker is busy, or on that worker if the parameter says so.
  void submit_unseen(const std::function<void()>& submits) {
    pool_->submit([&] {
      if (GetParam()) submits();
      is_busy_ = true;
      wait_for(may_end_);
    });
    wait_for(is_busy_);
    if (!GetParam()) submits();
    may_end_ = true;
  }
  /// Submits `what` again and again until `over`, which says how often it ran.
  void repeat_until(const std::atomic<bool>& over, priority urgency, unsigned& count) {
    if (over) return;
    ++count;
    pool_->submit([&, urgency] { repeat_until(over, urgency, count); }, urgency);
  }
  /// What was submitted has ended, too.
  void end_pool() { pool_.reset(); }
  std::atomic<bool> is_busy_{false}, may_end_{false};  // read by a job until it ends
  std::optional<thread_pool> pool_{std::in_place, pool_options{.workers = 1}};
};

INSTANTIATE_TEST_SUITE_P(from, priority_of_submitted, ::testing::Bool(),
                         [](const auto& told) { return told.param ? "inside" : "outside"; });

TEST_P(priority_of_submitted, decides_which_job_begins_first) {
  std::string order;
  std::atomic<bool> last_ran{false};
  submit_unseen([&] {
    const auto note = [&](char mark) {
      return [&, mark] { last_ran = (order += mark).size() == 6; };
    };
    pool_->submit(note('e'), priority::background);
    pool_->submit(note('c'));
    pool_->submit(note('a'), priority::high);
    pool_->submit(note('f'), priority::background);
    pool_->submit(note('d'), priority::normal);
    pool_->submit(note('b'), priority::high);
  });
  wait_for(last_ran);
  EXPECT_EQ(order, "abcdef");
}

TEST_P(priority_of_submitted, lets_a_normal_one_through_after_some_high_ones) {
  std::atomic<bool> ran{false};
  unsigned high_ones = 0;
  submit_unseen([&] {
    pool_->submit([&] { ran = true; });
    repeat_until(ran, priority::high, high_ones);
  });
  wait_for(ran);
  end_pool();
  EXPECT_LE(high_ones, 2 * policy::priority_rotation::high_in_a_row::most);
}

TEST_P(priority_of_submitted, lets_a_background_one_through_after_some_others) {
  std::atomic<bool> ran{false};
  unsigned high_ones = 0, normal_ones = 0;
  submit_unseen([&] {
    pool_->submit([&] { ran = true; }, priority::background);
    repeat_until(ran, priority::high, high_ones);
    repeat_until(ran, priority::normal, normal_ones);
  });
  wait_for(ran);
  end_pool();
  EXPECT_LE(high_ones + normal_ones, 2 * policy::priority_rotation::before_background::most + 2);
}

/// Forks `depth` times, and returns when other workers have run all forks.
void fork_and_wait(int depth, std::atomic<int>& stolen) {
  if (depth == 0) {
    while (stolen != 8) std::this_thread::yield();
    return;
  }
  join([&] { fork_and_wait(depth - 1, stolen); }, [&] { ++stolen; });
}

TEST(priority, of_background_comes_after_forks) {
  thread_pool pool{{.workers = 2}};
  for (int round = 0; round < 20; ++round) {
    std::atomic<int> stolen{0};
    std::atomic<bool> has_joined{false}, chain_has_ended{false};
    const std::function<void()> again = [&] {
      if (stolen == 8) {
        chain_has_ended = true;
      } else {
        pool.submit([&] { again(); }, priority::background);
      }
    };
    pool.submit([&] {
      again();
      fork_and_wait(8, stolen);
      has_joined = true;
    });
    wait_for(has_joined);
    wait_for(chain_has_ended);
  }
}

TEST(priority, wakes_a_sleeper) {
  testing::expect_no_failure([] {
    std::atomic<int> ran{0};
    thread_pool pool{{.workers = 1 + static_cast<unsigned>(testing::seed() % 2)}};
    for (const priority each :
         {priority::background, priority::high, priority::normal, priority::background}) {
      testing::nap(std::chrono::microseconds(testing::seed() % 7 * 20));
      const int before = ran;
      pool.submit([&] { ++ran; }, each);
      while (ran == before) testing::nap(std::chrono::microseconds(10));
    }
  });
}

TEST(priority, does_not_keep_a_job_in_a_stopped_pool) {
  std::atomic<bool> is_busy{false}, may_end{false};
  int ran = 0;
  {
    thread_pool pool{{.workers = 1}};
    pool.submit([&] {
      is_busy = true;
      wait_for(may_end);
    });
    wait_for(is_busy);
    for (const priority each : {priority::high, priority::normal, priority::background})
      pool.submit([&] { ++ran; }, each);
    pool.request_stop();
    may_end = true;
  }
  EXPECT_EQ(ran, 0);
}

}  // namespace
}  // namespace filch
