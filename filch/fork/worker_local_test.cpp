#include <filch/algo.hpp>  // whose loops it is for

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <thread>
#include <utility>

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
  const auto kept = own.combine(nullptr, [](std::unique_ptr<int>, std::unique_ptr<int>& each) { return std::move(each); });
  ASSERT_NE(kept, nullptr);
  EXPECT_EQ(*kept, 7);
}

TEST(worker_local, keeps_what_wants_more_than_a_cache_line) {
  struct alignas(256) wide {
    int number = 0;
  };
  thread_pool pool({.workers = 2});
  worker_local<wide> own(pool);
  pool.run([&] { own.local().number = 1; });
  own.for_each([](wide& each) { EXPECT_EQ(reinterpret_cast<std::uintptr_t>(&each) % alignof(wide), 0u); });
}

}  // namespace
