// Pools that begin and end in every way a program can think of.
#include <filch/base/sanitized_test.hpp>
#include <filch/filch.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <vector>

namespace {

using filch::thread_pool;

long fib(unsigned n) {
  if (n < 2) return n;
  const auto [a, b] = filch::join([n] { return fib(n - 1); }, [n] { return fib(n - 2); });
  return a + b;
}

TEST(life_cycle, a_submitter_learns_that_the_pool_was_stopped) {
  for (int round = 0; round < 200; ++round) {
    thread_pool pool({.workers = 2});
    std::atomic<int> accepted{0};
    std::thread submitter([&] {
      try {
        for (;;) {
          pool.submit([] {});
          ++accepted;
        }
      } catch (const filch::pool_stopped&) {
      }
    });
    while (accepted < 10) std::this_thread::yield();
    pool.request_stop();
    submitter.join();
    EXPECT_THROW(pool.run([] {}), filch::pool_stopped);
    EXPECT_THROW(pool.submit([] {}), filch::pool_stopped);
  }
}

TEST(life_cycle, a_running_job_goes_on_forking_after_the_pool_was_stopped) {
  thread_pool pool({.workers = 2});
  int ran = 0;
  pool.run([&] {
    pool.request_stop();
    filch::join([&] { ++ran; }, [] {});
    filch::blocking([&] { filch::join([&] { ++ran; }, [] {}); });
    pool.run([&] { ++ran; });
  });
  EXPECT_EQ(ran, 3);
}

TEST(life_cycle, stopping_discards_what_has_not_begun_and_frees_it) {
  const auto witness = std::make_shared<int>(0);
  std::atomic<bool> go{false};
  std::atomic<int> ran{0};
  {
    thread_pool pool({.workers = 1});
    std::atomic<bool> began{false};
    pool.submit([&] {
      began = true;
      while (!go) std::this_thread::yield();
    });
    while (!began) std::this_thread::yield();
    for (int i = 0; i < 100; ++i) pool.submit([&ran, witness] { ++ran; });
    pool.request_stop();
    go = true;
  }
  EXPECT_EQ(ran, 0);
  EXPECT_EQ(witness.use_count(), 1);
}

TEST(life_cycle, stopping_lets_running_joins_and_groups_finish) {
  thread_pool pool({.workers = 2});
  long result = 0;
  pool.run([&] {
    filch::task_group group;
    std::atomic<int> ran{0};
    group.run([&] { ++ran; });
    pool.request_stop();
    group.run([&] { ++ran; });
    result = fib(18);
    group.wait();
    EXPECT_EQ(ran, 2);
  });
  EXPECT_EQ(result, 2584);
}

TEST(life_cycle, a_pool_may_be_destroyed_by_its_own_job) {
  std::atomic<bool> destroyed{false};
  auto* const pool = new thread_pool({.workers = 2});
  pool->submit([&destroyed, pool] {
    delete pool;
    destroyed = true;
  });
  while (!destroyed) std::this_thread::yield();
}

/// A pool that its own job may destroy. A look at the object afterwards finds addresses that no
/// machine has.
class short_lived_pool {
 public:
  explicit short_lived_pool(filch::pool_options options)
      : pool_{new (room_) thread_pool(options)} {}
  thread_pool& operator*() const noexcept { return *pool_; }
  void end() noexcept {
    std::destroy_at(pool_);
    std::memset(room_, 0x5a, sizeof room_);
  }

