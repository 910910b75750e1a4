// What becomes of a sleep in the context whose timer is refused memory. Asio takes that from `aligned_alloc`.
#include <filch/io/context.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdlib>

namespace {

std::atomic<bool> refuses{false};
std::atomic<int> refused{0};

}  // namespace

extern "C" void* aligned_alloc(std::size_t alignment, std::size_t bytes) {
  if (refuses) {
    ++refused;
    return nullptr;
  }
  void* block = nullptr;
  return ::posix_memalign(&block, alignment, bytes) == 0 ? block : nullptr;
}

namespace filch::io {
namespace {

using namespace std::chrono_literals;

/// How long `in` was slept in for five milliseconds.
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

}  // namespace
}  // namespace filch::io
