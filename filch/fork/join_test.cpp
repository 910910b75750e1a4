#include <filch/base/sanitized_test.hpp>
#include <filch/fork.hpp>
#include <filch/fork/join_on_test.hpp>
#include <filch/testing/other_side_test.hpp>

#include <gtest/gtest.h>

#include <pthread.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>

namespace {

using filch::join;
using filch::join_on;
using filch::thread_pool;
using filch::base::is_sanitized;

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
