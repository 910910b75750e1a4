// Programs on a simulated machine: times that can be calculated by hand, and equal runs.
#include <filch/filch.hpp>
#include <filch/testing/machine/scale.hpp>
#include <filch/testing/points.hpp>

#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <stdexcept>
#include <vector>

namespace {

namespace testing_ = filch::testing;
using testing_::machine;
using testing_::scale;
using testing_::scale_point;

machine with_cores(unsigned count) {
  machine made;
  made.cores_per_cache = count;
  return made;
}

scale_point run(unsigned workers, const machine& on, const std::function<void()>& body) {
  return scale(body, on, std::array{workers}).at(0);
}

int tree(int depth, std::uint64_t leaf_ns) {
  if (depth == 0) {
    testing_::spend(leaf_ns);
    return 1;
  }
  const auto [left, right] = filch::join([=] { return tree(depth - 1, leaf_ns); },
                                         [=] { return tree(depth - 1, leaf_ns); });
  return left + right;
}

TEST(scale, charges_what_a_body_spends) {
  const scale_point point = run(1, with_cores(1), [] { testing_::spend(1'000'000); });
  EXPECT_EQ(point.workers, 1u);
  EXPECT_EQ(point.ns, 1'000'000u);
  EXPECT_EQ(point.cpu_ns, 1'000'000u);
  EXPECT_EQ(point.spent_ns, 1'000'000u);
}

TEST(scale, runs_a_tree_of_long_leaves_as_fast_as_cores_allow) {
  constexpr int depth = 13;
  constexpr std::uint64_t leaf_ns = 6'250;
  for (const unsigned workers : {1u, 2u, 4u, 8u}) {
    int leaves = 0;
    const scale_point point = run(workers, with_cores(8), [&] { leaves = tree(depth, leaf_ns); });
    EXPECT_EQ(leaves, 1 << depth);
    const double best = static_cast<double>(leaf_ns << depth) / workers;
    EXPECT_GT(static_cast<double>(point.ns), best);
    EXPECT_LT(static_cast<double>(point.ns), 1.1 * best) << workers << " workers";
    EXPECT_EQ(point.spent_ns, leaf_ns << depth);
  }
}

TEST(scale, shares_a_core_between_threads) {
  const scale_point point = run(1, with_cores(1), [] {
    testing_::thread other("other", [] { testing_::spend(20'000'000); });
    testing_::spend(20'000'000);
    other.join();
  });
  EXPECT_GE(point.ns, 40'000'000u);
  EXPECT_LT(point.ns, 41'000'000u);
}

TEST(scale, sleeps_on_the_virtual_clock) {
  machine on = with_cores(1);
  on.timer_latency = 7'000;
  const scale_point point = run(1, on, [] { testing_::nap(std::chrono::milliseconds(3)); });
  EXPECT_GE(point.ns, 3'007'000u);
  EXPECT_LT(point.ns, 3'010'000u);
  EXPECT_LT(point.cpu_ns, 10'000u);
}

TEST(scale, names_the_line_that_all_wait_for) {
  filch::base::atomic<long> counter{0};
  const scale_point point = run(4, with_cores(4), [&] {
    filch::parallel_for(filch::with(filch::grain_items{10}), 0, 100'000, [&](int) {
      counter.fetch_add(1, filch::base::relaxed);
      testing_::spend(20);
    });
  });
  ASSERT_FALSE(point.hottest.empty());
  EXPECT_GT(point.hottest[0].share, 0.2);
  ASSERT_FALSE(point.hottest[0].places.empty());
  EXPECT_EQ(point.hottest[0].places[0].what, "fetch_add");
  EXPECT_NE(point.hottest[0].places[0].file.find("scale_test.cpp"), std::string::npos);
  EXPECT_GT(point.hottest[0].places[0].count, 1000u);
}

TEST(scale, charges_for_lines_that_move_between_cores) {
  std::vector<char> data(1 << 16);
  const auto touch_all = [&](bool writes) { testing_::touch(data.data(), data.size(), writes); };
  const scale_point alone = run(1, with_cores(2), [&] { touch_all(true); });
  const scale_point moved = run(1, with_cores(2), [&] {
    testing_::thread other("other", [&] { touch_all(true); });
    other.join();
    touch_all(false);
  });
  EXPECT_EQ(alone.waited_ns, 0u) << "the first run has fetched them";
  // 1,024 lines from the other core, ten at a time
  EXPECT_GT(moved.waited_ns, 1024u * 40 / 10);
}

TEST(scale, repeats_a_run) {
  const auto body = [] { tree(12, 300); };
  const scale_point first = run(4, with_cores(4), body), second = run(4, with_cores(4), body);
  EXPECT_EQ(first.spent_ns, second.spent_ns);
  // Objects lie at other addresses, so other ones share a line
  EXPECT_NEAR(static_cast<double>(first.ns), static_cast<double>(second.ns),
              0.05 * static_cast<double>(first.ns));
}

/// How long the threads take for so many additions together, a way between two cores being 40 ns.
std::uint64_t counted_ns(unsigned threads, int additions) {
  filch::base::atomic<long> counter{0};
  return run(1, with_cores(2),
             [&] {
               const auto add = [&] {
                 for (unsigned i = 0; i < additions / threads; ++i)
                   counter.fetch_add(1, filch::base::relaxed);
               };
               testing_::thread first("first", add);
               if (threads == 1) return;
               testing_::thread second("second", add);
             })
      .ns;
}

TEST(scale, makes_a_shared_counter_slower_than_one_core_alone) {
  constexpr int additions = 100'000;
  EXPECT_GT(counted_ns(2, additions), counted_ns(1, additions));
}

TEST(scale, takes_a_way_between_cores_for_each_word_that_is_answered) {
  constexpr unsigned ways = 2000;
  filch::base::atomic<unsigned> word{0};
  const scale_point point = run(1, with_cores(2), [&] {
    const auto answer = [&](unsigned mine) {
      for (unsigned i = mine; i < ways; i += 2) {
        while (word.load(filch::base::relaxed) != i) {
        }
        word.store(i + 1, filch::base::relaxed);
      }
    };
    word.store(0, filch::base::relaxed);
    testing_::thread other("other", [&] { answer(1); });
    answer(0);
    other.join();
  });
  // The other core's look takes the line away, and the store takes it back without data
  const double expected_ns = (40 + 0.55 * 40) * ways;
  EXPECT_NEAR(static_cast<double>(point.ns), expected_ns, 0.2 * expected_ns);
}

TEST(scale, shows_a_store_as_soon_as_its_line_can_come) {
  machine on = with_cores(2);
  on.clock = 0.001;
  filch::base::atomic<bool> is_set{false};
  std::uint64_t set_at = 0, seen_at = 0;
  run(1, on, [&] {
    is_set.store(false, filch::base::relaxed);
    testing_::thread other("other", [&] {
      while (!is_set.load(filch::base::relaxed)) filch::base::cpu_relax();
      seen_at = filch::base::now_ns();
    });
    testing_::spend(100'000);
    is_set.store(true, filch::base::relaxed);
    set_at = filch::base::now_ns();
    other.join();
  });
  EXPECT_GE(seen_at, set_at);
  EXPECT_LE(seen_at, set_at + 2 * 40 + 2 * 25);  // ways and pauses
}

TEST(scale, gives_each_thread_of_a_core_its_time_slice) {
  std::uint64_t begin = 0, first_turn = 0;
  run(1, with_cores(1), [&] {
    begin = filch::base::now_ns();
    testing_::thread other("other", [&] { first_turn = filch::base::now_ns(); });
    testing_::spend(20'000'000);
  });
  EXPECT_GE(first_turn, begin + 3'000'000);
  EXPECT_LT(first_turn, begin + 3'500'000);
}

TEST(scale, runs_a_woken_thread_when_the_wake_has_reached_it) {
  machine on = with_cores(2);
  on.wake_latency = 50'000;
  std::uint64_t unlocked = 0, locked = 0;
  run(1, on, [&] {
    testing_::mutex lock("the lock");
    lock.lock();
    testing_::thread other("other", [&] {
      lock.lock();
      locked = filch::base::now_ns();
      lock.unlock();
    });
    testing_::spend(1'000'000);
    unlocked = filch::base::now_ns();
    lock.unlock();
  });
  EXPECT_GE(locked, unlocked + 50'000);
  EXPECT_LT(locked, unlocked + 60'000);
}

TEST(scale, says_what_waits_in_a_deadlock) {
  const auto body = [] {
    testing_::mutex lock("the lock");
    lock.lock();
    lock.lock();
  };
  try {
    run(1, with_cores(1), body);
    FAIL() << "a deadlock ended";
  } catch (const std::runtime_error& failure) {
    EXPECT_NE(std::string(failure.what()).find("deadlock"), std::string::npos) << failure.what();
    EXPECT_NE(std::string(failure.what()).find("the lock"), std::string::npos) << failure.what();
  }
}

TEST(scale, says_which_threads_a_body_leaves) {
  const auto body = [] {
    auto* const lock = new testing_::mutex("the lock");  // the thread that is left reads it
    lock->lock();
    new testing_::thread("left", [lock] { lock->lock(); });
    testing_::nap(std::chrono::milliseconds(1));  // it waits when the body ends
  };
  try {
    run(1, with_cores(2), body);
    FAIL() << "a thread was left";
  } catch (const std::runtime_error& failure) {
    EXPECT_NE(std::string(failure.what()).find("waits for the lock"), std::string::npos);
  }
}

TEST(scale, refuses_a_machine_of_too_many_cores) {
  EXPECT_THROW(run(1, with_cores(257), [] {}), std::invalid_argument);
  EXPECT_THROW(run(1, with_cores(0), [] {}), std::invalid_argument);
}

}  // namespace
