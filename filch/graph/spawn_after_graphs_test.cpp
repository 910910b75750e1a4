// Graphs of tasks that are spawned while they run.
#include <filch/base/clock.hpp>
#include <filch/base/sanitized_test.hpp>
#include <filch/co.hpp>
#include <filch/fork.hpp>
#include <filch/graph/spawn_after.hpp>
#include <filch/metrics.hpp>

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <thread>
#include <vector>

namespace filch::inline v0_2 {
namespace {

constexpr std::array widths{1u, 2u, 4u};

template <class F>
void in_each_pool(F check) {
  for (const unsigned workers : widths) {
    thread_pool pool{{.workers = workers}};
    check(pool);
  }
}

using counted = shared_join_handle<std::uint64_t>;

// -------------------------------------------------------------------------------------------------
// shapes
TEST(spawn_after_graphs, a_diamond_joins_again) {
  in_each_pool([](thread_pool& pool) {
    for (int round = 0; round < 1000; ++round) {
      const auto top = spawn_after(pool, [round] { return round; });
      const auto left = spawn_after(
          pool, [](int n) { return n + 1; }, top);
      const auto right = spawn_after(
          pool, [](int n) { return n + 2; }, top);
      EXPECT_EQ(spawn_after(
                    pool, [](int a, int b) { return a * b; }, left, right)
                    .get(),
                (round + 1) * (round + 2));
    }
  });
}

constexpr int long_chain = base::is_sanitized ? 100'000 : 1'000'000;

TEST(spawn_after_graphs, a_chain_of_a_million_needs_no_stack) {
  in_each_pool([](thread_pool& pool) {
    pool.run([] {
      std::atomic<bool> may_begin{false};
      counted last = spawn_after([&] {
        while (!may_begin) std::this_thread::yield();
        return std::uint64_t{0};
      });
      for (int i = 0; i < long_chain; ++i)
        last = spawn_after([](std::uint64_t n) { return n + 1; }, last);
      may_begin = true;
      EXPECT_EQ(last.get(), static_cast<std::uint64_t>(long_chain));
    });
  });
}

TEST(spawn_after_graphs, a_chain_of_failures_needs_no_stack) {
  in_each_pool([](thread_pool& pool) {
    std::atomic<bool> may_begin{false};
    shared_join_handle<> last = spawn_after(pool, [&] {
      while (!may_begin) std::this_thread::yield();
      throw 1;
    });
    for (int i = 0; i < 100'000; ++i)
      last = spawn_after(
          pool, [] {}, last);
    may_begin = true;
    EXPECT_THROW(last.get(), int);
  });
}

TEST(spawn_after_graphs, a_star_of_many_rays_runs_them_all) {
  in_each_pool([](thread_pool& pool) {
    for (const std::uint64_t rays : {100u, base::is_sanitized ? 20'000u : 300'000u}) {
      std::atomic<bool> may_begin{false};
      const counted first = spawn_after(pool, [&] {
        while (!may_begin) std::this_thread::yield();
        return std::uint64_t{1};
      });
      std::vector<counted> all;
      for (std::uint64_t i = 0; i != rays; ++i)
        all.push_back(spawn_after(
            pool, [i](std::uint64_t one) { return one + i; }, first));
      may_begin = true;
      const auto add = [](std::span<const counted> each) {
        std::uint64_t sum = 0;
        for (const counted& one : each) sum += one.get();
        return sum;
      };
      EXPECT_EQ(spawn_after(pool, add, all).get(), rays + rays * (rays - 1) / 2);
    }
  });
}

counted tree(thread_pool& pool, int levels) {
  if (levels == 0) return spawn_after(pool, [] { return std::uint64_t{1}; });
  return spawn_after(
      pool, [](std::uint64_t left, std::uint64_t right) { return left + right + 1; },
      tree(pool, levels - 1), tree(pool, levels - 1));
}

TEST(spawn_after_graphs, a_tree_is_folded) {
  in_each_pool([](thread_pool& pool) { EXPECT_EQ(tree(pool, 14).get(), (1u << 15) - 1); });
}

// Each task spawns what follows it, as in a build whose steps find further steps.
std::uint64_t grow(int depth) {
  if (depth == 0) return 1;
  const counted left = spawn_after([depth] { return grow(depth - 1); });
  const counted right = spawn_after([depth] { return grow(depth - 1); });
  return spawn_after([](std::uint64_t a, std::uint64_t b) { return a + b; }, left, right).get();
}

TEST(spawn_after_graphs, tasks_spawn_others_and_wait_for_them) {
  in_each_pool(
      [](thread_pool& pool) { EXPECT_EQ(spawn_after(pool, [] { return grow(5); }).get(), 32u); });
}

task<std::uint64_t> grow_awaiting(int depth) {
  if (depth == 0) co_return 1;
  const counted left = spawn_after([depth] { return grow_awaiting(depth - 1); });
  const counted right = spawn_after([depth] { return grow_awaiting(depth - 1); });
  co_return co_await left + co_await right;
}

TEST(spawn_after_graphs, coroutines_spawn_others_and_await_them) {
  in_each_pool([](thread_pool& pool) {
    EXPECT_EQ(spawn_after(pool, [] { return grow_awaiting(12); }).get(), 4096u);
  });
}

// -------------------------------------------------------------------------------------------------
// random graphs
std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  a ^= b + 0x9e3779b97f4a7c15u + (a << 6) + (a >> 2);
  return a * 0xbf58476d1ce4e5b9u;
}

/// Nodes with up to eight inputs among those before them, known by number.
struct random_graph {
  std::vector<std::vector<std::size_t>> inputs;

