// Algorithms that may use only some threads.
#include <filch/algo.hpp>
#include <filch/algo/algo_test.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <barrier>
#include <functional>
#include <iterator>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>

namespace filch::inline v0_2::algo {
namespace {

/// Counts the threads that are in a body at once.
class crowd {
 public:
  void pass() {
    const int now = ++inside_;
    for (int most = most_; most < now && !most_.compare_exchange_weak(most, now);) {
    }
    for (int i = 0; i != 50; ++i) base::cpu_relax();
    if (++passed_ % 64 == 0) std::this_thread::yield();
    --inside_;
  }
  int most() const { return most_; }

 private:
  std::atomic<int> inside_{0}, most_{0}, passed_{0};
};

constexpr int count = 20'000;

std::vector<int> mixed() {
  std::vector<int> values(count);
  for (int i = 0; i != count; ++i) values[static_cast<std::size_t>(i)] = i * 7919 % count;
  return values;
}

using call = std::function<void(const settings&, crowd&)>;

using named_calls = std::vector<std::pair<const char*, call>>;

named_calls loops_and_scans() {
  return {
      {"parallel_for",
       [](auto& how, crowd& all) { parallel_for(how, 0, count, [&](int) { all.pass(); }); }},
      {"a box",
       [](auto& how, crowd& all) {
         parallel_for(how, blocked_range(index_range(0, 100), index_range(0, 100)),
                      [&](int, int) { all.pass(); });
       }},
      {"reduce",
       [](auto& how, crowd& all) {
         const std::string text = parallel_reduce(
             how, 0, 2'000, std::string(),
             [&](int i) { return all.pass(), std::to_string(i) + ' '; }, std::plus<>{});
         EXPECT_EQ(text.size(), 8'890u);
       }},
      {"find_if",
       [](auto& how, crowd& all) {
         find_if(how, mixed(), [&](int) { return all.pass(), false; });
       }},
      {"inclusive_scan",
       [](auto& how, crowd& all) {
         std::vector<long> sums(count);
         inclusive_scan(
             how, mixed(), sums.begin(), [&](long a, long b) { return all.pass(), a + b; }, 0L);
         EXPECT_EQ(sums.back(), long{count} * (count - 1) / 2);
       }},
      {"copy_if",
       [](auto& how, crowd& all) {
         std::vector<int> odd(count);
         EXPECT_EQ(copy_if(
                       how, mixed(), odd.begin(),
                       [&](int value) {
                         return all.pass(), value % 2 == 1;
                       }).out -
                       odd.begin(),
                   count / 2);
       }},
      {"count_by_key",
       [](auto& how, crowd& all) {
         EXPECT_EQ(
             count_by_key(how, mixed(), [&](int value) { return all.pass(), value % 10; }).size(),
             10u);
       }},
      {"for_each_worklist",
       [](auto& how, crowd& all) {
         for_each_worklist(how, std::vector<int>{12}, [&](int left, feeder<int>& more) {
           all.pass();
           for (int i = 0; i < (left > 0 ? 2 : 0); ++i) more.add(left - 1);
         });
       }},
      {"pipeline",
       [](auto& how, crowd& all) {
         int next = 0;
         pipeline(
             how, {}, [&] { return next < 2'000 ? std::optional(next++) : std::nullopt; },
             parallel_stage([&](int value) { return all.pass(), value; }));
       }},
  };
}

named_calls sorts() {
  return {
      {"sort",
       [](auto& how, crowd& all) {
         auto values = mixed();
         sort(how, values, [&](int a, int b) { return all.pass(), a < b; });
         EXPECT_TRUE(std::ranges::is_sorted(values));
       }},
      {"stable_sort",
       [](auto& how, crowd& all) {
         auto values = mixed();
         stable_sort(how, values, [&](int a, int b) { return all.pass(), a < b; });
         EXPECT_TRUE(std::ranges::is_sorted(values));
       }},
      {"integer_sort",
       [](auto& how, crowd& all) {
         auto values = mixed();
         integer_sort(how, values,
                      [&](int value) { return all.pass(), static_cast<unsigned>(value); });
         EXPECT_TRUE(std::ranges::is_sorted(values));
       }},
  };
}

TEST(share, bounds_how_many_threads_an_algorithm_uses) {
  thread_pool pool({.workers = 4});
  named_calls calls = loops_and_scans();
  std::ranges::move(sorts(), std::back_inserter(calls));
  for (const auto& [name, run] : calls) {  // one of each kind of division
    for (const unsigned threads : {1u, 2u, 3u}) {
      crowd all;
      share some(threads);
      pool.run([&, &one = run] { one(with(some), all); });
      EXPECT_LE(all.most(), static_cast<int>(threads)) << name;
      crowd others;
      pool.run([&, &one = run] { one(with(at_most{threads}), others); });
      EXPECT_LE(others.most(), static_cast<int>(threads)) << name << ", at_most";
    }
  }
}

TEST(share, is_used_up) {
  thread_pool pool({.workers = 4});
  share two(2);
  for (int round = 0; round != 20; ++round) {
    std::barrier both(2);
    pool.run([&] {
      parallel_for(with(two, grain_items{1}), 0, 2, [&](int) { both.arrive_and_wait(); });
    });
    pool.run([&] {
      parallel_for(with(at_most{2}, grain_items{1}), 0, 2, [&](int) { both.arrive_and_wait(); });
    });
  }
}

TEST(share, is_for_all_calls_that_are_given_it) {
  thread_pool pool({.workers = 4});
  share two(2);
  crowd all;
  std::vector<std::thread> callers;
  for (int i = 0; i != 2; ++i) {
    callers.emplace_back([&] {
      for (int round = 0; round != 10; ++round)
        pool.run([&] { parallel_for(with(two), 0, 2'000, [&](int) { all.pass(); }); });
    });
  }
  for (std::thread& each : callers) each.join();
  EXPECT_LE(all.most(), 4) << "two of the share, and two callers that found both places taken";
}

// More callers than threads: each begins, and none waits for another.
TEST(share, keeps_no_caller_waiting) {
  thread_pool pool({.workers = 2});
  share one(1);
  std::barrier all(3);
  std::vector<std::thread> callers;
  for (int i = 0; i != 3; ++i) {
    callers.emplace_back([&] {
      pool.run([&] {
        parallel_for(with(one, grain_items{1}), 0, 2, [&](int at) {
          if (at == 0) all.arrive_and_wait();
        });
      });
    });
  }
  for (std::thread& each : callers) each.join();
}

TEST(share, is_whole_again_after_an_exception) {
  thread_pool pool({.workers = 4});
  share two(2);
  for (int round = 0; round != 100; ++round) {
    EXPECT_THROW(pool.run([&] {
      parallel_for(with(two, grain_items{1}), 0, 100, [&](int i) {
        if (i % 7 == round % 7) throw round;
      });
    }),
                 int);
  }
  std::barrier both(2);
  pool.run(
      [&] { parallel_for(with(two, grain_items{1}), 0, 2, [&](int) { both.arrive_and_wait(); }); });
}

TEST(share, of_options_is_one_for_each_copy_of_them) {
  const settings how = with(at_most{2});
  const settings copy = how, same = how.with_same_limit();
  EXPECT_NE(how.limit(), nullptr);
  EXPECT_NE(copy.limit(), how.limit());
  EXPECT_EQ(same.limit(), how.limit());
  const settings none = with();
  EXPECT_EQ(none.limit(), nullptr);
}

TEST(share, of_no_threads_is_refused) {
  EXPECT_THROW(share{0}, std::invalid_argument);
  EXPECT_THROW(with(at_most{0}), std::invalid_argument);
}

}  // namespace
}  // namespace filch::algo
