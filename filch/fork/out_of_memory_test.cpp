// What happens to a program when one of its allocations is refused: each one in turn, then that one
// and all later ones.
#include <filch/filch.hpp>
#include <filch/fork/refused_memory_test.hpp>
#include <filch/sched/worker/scheduler.hpp>
#include <filch/testing/replaced_new_test.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <thread>
#include <tuple>
#include <vector>

void filch::testing::will_allocate() { trials::take(); }
void filch::testing::will_release() noexcept { trials::give_back(); }

namespace {

using namespace filch::trials;
using filch::thread_pool;
using namespace std::chrono_literals;

std::atomic<int> begun{0};
std::atomic<int> ended{0};
/// Counts the pieces of work that began and that ended.
struct piece {
  piece() { ++begun; }
  ~piece() { ++ended; }
};

/// An allocation that no compiler removes.
[[gnu::noinline]] std::unique_ptr<int> boxed(int value) { return std::make_unique<int>(value); }

class out_of_memory_on : public testing::TestWithParam<unsigned> {
 protected:
  static filch::pool_options shape() { return {.workers = GetParam()}; }
};
INSTANTIATE_TEST_SUITE_P(workers, out_of_memory_on, testing::Values(1u, 2u, 4u));

struct node {
  std::unique_ptr<node> left;
  std::unique_ptr<node> right;
};

std::unique_ptr<node> grow(int depth) {
  const piece here;
  auto made = std::make_unique<node>();
  if (depth > 0) {
    std::tie(made->left, made->right) =
        filch::join([depth] { return grow(depth - 1); }, [depth] { return grow(depth - 1); });
  }
  return made;
}

int count(const std::unique_ptr<node>& tree) {
  return tree == nullptr ? 0 : 1 + count(tree->left) + count(tree->right);
}

TEST_P(out_of_memory_on, a_tree_of_joins_throws_or_is_whole) {
  refuse_each([](const disturbance& disturbed) {
    begun = ended = 0;
    thread_pool pool(shape());
    std::unique_ptr<node> tree;
    const ending end = disturbed([&] { tree = pool.run([] { return grow(6); }); });
    EXPECT_EQ(begun, ended);
    EXPECT_EQ(count(tree), end == ending::completed ? 127 : 0);
    EXPECT_TRUE(end == ending::completed || end == ending::bad_alloc);
    EXPECT_TRUE(works(pool));
  });
}

void plant(filch::task_group& group, int depth, std::atomic<int>& leaves) {
  const piece here;
  if (depth == 0) {
    ++leaves;
    return;
  }
  filch::task_group below;
  below.run([&leaves, depth] {
    filch::task_group unused;
    plant(unused, depth - 1, leaves);
  });
  group.run([&] { ++leaves; });
  plant(below, depth - 1, leaves);
  below.wait();
}

TEST_P(out_of_memory_on, task_groups_throw_or_run_all_their_jobs) {
  refuse_each([](const disturbance& disturbed) {
    begun = ended = 0;
    thread_pool pool(shape());
    std::atomic<int> leaves{0};
    const ending end = disturbed([&] {
      pool.run([&] {
        filch::task_group group;
        plant(group, 3, leaves);
        group.wait();
      });
    });
    EXPECT_EQ(begun, ended);
    // Of every plant above depth 0 one job, and 2^3 plants of depth 0.
    if (end == ending::completed) {
      EXPECT_EQ(leaves, 7 + 8);
    }
    EXPECT_TRUE(end == ending::completed || end == ending::bad_alloc);
    EXPECT_TRUE(works(pool));
  });
}

TEST_P(out_of_memory_on, a_group_filled_from_outside_runs_what_it_took) {
  refuse_each([](const disturbance& disturbed) {
    thread_pool pool(shape());
    std::atomic<int> ran{0};
    int taken = 0;
    const ending end = disturbed([&] {
      filch::task_group group(pool);
      for (; taken < 80; ++taken) group.run([&] { ++ran; });
      group.wait();
    });
    EXPECT_EQ(ran, taken);
    EXPECT_EQ(taken == 80, end == ending::completed);
    EXPECT_TRUE(end == ending::completed || end == ending::bad_alloc);
    EXPECT_TRUE(works(pool));
  });
}

TEST_P(out_of_memory_on, loops_throw_or_visit_everything_and_reduce_to_the_right_sum) {
  refuse_each([](const disturbance& disturbed) {
    begun = ended = 0;
    thread_pool pool(shape());
    std::atomic<int> visited{0};
    int counted = 0;
    std::unique_ptr<int> sum;
    const ending end = disturbed([&] {
      pool.run([&] {
        filch::worker_local<int> own;
        filch::parallel_for(0, 40, [&](int i) {
          const piece here;
          visited += *boxed(i) == i;
          ++own.local();
        });
        counted = own.combine(0, [](int a, int b) { return a + b; });
        sum = filch::parallel_reduce(
            0, 20, boxed(0), [](int i) { return boxed(i); },
            [](std::unique_ptr<int> a, std::unique_ptr<int> b) { return boxed(*a + *b); });
      });
    });
    EXPECT_EQ(begun, ended);
    if (end == ending::completed) {
      EXPECT_EQ(visited, 40);
      EXPECT_EQ(counted, 40);
      EXPECT_EQ(*sum, 190);
    }
    EXPECT_TRUE(end == ending::completed || end == ending::bad_alloc);
    EXPECT_TRUE(works(pool));
  });
}

std::atomic<int> escaped{0};

struct submissions {
  int taken = 0;
  std::atomic<int> begun{0};
  std::atomic<int> finished{0};