 private:
  alignas(thread_pool) std::byte room_[sizeof(thread_pool)];
  thread_pool* pool_;
};

// Filch's own functions that ask which pool they run in, also after the slot was given away.
void use_the_pool_here() {
  EXPECT_EQ(fib(12), 144);
  EXPECT_EQ(filch::blocking([] { return fib(12); }), 144);
  filch::task_group group;
  std::atomic<int> ran{0};
  for (int i = 0; i < 10; ++i) group.run([&ran] { ++ran; });
  group.wait();
  EXPECT_EQ(ran, 10);
  std::vector<int> numbers(5'000);
  std::iota(numbers.rbegin(), numbers.rend(), 0);
  filch::blocking([&] { filch::sort(numbers); });
  EXPECT_TRUE(std::ranges::is_sorted(numbers));
}

TEST(life_cycle, a_job_that_destroyed_its_pool_is_in_it_still) {
  short_lived_pool pool({.workers = 2});
  std::atomic<bool> is_over{false};
  (*pool).submit([&] {
    thread_pool* const object = filch::this_pool();
    EXPECT_EQ(object, &*pool);
    pool.end();
    thread_pool* const left = filch::this_pool();
    EXPECT_NE(left, object) << "the object is gone";
    EXPECT_EQ(left, &filch::pool_here());
    EXPECT_TRUE(left->is_current());
    EXPECT_EQ(left->concurrency(), 2u);
    EXPECT_THROW(left->submit([] {}), filch::pool_stopped);
    filch::blocking([&] { EXPECT_EQ(filch::this_pool(), left); });
    use_the_pool_here();
    filch::worker_local<int> mine;
    EXPECT_EQ(++mine.local(), 1);
    is_over = true;
  });
  while (!is_over) std::this_thread::yield();
}

TEST(life_cycle, a_job_goes_on_while_another_one_destroys_their_pool) {
  short_lived_pool pool({.workers = 2});
  std::atomic<int> rounds{0};
  std::atomic<bool> is_destroyed{false}, is_over{false};
  (*pool).submit([&] {
    for (int left = 20; left > 0; left -= is_destroyed ? 1 : 0) {
      use_the_pool_here();
      ++rounds;
    }
    is_over = true;
  });
  (*pool).submit([&] {
    while (rounds < 20) std::this_thread::yield();
    pool.end();
    is_destroyed = true;
  });
  while (!is_over) std::this_thread::yield();
}

TEST(life_cycle_at_exit, a_static_pool_and_the_default_pool_end_quietly) {
  EXPECT_EXIT(
      {
        static thread_pool pool({.workers = 2});
        pool.run([] { fib(20); });
        fib(20);
        std::exit(7);
      },
      testing::ExitedWithCode(7), filch::base::is_sanitized ? "" : "^$");
}

void make_default_pool_of_a_stuck_worker() {
  filch::configure_default_pool({.workers = 1, .max_spares = 0});
  static std::atomic<bool> has_begun{false};
  filch::default_pool().submit([] {
    has_begun = true;
    for (;;) std::this_thread::yield();
  });
  while (!has_begun) std::this_thread::yield();
}

TEST(life_cycle_at_exit, jobs_that_the_default_pool_has_not_begun_are_told_of) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(
      {
        make_default_pool_of_a_stuck_worker();
        filch::default_pool().submit([] {});
        std::exit(7);
      },
      testing::ExitedWithCode(7), "filch: the program ends, and jobs .* they are lost");
}

TEST(life_cycle_at_exit, a_group_that_was_waited_for_loses_no_jobs) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(
      {
        make_default_pool_of_a_stuck_worker();
        filch::task_group group;
        for (int i = 0; i < 3; ++i) group.run([] {});
        group.wait();
        std::exit(7);
      },
      testing::ExitedWithCode(7), filch::base::is_sanitized ? "" : "^$");
}

TEST(life_cycle_at_exit, exit_may_be_called_by_a_job_of_a_static_pool) {
  EXPECT_EXIT(
      {
        static thread_pool pool({.workers = 2});
        pool.submit([] { std::exit(7); });
        for (;;) std::this_thread::yield();
      },
      testing::ExitedWithCode(7), "");
}

TEST(life_cycle_at_exit, a_job_may_end_the_process_without_destructors) {
  EXPECT_EXIT(
      {
        static thread_pool pool({.workers = 2});
        pool.submit([] { std::quick_exit(7); });
        for (;;) std::this_thread::yield();
      },
      testing::ExitedWithCode(7), "");
}

TEST(life_cycle_at_exit, the_default_pool_is_made_as_main_says_and_no_later) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";  // the child has made no default pool
  const auto configure_twice = [] {
    filch::configure_default_pool({.workers = 3, .thread_name = "mine"});
    if (filch::default_pool().concurrency() != 3) std::_Exit(1);
    try {
      filch::configure_default_pool({});
    } catch (const std::logic_error& late) {
      std::fputs(late.what(), stderr);
      std::_Exit(7);
    }
    std::_Exit(2);
  };
  EXPECT_EXIT(configure_twice(), testing::ExitedWithCode(7),
              "configure_default_pool comes too late");
  const auto configure_after_use = [] {
    filch::default_pool().run([] {});
    try {
      filch::configure_default_pool({.workers = 3});
    } catch (const std::logic_error&) {
      std::_Exit(7);
    }
    std::_Exit(2);
  };
  EXPECT_EXIT(configure_after_use(), testing::ExitedWithCode(7), "");
}

TEST(life_cycle_at_exit, a_thread_local_pool_ends_with_its_thread) {
  std::thread([] {
    thread_local thread_pool pool({.workers = 2});
    EXPECT_EQ(pool.run([] { return fib(15); }), 610);
  }).join();
}

TEST(life_cycle_at_exit, a_thread_local_pool_of_the_main_thread_ends_with_the_process) {
  EXPECT_EXIT(
      {
        thread_local thread_pool pool({.workers = 2});
        for (int i = 0; i < 100; ++i) pool.submit([] { fib(10); });
        pool.run([] { fib(20); });
        std::exit(7);
      },
      testing::ExitedWithCode(7), "");
}

TEST(life_cycle_at_exit, a_thread_local_destructor_may_still_join_and_submit) {
  static std::atomic<int> ran{0};
  static std::atomic<bool> was_outside{false};
  struct late {
    ~late() {
      // It does not matter which pool that worker belongs to now
      was_outside = filch::this_pool() == nullptr;
      fib(10);
      filch::default_pool().submit([] { ++ran; });
    }
  };
  {
    thread_pool pool({.workers = 1});
    pool.submit([] { thread_local late here; });
  }
  while (ran == 0) std::this_thread::yield();
  EXPECT_TRUE(was_outside);
}

}  // namespace
