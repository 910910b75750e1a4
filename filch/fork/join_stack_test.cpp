// How deep joins nest, and what is said when a stack is full.
#include <filch/base/sanitized_test.hpp>
#include <filch/fork.hpp>
#include <filch/fork/join_on_test.hpp>

#include <gtest/gtest.h>

#include <pthread.h>

#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <functional>
#include <thread>

namespace {

using filch::join;
using filch::join_on;
using filch::thread_pool;
using filch::base::is_sanitized;

/// Calls `f` on a thread with a stack of eight MiB, whatever limit this process was given.
void on_eight_mib(std::function<void()> f) {
  pthread_attr_t attributes;
  ::pthread_attr_init(&attributes);
  ASSERT_EQ(::pthread_attr_setstacksize(&attributes, std::size_t{8} << 20), 0);
  pthread_t thread;
  const auto call = [](void* given) -> void* {
    (*static_cast<std::function<void()>*>(given))();
    return nullptr;
  };
  ASSERT_EQ(::pthread_create(&thread, &attributes, call, &f), 0);
  ::pthread_join(thread, nullptr);
  ::pthread_attr_destroy(&attributes);
}

/// Goes `n` levels down by what `fork` makes of the call one level deeper, and counts them on the
/// way back.
template <class Fork>
int descend(int n, const Fork& fork) {
  if (n == 0) return 0;
  int below = 0;
  fork([&below, &fork, n] { below = descend(n - 1, fork); });
  return below + 1;
}

// An external thread computes on its own stack.
TEST_P(join_on, nests_a_hundred_thousand_deep_where_plain_recursion_does) {
  // A sanitizer's frames took eight MiB by 10'000 in one run of fifteen
  constexpr int depth = is_sanitized ? 3'000 : 100'000;
  int serial = 0;
  int joined = 0;
  on_eight_mib([&] {
    serial = descend(depth, [](auto&& deeper) {
      deeper();
      asm volatile("" : : "r"(&deeper) : "memory");  // no loop in its place
    });
  });
  on_eight_mib([&] {
    joined = pool.run([] { return descend(depth, [](auto&& deeper) { join(deeper, [] {}); }); });
  });
  EXPECT_EQ(serial, depth);
  EXPECT_EQ(joined, depth);
}

/// Recurses without end, in frames of a kilobyte.
int descend_for_ever(int n) {
  volatile char frame[1024];
  frame[n % 1024] = static_cast<char>(n);
  auto [left, right] = join([n] { return descend_for_ever(n + 1); }, [] { return 1; });
  return left + right + frame[n % 1024];
}

// With the stack of a worker or of an external thread.
TEST(join, says_how_deep_it_was_when_the_stack_is_full) {
  if (is_sanitized) GTEST_SKIP() << "a sanitizer handles the signal";
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  constexpr const char* said =
      "filch: the stack of this thread .[0-9]+ KiB. is full, [0-9]+ forks deep";
  EXPECT_EXIT(
      {
        thread_pool pool({.workers = 1});
        on_eight_mib([&] { pool.run([] { descend_for_ever(0); }); });
      },
      testing::KilledBySignal(SIGSEGV), said);
  EXPECT_EXIT(
      {
        thread_pool pool({.workers = 1, .stack_bytes = 1 << 20});
        pool.submit([] { descend_for_ever(0); });
        std::this_thread::sleep_for(std::chrono::seconds(10));
      },
      testing::KilledBySignal(SIGSEGV), said);
}

void write_nowhere() {
  volatile std::uintptr_t nowhere = 64;
  *reinterpret_cast<volatile int*>(nowhere) = 1;
}

TEST(join, leaves_other_faults_and_other_handlers_alone) {
  if (is_sanitized) GTEST_SKIP() << "a sanitizer handles the signal";
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        thread_pool pool({.workers = 1});
        pool.run(write_nowhere);
      },
      testing::KilledBySignal(SIGSEGV), "^$");
  EXPECT_EXIT(
      {
        thread_pool pool({.workers = 1});
        pool.run([] { std::raise(SIGSEGV); });
      },
      testing::KilledBySignal(SIGSEGV), "^$");
  EXPECT_EXIT(
      {
        std::signal(SIGSEGV, [](int) { std::_Exit(7); });
        thread_pool pool({.workers = 1});
        pool.run(write_nowhere);
      },
      testing::ExitedWithCode(7), "^$");
}

}  // namespace
