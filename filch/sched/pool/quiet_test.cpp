// Without work no thread runs, and with much work two run at once: measured in time.
#include <filch/filch.hpp>

#include <gtest/gtest.h>

#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <future>
#include <thread>
#include <vector>

namespace {

using filch::thread_pool;
using std::chrono::steady_clock;
using namespace std::chrono_literals;

void busy(steady_clock::duration length) {
  for (const auto end = steady_clock::now() + length; steady_clock::now() < end;) {
  }
}

rusage usage() {
  rusage read{};
  ::getrusage(RUSAGE_SELF, &read);
  return read;
}
double cpu_seconds(const rusage& read) {
  return static_cast<double>(read.ru_utime.tv_sec + read.ru_stime.tv_sec) +
         1e-6 * static_cast<double>(read.ru_utime.tv_usec + read.ru_stime.tv_usec);
}

TEST(quiet, an_idle_pool_uses_no_cpu_and_switches_no_context) {
  thread_pool pool({.workers = 2});
  pool.warm_up();
  pool.run([] { filch::parallel_for(0, 100'000, [](int) { asm volatile(""); }); });
  std::this_thread::sleep_for(1500ms);
  const rusage before = usage();
  const auto parks = pool.metrics().total.parks;
  std::this_thread::sleep_for(2s);
  const rusage after = usage();
  EXPECT_EQ(pool.metrics().total.parks, parks);
  EXPECT_LT(cpu_seconds(after) - cpu_seconds(before), 0.002);
  EXPECT_LE(after.ru_nvcsw - before.ru_nvcsw, 4);  // this thread's own sleep
}

TEST(quiet, others_sleep_while_one_worker_runs_a_long_job) {
  thread_pool pool({.workers = 4});
  pool.warm_up();
  pool.run([] {
    busy(200ms);
    const auto before = filch::this_pool()->metrics().total;
    busy(1s);
    const auto after = filch::this_pool()->metrics().total;
    EXPECT_LE(after.parks - before.parks, 2u);
    EXPECT_LT(after.seconds_searching - before.seconds_searching, 0.01);
  });
}

TEST(quiet, two_long_leaves_run_side_by_side_whatever_the_pool_did_before) {
  if (std::thread::hardware_concurrency() < 2)
    GTEST_SKIP() << "one processor cannot run two leaves at once";
  thread_pool pool({.workers = 2});
  std::vector<steady_clock::duration> late;
  for (int round = 0; round < 15; ++round) {
    std::this_thread::sleep_for(round % 3 * 10ms);
    steady_clock::time_point begun[2];
    const auto leaf = [&](int side) { begun[side] = steady_clock::now(), busy(50ms); };
    pool.run([&] { filch::join([&] { leaf(0); }, [&] { leaf(1); }); });
    late.push_back(begun[1] - begun[0]);
  }
  std::nth_element(late.begin(), late.begin() + 7, late.end());
  // The bar is 57 ms for both (bench/leaves measures it), so 7 here; one after the other they begin
  // 50 apart. How long both take other programs decide, too.
  EXPECT_LT(late[7], 30ms);
}

/// Lines of memory that belong to all links of a chain, each of which tells where the next lies.
struct shared_lines {
  struct alignas(64) line {
    std::size_t next;
    long count = 0;
  };
  std::array<line, 32> lines;
  shared_lines() {
    for (std::size_t i = 0; i < lines.size(); ++i) lines[i].next = (i + 5) % lines.size();
  }
  void count() {
    std::size_t at = 0;
    for (std::size_t i = 0; i < lines.size(); ++i) ++lines[at].count, at = lines[at].next;
  }
};

/// Counts, and leaves the next link behind.
void run_links(shared_lines& data, int left, std::promise<void>& done) {
  data.count();
  if (left == 0) return done.set_value();
  filch::this_pool()->submit([&data, left, &done] { run_links(data, left - 1, done); });
}

// A stolen link takes some microseconds, as all its cache lines must follow it to the thief. On its
// owner it takes next to nothing.
TEST(quiet, the_only_job_of_a_queue_is_left_to_its_owner) {
  constexpr int links = 500'000;
  shared_lines data;
  std::promise<void> done;
  thread_pool pool({.workers = 2});
  pool.warm_up();
  pool.submit([&] { run_links(data, links, done); });
  // A test that looked now and then would preempt the owner, with its next link in the queue
  done.get_future().wait();
  EXPECT_EQ(data.lines[0].count, links + 1);
  EXPECT_LT(pool.metrics().total.ready_stolen, links / 5'000u);
}

}  // namespace
