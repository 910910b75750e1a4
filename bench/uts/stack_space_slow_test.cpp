// The stacks of all workers together take no more than that many serial runs would: S_P <= P S_1,
// and a page for each thread.
#include <bench/uts/filch.hpp>
#include <gtest/gtest.h>

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <numeric>
#include <optional>
#include <thread>
#include <vector>

namespace {

constexpr std::size_t page_bytes = 4096;

/// The stack of a thread from here on down, painted, so that it can be seen how much of it was used
/// afterwards.
class painted_stack {
 public:
  /// Paints what lies below the caller's frame. Threads: the one whose stack it is, and only while
  /// it lasts.
  [[gnu::noinline]] painted_stack() {
    // And what a signal handler may use without notice
    constexpr std::size_t own_frame_bytes = 512;
    constexpr std::size_t most_bytes = std::size_t{4} << 20;  // many times what the tree needs
    auto* const here = static_cast<std::byte*>(__builtin_frame_address(0));
    auto* const high = here - own_frame_bytes;
    high_ = reinterpret_cast<word*>(high - reinterpret_cast<std::uintptr_t>(high) % sizeof(word));
    low_ = std::max(reinterpret_cast<word*>(lowest_address()), high_ - most_bytes / sizeof(word));
    for (word* each = high_; each != low_;) *--each = paint;
  }
  /// Threads: any, while the owner uses less of the stack than it did.
  std::size_t used_bytes() const noexcept {
    return static_cast<std::size_t>(
               high_ -
               std::find_if(low_, high_, [](std::uint64_t seen) { return seen != paint; })) *
           sizeof(word);
  }

 private:
  using word = volatile std::uint64_t;
  static constexpr std::uint64_t paint = 0x5ca1'ab1e'0dd5'70cc;

  static std::byte* lowest_address() {
    pthread_attr_t attributes;
    void* lowest = nullptr;
    std::size_t stack_bytes = 0;
    std::size_t guard_bytes = 0;
    ::pthread_getattr_np(::pthread_self(), &attributes);
    ::pthread_attr_getstack(&attributes, &lowest, &stack_bytes);
    ::pthread_attr_getguardsize(&attributes, &guard_bytes);
    ::pthread_attr_destroy(&attributes);
    return static_cast<std::byte*>(lowest) + guard_bytes;
  }

  word* low_;
  word* high_;
};

/// Calls `f` once on every thread the pool can have: each waits until all have come, so that the
/// pool must start the last one.
void on_every_thread(filch::thread_pool& pool, unsigned thread_count,
                     const std::function<void()>& f) {
  std::atomic<unsigned> here{0};
  std::atomic<unsigned> left{0};
  for (unsigned i = 0; i < thread_count; ++i) {
    pool.submit([&] {
      filch::blocking([&] {
        f();
        for (++here; here < thread_count;)
          std::this_thread::sleep_for(std::chrono::microseconds(100));
      });
      ++left;
    });
  }
  while (left < thread_count) std::this_thread::sleep_for(std::chrono::microseconds(100));
}

/// How many bytes of its stack each thread that ran anything used while `workers` of them at a time
/// did `work`.
std::vector<std::size_t> stack_bytes_of_threads(unsigned workers,
                                                const std::function<void()>& work) {
  static thread_local std::optional<painted_stack> mine;
  const unsigned spares = workers == 1 ? 0 : 12;
  filch::thread_pool pool({.workers = workers, .max_spares = spares});
  std::mutex lock;
  std::vector<const painted_stack*> stacks;
  on_every_thread(pool, workers + spares, [&] {
    mine.emplace();
    const std::lock_guard hold{lock};
    stacks.push_back(&*mine);
  });
  std::atomic<bool> done{false};
  pool.submit([&] {
    work();
    done = true;
  });
  while (!done) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  std::vector<std::size_t> used;
  for (const painted_stack* each : stacks) {
    if (each->used_bytes() > 0) used.push_back(each->used_bytes());
  }
  return used;
}

// Even the sum of what each thread ever used, at different times, stays within the bound for what
// is in use at once.
TEST(stack_space, of_t3_on_p_workers_is_at_most_p_times_that_of_one_and_a_page_a_thread) {
  const auto& t3 = bench::uts::sample("T3");
  const auto search = [&] { EXPECT_EQ(check(t3, bench::uts::on_filch(t3.parameters)), ""); };
  const std::size_t serial_bytes = stack_bytes_of_threads(1, search).at(0);
  ASSERT_GT(serial_bytes, 1572 * sizeof(bench::uts::node))
      << "less than the nodes on the deepest path";
  for (const unsigned workers : {2u, 4u}) {
    for (int run = 0; run < 3; ++run) {
      const std::vector<std::size_t> used = stack_bytes_of_threads(workers, search);
      const std::size_t all_bytes = std::accumulate(used.begin(), used.end(), std::size_t{0});
      EXPECT_LE(all_bytes, workers * serial_bytes + used.size() * page_bytes)
          << workers << " workers; one needs " << serial_bytes << ", here the threads used "
          << testing::PrintToString(used);
    }
  }
}

/// A little tree whose leaves sleep, so that its joins find their other side stolen and not done.
void slow_tree(int depth) {
  if (depth == 0) return std::this_thread::sleep_for(std::chrono::microseconds(500));
  filch::join([depth] { slow_tree(depth - 1); }, [depth] { slow_tree(depth - 1); });
}

/// `slow_tree` with much on the stack around it.
[[gnu::noinline]] void dive(int depth) {
  std::byte ballast[256];
  asm volatile("" : : "r"(ballast) : "memory");
  if (depth == 0) {
    slow_tree(3);
  } else {
    dive(depth - 1);
  }
  asm volatile("" : : "r"(ballast) : "memory");
}

/// So that there is always something unrelated to be had, and for everybody to see.
void dive_often(int count) {
  std::atomic<int> left{count};
  for (int i = 0; i < count; ++i) {
    filch::this_pool()->submit([&left] {
      dive(500);
      --left;
    });
  }
  filch::blocking([&left] {
    while (left > 0) std::this_thread::sleep_for(std::chrono::microseconds(100));
  });
}

// A thread that waits deep down and begins unrelated work would have both on its stack.
TEST(stack_space, of_one_thread_is_never_more_than_that_of_a_serial_run_and_a_page) {
  const std::size_t serial_bytes = stack_bytes_of_threads(1, [] { dive(500); }).at(0);
  ASSERT_GT(serial_bytes, 500 * 256);
  const std::vector<std::size_t> used = stack_bytes_of_threads(4, [] { dive_often(100); });
  for (const std::size_t bytes : used) {
    EXPECT_LE(bytes, serial_bytes + page_bytes) << testing::PrintToString(used);
  }
}

}  // namespace
