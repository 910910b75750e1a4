// The floating-point mode in which jobs run: that of the thread that forked them.
#include <filch/base/float_mode.hpp>
#include <filch/filch.hpp>
#include <filch/testing/other_side_test.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <cfenv>
#include <chrono>
#include <thread>

namespace {

using filch::thread_pool;
using filch::base::current_float_mode;
using filch::testing::await_other_side;

/// While it lives the thread has another rounding mode.
class rounding {
 public:
  explicit rounding(int wanted) : before_{std::fegetround()} { std::fesetround(wanted); }
  ~rounding() { std::fesetround(before_); }
  rounding(const rounding&) = delete;
  rounding& operator=(const rounding&) = delete;

 private:
  const int before_;
};

int rounding_of_next_job(thread_pool& pool) {
  std::atomic<int> seen{-1};
  pool.submit([&] { seen = std::fegetround(); });
  while (seen == -1) std::this_thread::yield();
  return seen;
}

/// Runs `right` on another worker than this thread, which must be one.
template <class F>
void run_elsewhere(F right) {
  std::atomic<bool> has_run{false};
  const auto wait = [&, before_fork = std::chrono::steady_clock::now()] {
    await_other_side(before_fork, [&] { return has_run.load(); });
  };
  filch::join(wait, [&] {
    right();
    has_run = true;
  });
}

TEST(float_modes, a_stolen_job_computes_in_the_mode_of_the_forking_thread) {
  thread_pool pool({.workers = 3});
  for (const int wanted : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO, FE_TONEAREST}) {
    int stolen = -1, nested = -1;
    {
      const rounding here{wanted};
      pool.run([&] {
        run_elsewhere([&] {
          stolen = std::fegetround();
          run_elsewhere([&] { nested = std::fegetround(); });
        });
      });
      EXPECT_EQ(std::fegetround(), wanted) << "of the caller";
    }
    EXPECT_EQ(stolen, wanted);
    EXPECT_EQ(nested, wanted) << "stolen from a thief";
    EXPECT_EQ(rounding_of_next_job(pool), FE_TONEAREST)
        << "a thief goes back to the mode of the pool";
  }
}

TEST(float_modes, a_mode_that_a_job_sets_goes_with_what_it_forks) {
  thread_pool pool({.workers = 2});
  int stolen = -1;
  pool.run([&] {
    run_elsewhere([] {});  // so that a thief is awake, and requests
    const rounding here{FE_UPWARD};
    // The first fork of the loop after a request answers it. Without a request the fork is exposed
    // by force, and may have been forked before the change.
    for (int i = 0; i < 1000 && stolen != FE_UPWARD; ++i)
      run_elsewhere([&] { stolen = std::fegetround(); });
  });
  EXPECT_EQ(stolen, FE_UPWARD);
}

TEST(float_modes, the_jobs_of_a_group_compute_in_the_mode_at_its_first_run) {
  thread_pool pool({.workers = 2});
  for (const bool waits_elsewhere : {false, true}) {
    std::atomic<int> seen{-1};
    pool.run([&] {
      filch::task_group group(pool);
      {
        const rounding here{FE_UPWARD};
        group.run([&] { seen = std::fegetround(); });
        while (waits_elsewhere && seen == -1) std::this_thread::yield();
      }
      group.wait();
      EXPECT_EQ(std::fegetround(), FE_TONEAREST);
    });
    EXPECT_EQ(seen, FE_UPWARD);
  }
}

TEST(float_modes, threads_begin_in_the_mode_of_the_maker_of_the_pool) {
  thread_pool pool({.workers = 1});
  const rounding here{FE_UPWARD};
  EXPECT_EQ(rounding_of_next_job(pool), FE_TONEAREST) << "which a thread in another mode starts";
  thread_pool upward({.workers = 1});
  EXPECT_EQ(rounding_of_next_job(upward), FE_UPWARD);
}

TEST(float_modes, what_a_submitted_job_leaves_behind_ends_with_the_next_search) {
  thread_pool pool({.workers = 1});
  std::atomic<bool> has_run{false};
  const auto parks = [&] { return pool.metrics().total.parks; };
  pool.submit([&] {
    std::fesetround(FE_UPWARD);
    has_run = true;
  });
  while (!has_run) std::this_thread::yield();
  for (const auto before = parks();
       parks() == before && rounding_of_next_job(pool) != FE_TONEAREST;)
    std::this_thread::yield();
  EXPECT_EQ(rounding_of_next_job(pool), FE_TONEAREST);
}

TEST(float_modes, a_thread_that_blocks_forks_in_the_mode_that_it_has_then) {
  thread_pool pool({.workers = 1});
  int stolen = -1;
  pool.run([&] {
    std::atomic<bool> has_run{false};
    const auto block = [&] {
      filch::blocking([&] {
        while (!has_run) std::this_thread::sleep_for(std::chrono::microseconds(50));
      });
    };
    const rounding here{FE_UPWARD};
    filch::join(block, [&] {
      stolen = std::fegetround();
      has_run = true;
    });
  });
  EXPECT_EQ(stolen, FE_UPWARD);
}

}  // namespace
