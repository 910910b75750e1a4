// External threads begin at once, whatever holds the pool's slots: programs that users of other
// runtimes reported.
#include <filch/filch.hpp>
#include <filch/fork/worker_local.hpp>
#include <filch/sched/worker/scheduler.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <barrier>
#include <functional>
#include <future>
#include <latch>
#include <mutex>
#include <numeric>
#include <set>
#include <thread>
#include <vector>

namespace {

using filch::parallel_for;
using filch::thread_pool;
using namespace std::chrono_literals;

class external_thread : public testing::TestWithParam<unsigned> {
 protected:
  thread_pool pool{{.workers = GetParam()}};
};

/// 499,500.
long sum_in_parallel() {
  return filch::parallel_reduce(
      0, 1000, 0L, [](int i) { return static_cast<long>(i); }, std::plus<>{});
}

/// External threads that stay in a pool until it ends. As many as there are workers hold all slots
/// that they may.
class crowd {
 public:
  crowd(thread_pool& pool, unsigned size) : all_inside_{size} {
    for (unsigned i = 0; i < size; ++i) {
      threads_.emplace_back([&] {
        pool.run([&] {
          all_inside_.count_down();
          may_leave_.wait();
        });
      });
    }
    all_inside_.wait();
  }
  ~crowd() {
    may_leave_.count_down();
    for (std::thread& each : threads_) each.join();
  }