  void add_to(thread_pool& pool) {
    pool.submit([this] {
      ++begun;
      (void)boxed(2);
      ++finished;
    });
    ++taken;
  }
  /// Adds jobs from an external thread, then from inside more than a ready queue has room for at
  /// first, then from an external thread again.
  void add_many_to(thread_pool& pool) {
    add_to(pool);
    pool.run([&] {
      for (int i = 0; i < 80; ++i) add_to(pool);
    });
    add_to(pool);
  }
  /// Checks after the pool's end that all its jobs ran, and each exception went to one place.
  void check(ending end, refusal what) const {
    EXPECT_EQ(begun, taken);
    EXPECT_EQ(finished + escaped, taken);
    EXPECT_EQ(taken == 82, end == ending::completed);
    EXPECT_TRUE(end == ending::completed || end == ending::bad_alloc);
    if (what == refusal::one) {
      EXPECT_LE(escaped + (end == ending::completed ? 0 : 1), 1);
    }
  }
};

filch::pool_options counting_escapes(filch::pool_options shape) {
  escaped = 0;
  shape.on_escaped_exception = [](std::exception_ptr) noexcept { ++escaped; };
  return shape;
}

TEST_P(out_of_memory_on, a_submitted_job_is_refused_or_runs) {
  refuse_each([](const disturbance& disturbed) {
    submissions jobs;
    ending end{};
    {
      thread_pool pool(counting_escapes(shape()));
      end = disturbed([&] {
        jobs.add_many_to(pool);
        while (jobs.begun < jobs.taken) std::this_thread::yield();
      });
      EXPECT_TRUE(works(pool));
    }
    jobs.check(end, disturbed.what);
  });
}

TEST_P(out_of_memory_on, a_pool_is_refused_or_made_and_ends_by_itself) {
  for (const filch::pinning pin : {filch::pinning::none, filch::pinning::compact}) {
    refuse_each([pin](const disturbance& disturbed) {
      filch::pool_options options = counting_escapes(shape());
      options.pin = pin;
      submissions jobs;
      int warm_ups = 0;
      const ending end = disturbed([&] {
        thread_pool pool(options);
        pool.warm_up();
        ++warm_ups;
        (void)pool.metrics();
        jobs.add_many_to(pool);
      });
      EXPECT_EQ(jobs.begun, jobs.taken);
      jobs.check(end, disturbed.what);
      if (end == ending::completed) {
        EXPECT_EQ(warm_ups, 1);
      }
    });
  }
}

TEST(out_of_memory, a_pool_that_follows_the_cpu_budget_is_refused_or_as_large_as_ever) {
  const unsigned usual_count = thread_pool().concurrency();
  refuse_each([usual_count](const disturbance& disturbed) {
    unsigned count = usual_count;
    const ending end = disturbed([&] {
      thread_pool pool;
      std::atomic<bool> has_run{false};
      pool.submit([&] { has_run = true; });
      while (!has_run) std::this_thread::yield();
      std::this_thread::sleep_for(200us);  // before it searches, the worker reads the budget again
      count = pool.concurrency();
    });
    EXPECT_TRUE(end == ending::completed || end == ending::bad_alloc);
    EXPECT_EQ(count, usual_count);
  });
}

TEST_P(out_of_memory_on, a_foreign_thread_gets_the_exception_or_the_result) {
  refuse_each([](const disturbance& disturbed) {
    thread_pool pool(shape());
    std::atomic<bool> go{false};
    std::atomic<int> over{0};
    std::atomic<int> thrown{0};
    std::atomic<int> right{0};
    std::vector<std::thread> foreign;
    for (int i = 0; i < 3; ++i) {
      foreign.emplace_back([&] {
        while (!go) std::this_thread::yield();
        const ending end = ending_of([&] { right += pool.run([] { return fib(9); }) == 34; });
        thrown += end == ending::bad_alloc;
        ++over;
      });
    }
    disturbed([&] {
      go = true;
      while (over != 3) std::this_thread::yield();
    });
    for (auto& each : foreign) each.join();
    EXPECT_EQ(thrown + right, 3);
    if (disturbed.what == refusal::one) {
      EXPECT_LE(thrown, 1);
    }
    EXPECT_TRUE(works(pool));
  });
}

TEST_P(out_of_memory_on, nested_pools_and_blocking_calls_throw_or_count_everything) {
  refuse_each([](const disturbance& disturbed) {
    begun = ended = 0;
    thread_pool outer(shape());
    thread_pool inner(shape());
    std::atomic<int> sum{0};
    const ending end = disturbed([&] {
      outer.run([&] {
        filch::parallel_for(0, 6, [&](int) {
          const piece here;
          inner.run([&] { filch::join([&] { ++sum; }, [&] { outer.run([&] { ++sum; }); }); });
          filch::blocking([&] { filch::join([&] { ++sum; }, [&] { ++sum; }); });
        });
      });
    });
    EXPECT_EQ(begun, ended);
    if (end == ending::completed) {
      EXPECT_EQ(sum, 6 * 4);
    }
    EXPECT_TRUE(end == ending::completed || end == ending::bad_alloc);
    EXPECT_EQ(filch::this_pool(), nullptr);
    EXPECT_TRUE(works(outer));
    EXPECT_TRUE(works(inner));
  });
}

/// If another thread took a group's job, the thread that finds the ticket frees it, whenever it
/// gets a processor.
void wait_for_what_is_freed_late() {
  for (long before = -1; before != blocks_alive;) {
    before = blocks_alive;
    std::this_thread::sleep_for(50ms);
  }
}

TEST_P(out_of_memory_on, workers_that_are_recorded_need_none_for_it) {
  thread_pool pool(shape());  // one for all trials: a new worker's ring stays with the recorder
  EXPECT_TRUE(works(pool));
  wait_for_what_is_freed_late();
  refuse_each([&pool](const disturbance& disturbed) {
    const filch::trace_session session;
    const ending end = disturbed([&] { EXPECT_EQ(pool.run([] { return fib(9); }), 34); });
    EXPECT_EQ(end, ending::completed);
  });
  EXPECT_TRUE(works(pool));
}

TEST(out_of_memory, threads_that_were_refused_leave_their_places_to_others) {
  bool has_struck = false;
  {
    thread_pool first({.workers = 2});
    EXPECT_TRUE(works(first));  // so that what is made once a process exists
  }
  thread_pool pool({.workers = 2, .max_spares = 0});
  const auto is_refused_after = [&](long granted) {
    return disturbance{refusal::one, granted, &has_struck}([&] { pool.submit([] {}); }) ==
           ending::bad_alloc;
  };
  // Job and worker are granted, and the second time job and table: the worker that got no thread
  // serves again.
  long granted = 2;
  for (; pool.core().threads().worker_count() == 0; ++granted)
    ASSERT_TRUE(is_refused_after(granted));
  EXPECT_TRUE(is_refused_after(2));
  EXPECT_EQ(pool.core().threads().worker_count(), 1u);
  // The job is granted. Now that worker and table are there, what is refused next is the thread
  // itself.
  for (unsigned i = 0; i < 3 * pool.worker_capacity(); ++i) EXPECT_TRUE(is_refused_after(1));
  // As much as a new worker takes
  for (long again = 2; again < granted && is_refused_after(again); ++again)
    EXPECT_EQ(pool.core().threads().worker_count(), 1u);
  EXPECT_TRUE(works(pool));
}

}  // namespace
