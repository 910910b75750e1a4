// Pools come and go, and leave nothing behind: no thread, no descriptor, no memory.
#include <filch/base/calibrated_stress.hpp>
#include <filch/base/long_stress.hpp>
#include <filch/filch.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace {

using filch::thread_pool;

/// What the kernel counts for this process.
struct footprint {
  long threads = 0;
  long descriptors = 0;
  long mappings = 0;
  long resident_kib = 0;
};

long lines_of(const char* path) {
  std::ifstream file{path};
  return std::count(std::istreambuf_iterator<char>{file}, {}, '\n');
}

footprint footprint_now() {
  footprint now;
  std::ifstream status{"/proc/self/status"};
  for (std::string word; status >> word;) {
    if (word == "Threads:") status >> now.threads;
    if (word == "VmRSS:") status >> now.resident_kib;
  }
  now.descriptors = std::distance(std::filesystem::directory_iterator{"/proc/self/fd"}, {});
  now.mappings = lines_of("/proc/self/maps");
  return now;
}

/// Whether nothing grew but what an allocator keeps for later.
bool is_flat(const footprint& before, const footprint& after) {
  return after.threads <= before.threads && after.descriptors <= before.descriptors &&
         after.mappings <= before.mappings + 16 && after.resident_kib <= before.resident_kib + 4096;
}

long fib(int n) {
  if (n < 2) return n;
  const auto [a, b] = filch::join([n] { return fib(n - 1); }, [n] { return fib(n - 2); });
  return a + b;
}

/// Every kind of use that makes something: threads, places, jobs, a spare.
void use(thread_pool& pool, std::atomic<std::uint64_t>& ran) {
  pool.submit([&ran] { filch::blocking([&ran] { ++ran; }); });
  EXPECT_EQ(pool.run([] { return fib(8); }), 21);
}

void cycle(std::uint64_t count, std::atomic<std::uint64_t>& ran) {
  for (std::uint64_t i = 0; i < count; ++i) {
    thread_pool pool({.workers = 1 + static_cast<unsigned>(i % 4)});
    use(pool, ran);
  }
}

TEST(pool_cycles_stress, pools_leave_nothing_behind) {
  std::atomic<std::uint64_t> ran{0};
  constexpr std::uint64_t warm_up = 200;
  cycle(warm_up, ran);
  const footprint before = footprint_now();
  {
    // What this test would notice: a single pool that is not destroyed.
    thread_pool forgotten({.workers = 1});
    use(forgotten, ran);
    const bool is_noticed =
        filch::base::notices("sched.pool_cycles", "a pool that is not destroyed",
                             [&] { return !is_flat(before, footprint_now()); });
    ASSERT_TRUE(is_noticed) << "this stress test would not notice the fault that it exists for";
  }
  const std::uint64_t count = filch::base::long_count(2'000, 100'000);
  cycle(count, ran);
  const footprint after = footprint_now();
  EXPECT_EQ(ran, warm_up + 1 + count);
  EXPECT_TRUE(is_flat(before, after))
      << "threads " << before.threads << " to " << after.threads << ", descriptors "
      << before.descriptors << " to " << after.descriptors << ", mappings " << before.mappings
      << " to " << after.mappings << ", KiB " << before.resident_kib << " to "
      << after.resident_kib;
  filch::base::print_stress_evidence("sched.pool_cycles", count, 4, is_flat(before, after));
}

}  // namespace
