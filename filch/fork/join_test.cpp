#include <filch/base/sanitized_test.hpp>
#include <filch/fork.hpp>
#include <filch/testing/other_side_test.hpp>

#include <gtest/gtest.h>

#include <pthread.h>

#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <thread>

namespace {

using filch::join;
using filch::thread_pool;
using filch::base::is_sanitized;

/// Every claim holds alone, in company, and with more workers than cores.
class join_on : public testing::TestWithParam<unsigned> {
 protected:
  thread_pool pool{{.workers = GetParam()}};
};
INSTANTIATE_TEST_SUITE_P(workers, join_on, testing::Values(1u, 2u, 5u));

/// Returns when `flag` is set. A test that would wait forever fails at ctest's time limit.
void await(const std::atomic<bool>& flag) {
  while (!flag.load()) std::this_thread::yield();
}

/// For the left side of a fork: waits until the right side sets `flag`, on another thread.
void await_right(const std::atomic<bool>& flag, std::chrono::steady_clock::time_point before_fork) {
  filch::testing::await_other_side(before_fork, [&] { return flag.load(); });
}

long fib(unsigned n) {
  if (n < 2) return n;
  const auto [a, b] = join([n] { return fib(n - 1); }, [n] { return fib(n - 2); });
  return a + b;
}

TEST_P(join_on, returns_both_results_in_order) {
  const auto [one, two] =
      pool.run([] { return join([] { return 1; }, [] { return std::string("two"); }); });
  EXPECT_EQ(one, 1);
  EXPECT_EQ(two, "two");
}

TEST_P(join_on, takes_any_number_of_closures) {
  const auto [a, b, c, d] =
      pool.run([] { return join([] { return 1; }, [] {}, [] { return 3L; }, [] { return 'd'; }); });
  EXPECT_EQ(a, 1);
  EXPECT_EQ(b, std::monostate{});
  EXPECT_EQ(c, 3L);
  EXPECT_EQ(d, 'd');
}

/// Joins `right` with a left side that waits until it has begun: a thief runs it, if there is any.
template <class F>
void join_with_a_thief(thread_pool& pool, std::atomic<bool>& begun, F&& right) {
  pool.run([&] {
    join(
        [&] {
          if (pool.concurrency() > 1) await(begun);
        },
        std::forward<F>(right));
  });
}

TEST_P(join_on, a_named_closure_keeps_what_its_call_changed) {
  struct counter {
    std::atomic<bool>* begun;
    int calls = 0;
    void operator()() {
      *begun = true;
      ++calls;
    }
  };
  static_assert(std::is_trivially_copyable_v<counter>,
                "as closures are that may be copied when they are temporaries");
  std::atomic<bool> begun{false};
  counter named{&begun};
  join_with_a_thief(pool, begun, named);
  EXPECT_EQ(named.calls, 1);
}

int one() { return 1; }
int two() { return 2; }

TEST_P(join_on, takes_plain_functions) {
  const auto [a, b] = pool.run([] { return join(one, &two); });
  EXPECT_EQ(a + b, 3);
}

TEST_P(join_on, takes_a_temporary_that_moves_trivially_but_cannot_be_copied) {
  struct only_moved {
    only_moved() = default;
    only_moved(const only_moved&) = delete;
    only_moved(only_moved&&) = default;
    int operator()() { return 5; }
  };
  static_assert(std::is_trivially_copyable_v<only_moved>);
  const auto [a, b] = pool.run([] { return join(only_moved{}, only_moved{}); });
  EXPECT_EQ(a + b, 10);
}

TEST_P(join_on, a_closure_that_cannot_be_copied_or_is_large_arrives_whole) {
  std::atomic<bool> begun{false};
  int seen = 0;
  join_with_a_thief(pool, begun, [&, only = std::make_unique<int>(7)] {
    begun = true;
    seen = *only;
  });
  EXPECT_EQ(seen, 7);
  begun = false;
  std::array<int, 64> large{};
  large.back() = 8;
  join_with_a_thief(pool, begun, [&begun, &seen, large] {
    begun = true;
    seen = large.back();
  });
  EXPECT_EQ(seen, 8);
}

TEST_P(join_on, moves_results_that_cannot_be_copied) {
  auto [a, b] = pool.run([] {
    return join([] { return std::make_unique<int>(1); }, [] { return std::make_unique<int>(2); });
  });
  EXPECT_EQ(*a + *b, 3);
}

TEST_P(join_on, computes_a_deep_tree) {
  EXPECT_EQ(pool.run([] { return fib(25); }), 75025);
}

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

TEST(join, does_not_begin_the_right_side_after_the_left_one_threw) {
  thread_pool pool({.workers = 1});
  bool right_ran = false;
  EXPECT_THROW(pool.run([&] { join([] { throw 1; }, [&] { right_ran = true; }); }), int);
  EXPECT_THROW(pool.run([&] { join([] {}, [] { throw 1; }, [&] { right_ran = true; }); }), int);
  EXPECT_FALSE(right_ran);
}

TEST_P(join_on, waits_for_a_right_side_that_has_begun_when_the_left_one_throws) {
  if (GetParam() == 1) return;
  std::atomic<bool> begun{false}, has_ended{false};
  const auto throws_late = [&] {
    await(begun);
    throw 1;
  };
  const auto right = [&] {
    begun = true;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    has_ended = true;
  };
  EXPECT_THROW(pool.run([&] { join(throws_late, right); }), int);
  EXPECT_TRUE(has_ended);
}

TEST_P(join_on, rethrows_what_the_left_side_throws_though_the_right_one_forked_in_its_place) {
  const auto sum_of_forks = [] { return fib(10); };
  const auto throws = []() -> long { throw 7; };
  EXPECT_THROW(pool.run([&] { join(throws, sum_of_forks); }), int);
  EXPECT_THROW(pool.run([&] { join([&] { return join(throws, sum_of_forks); }, sum_of_forks); }),
               int);
}

TEST_P(join_on, rethrows_what_the_right_side_throws_after_the_left_one_ran) {
  std::atomic<bool> left_ran{false};
  EXPECT_THROW(pool.run([&] { join([&] { left_ran = true; }, [] { throw 2; }); }), int);
  EXPECT_TRUE(left_ran);
}

TEST_P(join_on, lets_the_leftmost_of_several_exceptions_win) {
  for (int round = 0; round < 200; ++round) {
    try {
      pool.run([] { join([] {}, [] { throw 2; }, [] { throw 3; }, [] { throw 4; }); });
      FAIL() << "nothing was thrown";
    } catch (int thrown) {
      EXPECT_EQ(thrown, 2);
    }
  }
}

TEST(join, carries_an_exception_home_from_a_stolen_job) {
  thread_pool pool({.workers = 2});
  for (int round = 0; round < 50; ++round) {
    std::atomic<bool> stolen{false};
    const auto here = std::this_thread::get_id();
    try {
      pool.run([&] {
        join([&,
              before_fork = std::chrono::steady_clock::now()] { await_right(stolen, before_fork); },
             [&] {
               EXPECT_NE(std::this_thread::get_id(), here);
               stolen = true;
               throw std::string("from afar");
             });
      });
      FAIL() << "nothing was thrown";
    } catch (const std::string& thrown) {
      EXPECT_EQ(thrown, "from afar");
    }
  }
}

TEST(join_death_test, a_thread_that_ends_in_the_left_side_ends_the_process) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_DEATH(join([] { pthread_exit(nullptr); }, [] {}), "");
}

