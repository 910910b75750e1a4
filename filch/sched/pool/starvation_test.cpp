// Pools whose threads all wait while a job is queued say so, and where they wait.
#include <filch/co.hpp>
#include <filch/fork.hpp>
#include <filch/metrics.hpp>
#include <filch/starvation.hpp>
#include <filch/stop.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <semaphore>
#include <sstream>
#include <thread>

namespace {

using namespace filch;
using namespace std::chrono_literals;

std::atomic<int> reports{0};
starvation_report last;

void keep(const starvation_report& found) noexcept {
  last = found;
  reports.fetch_add(1);
}

bool comes_within(std::chrono::seconds limit, const auto& condition) {
  const auto end = std::chrono::steady_clock::now() + limit;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(10ms);
  }
  return true;
}

/// Jobs that wait, one more than there are threads, for one behind them.
class waiting_jobs {
 public:
  waiting_jobs(thread_pool& pool, int threads) {
    for (int i = 0; i < threads; ++i) {
      pool.submit([this] {
        blocking([this] { opened_.acquire(); });
        ended_.fetch_add(1);
      });
    }
    pool.submit([this] { ended_.fetch_add(1); });
  }
  void open(int threads) { opened_.release(threads); }
  int ended() const { return ended_; }

 private:
  std::counting_semaphore<> opened_{0};
  std::atomic<int> ended_{0};
};

pool_options small(unsigned workers) {
  return {.workers = workers, .max_spares = 2, .on_starvation = keep};
}

TEST(starvation, is_reported_once_with_where_each_thread_waits) {
  reports = 0;
  thread_pool pool(small(2));
  waiting_jobs jobs(pool, 4);
  EXPECT_TRUE(comes_within(10s, [] { return reports == 1; }));
  EXPECT_EQ(last.thread_count, 4u);
  EXPECT_EQ(last.waiting.size(), 1u);
  for (const std::string part : {"4 x ", "waiting_jobs", "starvation_test+0x"})
    EXPECT_NE(to_string(last).find(part), std::string::npos) << part << " in " << to_string(last);
  EXPECT_EQ(pool.metrics().starvations, 1u);
  std::ostringstream page;
  write_prometheus(page, pool);
  EXPECT_NE(page.str().find("filch_starvations_total"), std::string::npos);
  std::this_thread::sleep_for(1700ms);
  EXPECT_EQ(reports, 1);  // nothing has changed
  jobs.open(4);
  EXPECT_TRUE(comes_within(10s, [&] { return jobs.ended() == 5; }));
}

TEST(starvation, is_reported_again_where_jobs_have_begun_since) {
  reports = 0;
  thread_pool pool(small(1));
  for (int round = 1; round <= 2; ++round) {
    waiting_jobs jobs(pool, 3);
    EXPECT_TRUE(comes_within(10s, [&] { return reports == round; }));
    jobs.open(3);
    EXPECT_TRUE(comes_within(10s, [&] { return jobs.ended() == 4; }));
  }
}

// One waits for a job of its group, which the other one has taken and which waits for a job behind
// them.
TEST(starvation, tells_of_waits_for_a_group) {
  reports = 0;
  std::binary_semaphore opened{0};
  std::atomic<bool> is_taken{false}, ended{false};
  thread_pool pool(pool_options{.workers = 2, .max_spares = 0, .on_starvation = keep});
  pool.submit([&] {
    task_group group;
    group.run([&] {
      is_taken = true;
      blocking([&] { opened.acquire(); });
    });
    while (!is_taken) std::this_thread::yield();
    pool.submit([&] { ended = true; });
    group.wait();
  });
  EXPECT_TRUE(comes_within(10s, [] { return reports == 1; }));
  EXPECT_EQ(last.waiting.size(), 2u);
  opened.release();
  EXPECT_TRUE(comes_within(10s, [&] { return ended.load(); }));
}

// Two of three threads wait, and the third one may come to the job that is queued.
TEST(starvation, is_not_reported_while_a_thread_computes) {
  reports = 0;
  std::atomic<bool> computes{false}, ends{false};
  thread_pool pool(pool_options{.workers = 2, .max_spares = 1, .on_starvation = keep});
  pool.submit([&] {
    for (computes = true; !ends;) std::this_thread::yield();
  });
  while (!computes) std::this_thread::yield();
  waiting_jobs jobs(pool, 2);
  EXPECT_FALSE(comes_within(3s, [] { return reports != 0; }));
  EXPECT_EQ(jobs.ended(), 0);
  ends = true;
  EXPECT_TRUE(comes_within(10s, [&] { return jobs.ended() == 1; }));
  jobs.open(2);
  EXPECT_TRUE(comes_within(10s, [&] { return jobs.ended() == 3; }));
}

TEST(starvation, is_not_reported_of_waits_that_hold_up_nothing) {
  reports = 0;
  std::counting_semaphore<> opened{0};
  thread_pool pool(small(1));
  for (int i = 0; i < 3; ++i) pool.submit([&] { blocking([&] { opened.acquire(); }); });
  EXPECT_FALSE(comes_within(3s, [] { return reports != 0; }));
  opened.release(3);
}

TEST(starvation, is_in_what_stop_reports) {
  std::counting_semaphore<> opened{0};
  thread_pool pool(small(2));
  for (int i = 0; i < 2; ++i) pool.submit([&] { blocking([&] { opened.acquire(); }); });
  const stop_report report = pool.stop(100ms, 100ms);
  EXPECT_EQ(report.abandoned, 2u);
  ASSERT_EQ(report.waiting.size(), 1u);
  EXPECT_EQ(report.waiting[0].count, 2u);
  EXPECT_NE(to_string(report).find("2 wait in "), std::string::npos) << to_string(report);
  opened.release(2);
}

task<> nothing() { co_return; }

// Each waits for a task of the lowest priority, which comes after all of them: this hangs for good.
TEST(starvation, is_printed_where_nobody_handles_it) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        thread_pool pool({.workers = 1, .max_spares = 2});
        std::atomic<bool> all_submitted{false};
        for (int i = 0; i < 3; ++i) {
          pool.submit([&] {
            while (!all_submitted) std::this_thread::yield();
            block_on(spawn(with(pool, priority::background), nothing()));
          });
        }
        all_submitted = true;
        comes_within(10s, [&] { return pool.metrics().starvations == 1; });
        std::this_thread::sleep_for(100ms);
        std::_Exit(3);
      },
      testing::ExitedWithCode(3),
      "filch: pool . is starved: for a second all of its 3 threads have waited.*3 x "
      ".*starvation_test.0x.*max_spares");
}

TEST(starvation, of_a_pool_with_one_thread_is_told_in_the_singular) {
  const std::string told = to_string(starvation_report{3, 1, {}});
  EXPECT_TRUE(told.starts_with("pool 3 is starved: for a second its one thread has waited, jobs"))
      << told;
}

// A program whose end hangs says in what.
TEST(starvation, of_a_destructor_is_told_after_some_seconds) {
  testing::internal::CaptureStderr();
  std::counting_semaphore<> opened{0};
  std::thread opens([&] {
    std::this_thread::sleep_for(6s);
    opened.release();
  });
  {
    thread_pool pool(small(2));
    pool.submit([&] { blocking([&] { opened.acquire(); }); });
  }
  opens.join();
  const std::string told = testing::internal::GetCapturedStderr();
  EXPECT_NE(told.find("has waited for 5 seconds and waits on: 1 jobs or tasks have not ended (1 "
                      "without a name), 1 waits in "),
            std::string::npos)
      << told;
}

}  // namespace
