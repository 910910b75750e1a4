#include <filch/algo.hpp>  // whose loops it is for

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <numeric>
#include <ranges>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

namespace {

using filch::thread_pool;
using filch::worker_local;

TEST(worker_local, combines_all) {
  thread_pool pool({.workers = 3});
  worker_local<long> sums(pool);
  pool.run([&] { filch::parallel_for(1, 10'001, [&](int i) { sums.local() += i; }); });
  EXPECT_EQ(sums.combine(0L, [](long a, long b) { return a + b; }), 10'000L * 10'001 / 2);
}

TEST(worker_local, gives_each_worker_its_own) {
  thread_pool pool({.workers = 2});
  worker_local<int> own(pool);
  std::atomic<int> here{0};
  const auto local_of_two = [&] {  // each waits for the other: so there are two workers
    int* const mine = &own.local();
    for (++here; here != 2;) std::this_thread::yield();
    EXPECT_EQ(&own.local(), mine);
    return mine;
  };
  const auto [left, right] = pool.run([&] { return filch::join(local_of_two, local_of_two); });
  EXPECT_NE(left, right);
  int cells = 0;
  own.for_each([&](int&) { ++cells; });
  EXPECT_EQ(cells, 2);
}

TEST(worker_local, keeps_what_can_only_be_moved) {
  thread_pool pool({.workers = 2});
  worker_local<std::unique_ptr<int>> own(pool);
  pool.run([&] { own.local() = std::make_unique<int>(7); });
  const auto kept = own.combine(
      nullptr, [](std::unique_ptr<int>, std::unique_ptr<int>& each) { return std::move(each); });
  ASSERT_NE(kept, nullptr);
  EXPECT_EQ(*kept, 7);
}

TEST(worker_local, begins_with_what_the_program_says) {
  struct fixed {  // neither made without an argument nor moved
    explicit fixed(int begin) : number{begin} {}
    fixed(const fixed&) = delete;
    fixed& operator=(const fixed&) = delete;
    int number;
  };
  thread_pool pool({.workers = 2});
  worker_local<fixed> own(pool, [] { return fixed{5}; });
  EXPECT_TRUE(own.empty());
  pool.run([&] { own.local().number += 2; });
  EXPECT_EQ(own.size(), 1u);
  for (fixed& each : own) EXPECT_EQ(each.number, 7);
  own.clear();
  EXPECT_EQ(own.size(), 0u);
  EXPECT_EQ(pool.run([&] { return own.local().number; }), 5);
}

TEST(worker_local, is_a_range_of_what_has_been_made) {
  thread_pool pool({.workers = 4});
  worker_local<int> own(pool);
  std::atomic<int> here{0};
  const auto add_with_others = [&] {
    own.local() = 1;
    for (++here; here != 3;) std::this_thread::yield();
  };
  pool.run([&] { filch::join(add_with_others, add_with_others, add_with_others); });
  std::thread([&] { own.local() = 10; }).join();  // of a thread that is not in the pool
  static_assert(std::ranges::forward_range<worker_local<int>>);
  EXPECT_EQ(std::ranges::distance(own), 4);
  EXPECT_EQ(std::accumulate(own.begin(), own.end(), 0), 13);
  const worker_local<int>& fixed = own;
  EXPECT_EQ(std::accumulate(fixed.begin(), fixed.end(), 0), 13);
}

TEST(worker_local, combines_without_a_start_and_moves) {
  thread_pool pool({.workers = 2});
  worker_local<std::vector<int>> own(pool);
  const auto append = [](std::vector<int> all, std::vector<int> more) {
    all.insert(all.end(), more.begin(), more.end());
    return all;
  };
  EXPECT_TRUE(own.combine(append).empty());
  const int* where = nullptr;
  pool.run([&] {
    own.local() = {1, 2, 3};
    where = own.local().data();
  });
  const std::vector<int> all = own.combine(append);
  EXPECT_EQ(all, (std::vector{1, 2, 3}));
  EXPECT_EQ(all.data(), where);  // moved, not copied
  worker_local<int> counts(pool);
  pool.run([&] { filch::parallel_for(0, 1000, [&](int) { ++counts.local(); }); });
  EXPECT_EQ(counts.combine(std::plus<>{}), 1000);
}

TEST(worker_local, tells_what_its_initial_value_throws) {
  thread_pool pool({.workers = 2});
  worker_local<int> own(with(pool), []() -> int { throw std::runtime_error("no value"); });
  EXPECT_THROW(pool.run([&] { own.local(); }), std::runtime_error);
  EXPECT_EQ(own.size(), 0u);
}

TEST(worker_local, keeps_what_wants_more_than_a_cache_line) {
  struct alignas(256) wide {
    int number = 0;
  };
  thread_pool pool({.workers = 2});
  worker_local<wide> own(pool);
  pool.run([&] { own.local().number = 1; });
  own.for_each(
      [](wide& each) { EXPECT_EQ(reinterpret_cast<std::uintptr_t>(&each) % alignof(wide), 0u); });
}

}  // namespace
