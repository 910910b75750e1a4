// A thread watches a busy pool: whenever a slot is free and there is work, a worker searches.
#include <filch/base/calibrated_stress.hpp>
#include <filch/base/rng.hpp>
#include <filch/filch.hpp>
#include <filch/sched/worker/scheduler.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

namespace {

using filch::join;
using filch::thread_pool;
using std::chrono::steady_clock;
using namespace std::chrono_literals;

/// Looks at a pool a thousand times a second for work that waits while a slot is free and no worker
/// searches.
class monitor {
 public:
  explicit monitor(thread_pool& pool) : pool_{pool}, thread_{[this] { watch(); }} {}
  ~monitor() { stop(); }

  /// The most looks in a row that found such a state. As each look needs a processor too, they do
  /// not count a busy machine's time.
  int worst() {
    stop();
    return worst_;
  }
  int looks() const noexcept { return looks_; }

 private:
  void stop() {
    over_ = true;
    if (thread_.joinable()) thread_.join();
  }
  bool is_neglected() const {
    const auto seen = pool_.core().parking().idle().peek();
    const filch::sched::demand& wants = pool_.core().wants();
    return seen.free_slots > 0 && seen.searching == 0 && (wants.is_visible() || wants.forks_wait());
  }
  /// Grows with each reaction to work: a worker that searches has been woken or woke itself from a
  /// timed park, and parks afterwards.
  std::uint64_t care() const {
    const auto total = pool_.metrics().total;
    return total.parks + total.steals_won + total.wakes_sent + total.forced_exposures +
           total.slots_handed_over;
  }
  void watch() {
    int in_a_row = 0;
    std::uint64_t care_before = 0;
    while (!over_) {
      const std::uint64_t care_now = care();
      in_a_row = is_neglected() && care_now == care_before ? in_a_row + 1 : 0;
      care_before = care_now;
      worst_ = std::max(worst_, in_a_row);
      ++looks_;
      std::this_thread::sleep_for(1ms);
    }
  }

  thread_pool& pool_;
  std::atomic<bool> over_{false};
  int worst_ = 0;
  std::atomic<int> looks_{0};
  std::thread thread_;
};

/// Nothing, some computing, a short sleep, or now and then one so long that a fork left alone
/// meanwhile would be noticed.
void leaf(std::uint64_t draw) {
  switch (draw % 8) {
    case 0:
      return std::this_thread::sleep_for(
          draw / 8 % 50 == 0 ? 60ms : std::chrono::microseconds(draw / 8 % 4000));
    case 1:
    case 2: {
      const auto length = std::chrono::microseconds(draw / 8 % 500);
      for (const auto end = steady_clock::now() + length; steady_clock::now() < end;) {
      }
      return;
    }
    default: return;
  }
}

void tree(int depth, std::uint64_t seed) {
  filch::base::split_mix64 random{seed};
  const std::uint64_t draw = random();
  if (depth == 0) return leaf(draw);
  if (draw % 16 == 0) leaf(random());
  const int less = 1 + static_cast<int>(draw / 16 % 2);
  join([depth, seed = random()] { tree(depth - 1, seed); },
       [depth, less, seed = random()] { tree(std::max(0, depth - less), seed); });
}

void one_of_everything(thread_pool& pool, filch::base::split_mix64& random) {
  switch (random() % 5) {
    case 0: return pool.run([&] { tree(9, random()); });
    case 1:
      for (int i = 0; i < 20; ++i) pool.submit([draw = random()] { leaf(draw); });
      return;
    case 2:
      for (int i = 0; i < 3; ++i) {
        pool.submit([draw = random()] {
          filch::blocking(
              [&] { join([&] { leaf(draw); }, [] { std::this_thread::sleep_for(3ms); }); });
        });
      }
      return;
    case 3:
      return pool.run(
          [&] { filch::parallel_for(0, 200, [seed = random()](int i) { leaf(seed / (i + 1)); }); });
    default: {
      filch::task_group group(pool);
      for (int i = 0; i < 10; ++i) group.run([seed = random()] { tree(3, seed); });
      return group.wait();
    }
  }
}

constexpr int looks_allowed = 20;

/// The fault that this test exists for: a job is in a ready queue, and no worker was woken.
void expect_a_neglected_job_is_noticed(std::uint64_t seed) {
  thread_pool pool({.workers = 4, .seed = seed});
  filch::sched::detached_job job{};
  auto& ready = pool.core().parking().all_slots().front().ready;
  monitor watching(pool);
  ready.push(&job);
  const int looked = watching.looks();
  const std::uint64_t begun_ns = filch::base::now_ns();
  while (watching.looks() < looked + 3 * looks_allowed) std::this_thread::sleep_for(1ms);
  const int worst = watching.worst();
  EXPECT_EQ(ready.pop(), &job);
  ASSERT_GE(worst, looks_allowed)
      << "this stress test would not notice the fault that it exists for";
  filch::base::print_calibration_evidence("sched.work_conservation_of_seed_" + std::to_string(seed),
                                          "a job that nobody was told of",
                                          filch::base::now_ns() - begun_ns);
}

TEST(work_conservation, no_work_lies_about_for_long_while_a_slot_is_free) {
  constexpr int looks_wanted = 1000;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    expect_a_neglected_job_is_noticed(seed);
    if (HasFatalFailure()) return;
    thread_pool pool({.workers = 4, .seed = seed});
    monitor watching(pool);
    std::vector<std::thread> callers;
    for (std::uint64_t caller = 0; caller < seed; ++caller) {
      callers.emplace_back([&, caller] {
        filch::base::split_mix64 random{seed * 100 + caller};
        while (watching.looks() < looks_wanted) {
          one_of_everything(pool, random);
          std::this_thread::sleep_for(
              std::chrono::microseconds(random() % 4 == 0 ? random() % 4000 : 0));
        }
      });
    }
    for (auto& each : callers) each.join();
    EXPECT_LT(watching.worst(), looks_allowed) << "seed " << seed;
  }
}

}  // namespace