TEST(join, drops_the_stolen_result_when_the_left_side_throws) {
  thread_pool pool({.workers = 2});
  const auto witness = std::make_shared<int>(7);
  for (int round = 0; round < 50; ++round) {
    std::atomic<bool> stolen{false};
    EXPECT_THROW(pool.run([&] {
      join(
          [&, before_fork = std::chrono::steady_clock::now()] {
            await_right(stolen, before_fork);
            throw 1;
          },
          [&] {
            stolen = true;
            return witness;
          });
    }),
                 int);
  }
  EXPECT_EQ(witness.use_count(), 1);
}

TEST(join, destroys_each_capture_once_also_when_its_destructor_throws) {
  static std::atomic<int> alive{0};
  struct thrower {
    thrower() { ++alive; }
    thrower(const thrower&) { ++alive; }
    ~thrower() noexcept(false) {
      --alive;
      if (std::uncaught_exceptions() == 0) throw 5;
    }
  };
  thread_pool pool({.workers = 2});
  EXPECT_THROW(
      {
        // The closure's copy throws when the call is over; this one is then destroyed by the
        // unwinding
        thrower held;
        pool.run([&] { join([copy = held] { (void)copy; }, [] {}); });
      },
      int);
  EXPECT_EQ(alive, 0);
  EXPECT_EQ(pool.run([] { return fib(15); }), 610);
}

/// Throws when it is destroyed, unless something else is under way.
struct throws_at_its_end {
  std::atomic<int>& alive;
  explicit throws_at_its_end(std::atomic<int>& counted) : alive{counted} { ++alive; }
  throws_at_its_end(const throws_at_its_end& other) : alive{other.alive} { ++alive; }
  ~throws_at_its_end() noexcept(false) {
    --alive;
    if (std::uncaught_exceptions() == 0) throw 5;
  }
};

// The closure of the right side lies with the thread that joins, even if a thief runs it: the thief
// does not destroy it.
TEST(join, carries_what_a_capture_of_a_stolen_side_throws_at_its_end) {
  std::atomic<int> alive{0};
  thread_pool pool({.workers = 2});
  for (int round = 0; round < 20; ++round) {
    std::atomic<bool> stolen{false};
    EXPECT_THROW(pool.run([&] {
      const auto right = [&stolen, copy = throws_at_its_end{alive}] {
        (void)copy;
        stolen = true;
      };
      join(
          [&, before_fork = std::chrono::steady_clock::now()] { await_right(stolen, before_fork); },
          right);
    }),
                 int);
    EXPECT_THROW(pool.run([&] { join([] {}, [copy = throws_at_its_end{alive}] { (void)copy; }); }),
                 int);
  }
  EXPECT_EQ(alive, 0);
  EXPECT_EQ(pool.run([] { return fib(15); }), 610);
}

TEST(join, from_a_thread_outside_every_pool_runs_in_the_default_pool_on_that_thread) {
  const auto here = std::this_thread::get_id();
  EXPECT_EQ(filch::this_pool(), nullptr);
  const auto [where, pool] =
      join([] { return std::this_thread::get_id(); }, [] { return filch::this_pool(); });
  EXPECT_EQ(where, here);
  EXPECT_EQ(pool, &filch::default_pool());
  EXPECT_EQ(filch::this_pool(), nullptr);
}

TEST(join, works_on_many_foreign_threads_at_once) {
  thread_pool pool({.workers = 2});
  std::vector<std::thread> foreign;
  std::atomic<int> right{0};
  for (int i = 0; i < 16; ++i) {
    foreign.emplace_back([&] {
      for (int round = 0; round < 20; ++round) right += pool.run([] { return fib(14); }) == 377;
    });
  }
  for (auto& each : foreign) each.join();
  EXPECT_EQ(right, 16 * 20);
}

}  // namespace
