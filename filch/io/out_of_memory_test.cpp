// What Asio takes memory for, from `aligned_alloc`, and what happens if that is refused.
#include <filch/co.hpp>
#include <filch/io.hpp>

#include <asio/steady_timer.hpp>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <new>

namespace {

std::atomic<bool> refuses{false};
std::atomic<int> refused{0}, taken{0};

}  // namespace

extern "C" void* aligned_alloc(std::size_t alignment, std::size_t bytes) {
  if (refuses) {
    ++refused;
    return nullptr;
  }
  ++taken;
  void* block = nullptr;
  return ::posix_memalign(&block, alignment, bytes) == 0 ? block : nullptr;
}

namespace filch::inline v0_2::io {
namespace {

using namespace std::chrono_literals;

/// How long a wait of five milliseconds in `in` lasted.
auto sleep_in(context& in) {
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_FALSE(in.wait_for(std::uint64_t{5'000'000}));
  return std::chrono::steady_clock::now() - begin;
}

TEST(io_out_of_memory, a_sleep_whose_timer_is_refused_takes_its_time_all_the_same) {
  context io;
  EXPECT_GE(sleep_in(io), 5ms);
  refuses = true;
  const auto slept = sleep_in(io);
  refuses = false;
  EXPECT_GT(refused, 0) << "Asio has taken its memory from somewhere else";
  EXPECT_GE(slept, 5ms);
  EXPECT_GE(sleep_in(io), 5ms);
}

task<> wait_often(context& io, int times) {
  asio::steady_timer timer{io.executor()};
  for (int i = 0; i < times; ++i) {
    timer.expires_after(0ms);
    co_await timer.async_wait(awaiting{io});
  }
}

/// A pool of one worker that sleeps in a context.
struct attached_pool {
  attached_pool() { io.attach(pool); }
  void wait(int times) { block_on(spawn(pool, wait_often(io, times))); }
  context io;
  thread_pool pool{pool_options{.workers = 1}};
};

TEST(io_out_of_memory, what_cancels_an_operation_takes_no_memory_but_the_first_time) {
  attached_pool attached;
  attached.wait(20);
  const int before = taken;
  attached.wait(1000);
  EXPECT_LT(taken - before, 100) << "of a thousand";
}

TEST(io_out_of_memory, an_operation_that_is_refused_memory_says_so_and_has_not_begun) {
  attached_pool attached;
  attached.pool.warm_up();
  refuses = true;
  EXPECT_THROW(attached.wait(1), std::bad_alloc);
  refuses = false;
  attached.wait(1);
}

}  // namespace
}  // namespace filch::io
