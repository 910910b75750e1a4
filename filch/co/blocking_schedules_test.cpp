// Turns to block, under one schedule after another.
#include <filch/co.hpp>
#include <filch/co/attendance_test.hpp>
#include <filch/stop.hpp>
#include <filch/testing/expect_test.hpp>

#include <gtest/gtest.h>

#include <chrono>

namespace filch::inline v0_2::testing {
namespace {

using namespace std::chrono_literals;

task<> block_for_a_moment(attendance& of) {
  ++of.begun;
  try {
    co_await co::blocking([] { nap(std::chrono::microseconds(seed() % 3)); });
  } catch (const co::cancelled&) {
  }
  ++of.ended;
}

// The permit may come to the task before, while or after it is asked to stop.
TEST(co_schedules, a_turn_to_block_is_passed_on_whichever_task_is_cancelled) {
  expect_no_failure(
      [] {
        attendance all;
        thread_pool pool{{.workers = 1 + static_cast<unsigned>(seed() % 2), .max_spares = 1}};
        join_handle<> tasks[] = {spawn(pool, block_for_a_moment(all)),
                                 spawn(pool, block_for_a_moment(all)),
                                 spawn(pool, block_for_a_moment(all))};
        nap(std::chrono::microseconds(seed() % 7));
        tasks[seed() / 7 % 3].cancel();
        for (join_handle<>& each : tasks) block_on(std::move(each));
        block_on(spawn(pool, block_for_a_moment(all)));
        check(all.begun == 4 && all.ended == 4, "each turn was given back");
      },
      {.seeds = 1000, .most_steps = 50'000});
}

TEST(co_schedules, a_pool_that_ends_in_time_leaves_nobody_waiting_for_a_turn_to_block) {
  expect_no_failure(
      [] {
        attendance all;
        {
          thread_pool pool{{.workers = 2, .max_spares = 1}};
          for (int i = 0; i < 3; ++i) spawn(pool, block_for_a_moment(all));
          const stop_report report = pool.stop(std::chrono::nanoseconds(seed() % 5000), 1h);
          // Each alone: a task that is discarded just then counts as both.
          check(report.abandoned <= 3 && report.discarded <= 3, "three roots are all there is");
        }
        check(all.begun == all.ended, "each task that has begun ends");
      },
      {.seeds = 1000, .most_steps = 50'000});
}

}  // namespace
}  // namespace filch::testing