 private:
  std::latch all_inside_, may_leave_{1};
  std::vector<std::thread> threads_;
};

TEST_P(external_thread, may_hold_a_lock_that_a_running_loop_wants) {
  std::mutex lock;
  std::vector<int> cache(100'000);
  std::latch is_locked{1}, loop_waits{1};
  std::thread filler([&] {
    std::lock_guard hold{lock};
    is_locked.count_down();
    loop_waits.wait();
    std::iota(cache.rbegin(), cache.rend(), 0);
    pool.run([&] { filch::sort(cache); });
  });
  is_locked.wait();
  std::atomic<long> sum{0};
  pool.run([&] {
    parallel_for(0, 1000, [&](int i) {
      if (i == 0) loop_waits.count_down();
      std::lock_guard hold{lock};
      sum += cache[static_cast<std::size_t>(i)];
    });
  });
  filler.join();
  EXPECT_EQ(sum, 499'500);
}

TEST_P(external_thread, may_fill_a_static_that_a_running_loop_waits_for) {
  std::latch begun{1}, loop_waits{1};
  const auto filled = [&]() -> const std::vector<int>& {
    static thread_pool& mine = pool;
    static const std::vector<int> values = [&] {
      begun.count_down();
      loop_waits.wait();
      std::vector<int> made(1000);
      mine.run(
          [&] { parallel_for(0, 1000, [&](int i) { made[static_cast<std::size_t>(i)] = 1; }); });
      return made;
    }();
    return values;
  };
  if (GetParam() != 1) return;  // a static is filled once
  std::thread filler([&] { filled(); });
  begun.wait();
  std::atomic<long> sum{0};
  pool.run([&] {
    parallel_for(0, 100, [&](int i) {
      if (i == 0) loop_waits.count_down();
      sum += filled()[static_cast<std::size_t>(i)];
    });
  });
  filler.join();
  EXPECT_EQ(sum, 100);
}

TEST_P(external_thread, may_fulfil_a_future_that_a_running_loop_waits_for) {
  std::promise<long> promised;
  std::shared_future<long> result = promised.get_future().share();
  std::latch loop_waits{1};
  std::thread other([&] {
    loop_waits.wait();
    promised.set_value(pool.run([] { return sum_in_parallel(); }));
  });
  std::atomic<long> seen{0};
  pool.run([&] {
    parallel_for(0, 8, [&](int i) {
      if (i == 0) loop_waits.count_down();
      seen += result.get();
    });
  });
  other.join();
  EXPECT_EQ(seen, 8 * 499'500);
}

// One waits inside the pool for the other, though each has at best a slot of its own.
TEST_P(external_thread, meets_all_others_inside) {
  constexpr int count = 64;
  std::barrier all{count};
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i) {
    threads.emplace_back([&] { pool.run([&] { all.arrive_and_wait(); }); });
  }
  for (std::thread& each : threads) each.join();
}

TEST_P(external_thread, begins_while_others_hold_all_slots) {
  const crowd others{pool, GetParam() + 3};
  long sum = 0;
  pool.run([&] { sum = sum_in_parallel(); });
  EXPECT_EQ(sum, 499'500);
}

// A job that gave its slot away goes on although another one has begun on it, and never ends.
TEST_P(external_thread, a_job_that_blocked_goes_on_while_others_hold_all_slots) {
  std::latch blocks{1}, may_go_on{1}, went_on{1};
  pool.submit([&] {
    filch::blocking([&] {
      blocks.count_down();
      may_go_on.wait();
    });
    went_on.count_down();
  });
  blocks.wait();
  const crowd others{pool, GetParam()};
  may_go_on.count_down();
  went_on.wait();
}

// A submitted job begins as soon as one of them leaves, however many follow.
TEST_P(external_thread, leaves_a_slot_to_what_is_submitted) {
  std::atomic<bool> ran{false};
  std::vector<std::thread> threads;
  for (int i = 0; i < 16; ++i) {
    threads.emplace_back([&] {
      while (!ran) pool.run([] { parallel_for(0, 64, [](int) {}); });
    });
  }
  pool.submit([&] { ran = true; });
  for (std::thread& each : threads) each.join();
}

// At least as many are inside as the pool has workers; one at a time leaves for a moment.
TEST_P(external_thread, relay_without_keeping_what_is_submitted) {
  const unsigned count = GetParam() + 1;
  std::atomic<bool> ran{false};
  std::atomic<unsigned> turn{0}, calls{0};
  std::vector<std::thread> threads;
  const auto stay_until_it_is_ones_turn = [&](unsigned i) {
    if (++calls > count) turn = (i + 1) % count;
    for (int naps = 0; !ran && (turn != i || naps < 10); ++naps) {
      filch::task_group some;
      for (int job = 0; job < 4; ++job) some.run([] { std::this_thread::sleep_for(50us); });
      some.wait();
    }
  };
  for (unsigned i = 0; i < count; ++i) {
    threads.emplace_back([&, i] {
      while (!ran) {
        pool.run([&] { stay_until_it_is_ones_turn(i); });
        std::this_thread::sleep_for(1ms);
      }
    });
  }
  while (calls < 2 * count) std::this_thread::sleep_for(1ms);
  pool.submit([&] { ran = true; });
  for (std::thread& each : threads) each.join();
}

// At least as many stay as the pool has workers. In a pool of two or more its own threads begin
// jobs nevertheless.
TEST_P(external_thread, may_stay_while_what_is_submitted_runs) {
  if (GetParam() == 1) GTEST_SKIP() << "a thread from outside may have the only slot";
  const crowd others{pool, GetParam() + 2};
  std::latch ran{2};
  pool.submit([&] {
    pool.submit([&] { ran.count_down(); });
    ran.count_down();
  });
  ran.wait();
}

// Their tickets are in the injector, and no worker takes from it meanwhile.
TEST_P(external_thread, leaves_no_heap_of_tickets) {
  const crowd others{pool, GetParam()};
  std::atomic<int> in_job{0};
  std::atomic<bool> may_end{false};
  if (GetParam() > 1) {
    pool.submit([&] {
      for (in_job = 1; !may_end;) std::this_thread::sleep_for(1ms);
      in_job = 0;
    });
    while (in_job == 0) std::this_thread::yield();
  }
  pool.run([&] {
    for (int i = 0; i < 20'000; ++i) {
      filch::task_group some;
      for (int job = 0; job < 4; ++job) some.run([] {});
      some.wait();
    }
  });
  EXPECT_LE(pool.core().injected().stray_tickets.load(filch::base::relaxed), 11'000u);
  may_end = true;
  while (in_job != 0) std::this_thread::yield();
}

// A job that comes back from blocking goes on beside the jobs that have its slot by then: no other
// job begins before it ends.
TEST_P(external_thread, the_width_returns_with_the_next_job) {
  std::latch blocks{1}, may_go_on{1}, is_back{1}, others_begun{GetParam()},
      others_ended{GetParam()};
  std::atomic<bool> next_began{false}, is_over{false};
  pool.submit([&] {
    filch::blocking([&] {
      blocks.count_down();
      may_go_on.wait();
    });
    is_back.count_down();
    others_ended.wait();
    std::this_thread::sleep_for(10ms);
    EXPECT_FALSE(next_began && GetParam() == 1);
    is_over = true;
  });
  blocks.wait();
  for (unsigned i = 0; i < GetParam(); ++i) {
    pool.submit([&] {
      others_begun.count_down();
      is_back.wait();
      others_ended.count_down();
    });
  }
  others_begun.wait();
  pool.submit([&] { next_began = true; });
  may_go_on.count_down();
  while (!is_over || !next_began) std::this_thread::yield();
}

// The width returns to its limit: when all have left, no more jobs run at once than before.
TEST_P(external_thread, leaves_the_width_as_it_was) {
  { const crowd others{pool, GetParam() + 5}; }
  std::atomic<unsigned> inside{0}, most{0}, left{100};
  for (unsigned i = left; i > 0; --i) {
    pool.submit([&] {
      const unsigned now = ++inside;
      for (unsigned seen = most; seen < now && !most.compare_exchange_weak(seen, now);) {
      }
      std::this_thread::yield();
      --inside;
      --left;
    });
  }
  while (left != 0) std::this_thread::yield();
  EXPECT_LE(most, GetParam());
}

// More threads than valgrind allows.
TEST(external_crowd, has_indices_of_their_own_for_a_thousand) {
  thread_pool pool{{.workers = 2}};
  constexpr unsigned count = 1000;
  filch::worker_local<long> sums{pool};
  std::barrier all{count};
  std::mutex lock;
  std::set<unsigned> indices;
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < count; ++t) {
    threads.emplace_back([&] {
      pool.run([&] {
        {
          std::lock_guard hold{lock};
          indices.insert(filch::worker_index());
        }
        all.arrive_and_wait();
        parallel_for(0, 100, [&](int i) { sums.local() += i; });
      });
    });
  }
  for (std::thread& each : threads) each.join();
  EXPECT_EQ(indices.size(), count);
  EXPECT_LT(*indices.rbegin(), pool.worker_capacity());
  EXPECT_EQ(sums.combine(0l, std::plus<>{}), 4950l * count);
}

// More threads than the tables hold: they run alone and serially, never blocked.
TEST(external_crowd, runs_alone_where_the_pool_has_no_place_left) {
  thread_pool pool{{.workers = 2}};
  const unsigned most = pool.worker_capacity();
  filch::worker_local<long> sums{pool};
  std::barrier all{most};
  std::atomic<unsigned> without_index{0};
  std::atomic<long> sum{0};
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < most; ++t) {
    threads.emplace_back([&] {
      pool.run([&] {
        all.arrive_and_wait();
        if (filch::worker_index() == filch::no_worker) ++without_index;
        parallel_for(0, 100, [&](int i) { sums.local() += i; });
        auto [a, b] = filch::join([] { return 1; }, [] { return 2; });
        filch::task_group group{pool};
        for (int k = 0; k < 3; ++k) group.run([&] { ++sum; });
        group.wait();
        sum += a + b;
        all.arrive_and_wait();
      });
    });
  }
  for (std::thread& each : threads) each.join();
  EXPECT_GT(without_index, 0u);
  EXPECT_LT(without_index, most);
  EXPECT_EQ(sum, 6l * most);
  EXPECT_EQ(sums.combine(0l, std::plus<>{}), 4950l * most);
  EXPECT_EQ(pool.run([] { return sum_in_parallel(); }), 499'500) << "afterwards as ever";
}

INSTANTIATE_TEST_SUITE_P(workers, external_thread, testing::Values(1u, 2u, 4u));

}  // namespace