  random_graph(std::uint64_t seed, std::size_t size) {
    std::mt19937_64 random{seed};
    for (std::size_t i = 0; i != size; ++i) {
      std::vector<std::size_t> chosen(i == 0 ? 0 : random() % 9);
      const std::size_t reach = random() % 4 == 0 ? i : std::min<std::size_t>(i, 20);
      for (std::size_t& each : chosen) each = i - 1 - random() % reach;
      inputs.push_back(std::move(chosen));
    }
  }
  std::vector<std::uint64_t> run_serially() const {
    std::vector<std::uint64_t> results;
    for (std::size_t i = 0; i != inputs.size(); ++i) {
      std::uint64_t value = i;
      for (const std::size_t each : inputs[i]) value = mix(value, results[each]);
      results.push_back(value);
    }
    return results;
  }
  /// Some of the tasks are coroutines, some have fixed arguments.
  std::vector<counted> spawn(const sched::call_options<3>& how) const {
    std::vector<counted> tasks;
    for (std::size_t i = 0; i != inputs.size(); ++i) {
      std::vector<counted> chosen;
      for (const std::size_t each : inputs[i]) chosen.push_back(tasks[each]);
      const auto fold = [i](std::span<const counted> all) {
        std::uint64_t value = i;
        for (const counted& each : all) value = mix(value, each.get());
        return value;
      };
      if (chosen.size() == 1) {
        tasks.push_back(spawn_after(
            how, [i](std::uint64_t one) { return mix(i, one); }, chosen[0]));
      } else if (chosen.size() == 2) {
        tasks.push_back(spawn_after(
            how, [i](std::uint64_t a, std::uint64_t b) { return mix(mix(i, a), b); }, chosen[0],
            chosen[1]));
      } else if (i % 5 == 0) {
        const auto later = [fold](std::span<const counted> all) -> task<std::uint64_t> {
          co_await co::yield();
          co_return fold(all);
        };
        tasks.push_back(spawn_after(how, later, std::move(chosen)));
      } else {
        tasks.push_back(spawn_after(how, fold, std::move(chosen)));
      }
    }
    return tasks;
  }
};

std::uint64_t first_seed() {
  const char* const asked = std::getenv("FILCH_SEED");
  return asked == nullptr ? 1 : std::strtoull(asked, nullptr, 10);
}

void expect_as_serially(const random_graph& graph, const std::vector<counted>& tasks,
                        std::uint64_t seed) {
  const std::vector<std::uint64_t> expected = graph.run_serially();
  for (std::size_t i = 0; i != expected.size(); ++i) {
    ASSERT_EQ(tasks[i].get(), expected[i]) << "task " << i << "; replay: FILCH_SEED=" << seed;
  }
}

TEST(spawn_after_graphs, random_ones_give_what_they_give_serially) {
  in_each_pool([](thread_pool& pool) {
    for (std::uint64_t seed = first_seed(); seed != first_seed() + 30; ++seed) {
      const random_graph graph{seed, 300};
      const auto urgency = seed % 3 == 0 ? priority::background : priority::normal;
      expect_as_serially(graph, graph.spawn(with(pool, urgency)), seed);
    }
  });
}

TEST(spawn_after_graphs, of_several_pools_and_priorities_run_to_their_end) {
  for (std::uint64_t seed = first_seed(); seed != first_seed() + 10; ++seed) {
    thread_pool one{{.workers = 2}}, other{{.workers = 1}};
    std::vector<counted> last(8);
    for (counted& each : last) each = spawn_after(one, [] { return std::uint64_t{0}; });
    std::mt19937_64 random{seed};
    std::uint64_t expected = 0;
    for (int i = 0; i < 2000; ++i) {
      constexpr std::array urgencies{priority::high, priority::normal, priority::background};
      counted& from = last[random() % last.size()];
      from = spawn_after(
          with(random() % 2 == 0 ? one : other, urgencies[random() % 3]),
          [](std::uint64_t n, std::uint64_t) { return n + 1; }, from, last[random() % last.size()]);
      ++expected;
    }
    std::uint64_t sum = 0;
    for (const counted& each : last) sum += each.get();
    EXPECT_EQ(sum, expected) << "replay: FILCH_SEED=" << seed;
  }
}

// -------------------------------------------------------------------------------------------------
// threads
TEST(spawn_after_graphs, three_threads_depend_on_each_others_tasks) {
  in_each_pool([](thread_pool& pool) {
    constexpr int length = 2000;
    std::array<std::vector<counted>, 3> chains;
    std::array<std::atomic<int>, 3> made{};
    for (auto& each : chains) each.resize(length);
    std::vector<std::thread> threads;
    for (std::size_t me = 0; me != chains.size(); ++me) {
      threads.emplace_back([&, me] {
        for (int i = 0; i < length; ++i) {
          std::vector<counted> before;
          for (std::size_t other = 0; other != chains.size(); ++other)
            if (const int known = std::min(made[other].load(), i); known != 0)
              before.push_back(chains[other][static_cast<std::size_t>(known - 1)]);
          const auto longest = [](std::span<const counted> all) {
            std::uint64_t most = 0;
            for (const counted& each : all) most = std::max(most, each.get());
            return most + 1;
          };
          chains[me][static_cast<std::size_t>(i)] = spawn_after(pool, longest, std::move(before));
          made[me] = i + 1;
        }
      });
    }
    for (std::thread& each : threads) each.join();
    for (auto& chain : chains) EXPECT_EQ(chain.back().get(), length);
  });
}

// A successor is added while its task ends, again and again.
TEST(spawn_after_graphs, a_successor_meets_the_end_of_its_task) {
  in_each_pool([](thread_pool& pool) {
    for (int round = 0; round < (base::is_sanitized ? 2'000 : 20'000); ++round) {
      const auto first = spawn_after(pool, [] { return 1; });
      for (int i = 0; i < round % 64; ++i) base::cpu_relax();
      const auto second = spawn_after(
          pool, [](int n) { return n + 1; }, first);
      const auto third = spawn_after(
          pool, [](int a, int b) { return a + b; }, first, second);
      ASSERT_EQ(third.get(), 3);
    }
  });
}

TEST(spawn_after_graphs, a_pool_ends_when_all_tasks_have_ended) {
  std::atomic<int> ran{0};
  for (int round = 0; round < 100; ++round) {
    in_each_pool([&](thread_pool& pool) {
      const auto first = spawn_after(pool, [&]() -> task<> {
        co_await co::yield();
        ++ran;
      });
      shared_join_handle<> last = first;
      for (int i = 0; i < 9; ++i)
        last = spawn_after(
            pool, [&] { ++ran; }, last, first);
    });
  }
  EXPECT_EQ(ran, 3000);
}

TEST(spawn_after_graphs, a_pool_waits_for_tasks_that_wait_for_another_pool) {
  std::atomic<int> ran{0};
  for (int round = 0; round < 100; ++round) {
    thread_pool other{{.workers = 1}};
    thread_pool pool{{.workers = 1}};
    const auto first = spawn_after(other, [&]() -> task<> {
      co_await co::yield();
      ++ran;
    });
    spawn_after(
        pool, [&] { ++ran; },
        spawn_after(
            pool, [&] { ++ran; }, first));
    spawn_after(
        pool, [&] { ++ran; }, spawn(other, []() -> task<> { co_return; }()));
  }
  EXPECT_EQ(ran, 400);
}

// While a long chain runs on the only worker, other jobs get their turn.
TEST(spawn_after_graphs, a_chain_lets_others_go_first_now_and_then) {
  thread_pool pool{{.workers = 1}};
  std::atomic<bool> may_begin{false};
  std::atomic<int> at{0}, seen{-1};
  shared_join_handle<> last = spawn_after(pool, [&] {
    while (!may_begin) std::this_thread::yield();
  });
  for (int i = 0; i < 100'000; ++i)
    last = spawn_after(
        pool, [&] { ++at; }, last);
  pool.submit([&] { seen = at.load(); });
  may_begin = true;
  last.get();
  EXPECT_GE(seen, 0);
  EXPECT_LT(seen, 10'000);  // 64 tasks a turn, and every 61st turn is for jobs from outside
}

TEST(spawn_after_graphs, idle_workers_take_what_becomes_ready_at_once) {
  thread_pool pool{{.workers = 2}};
  pool.warm_up();
  std::atomic<int> begun{0};
  const auto first = spawn_after(pool, [] {});
  const auto meet = [&] {
    ++begun;
    while (begun < 2) std::this_thread::yield();
  };
  const auto left = spawn_after(pool, meet, first), right = spawn_after(pool, meet, first);
  left.get();
  right.get();
}

}  // namespace
}  // namespace filch
