// Work that belongs to one thread.
#include <filch/graph/graph_on_test.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <vector>

namespace filch::inline v0_2 {
namespace {

using namespace std::chrono_literals;

TEST(thread_queue, runs_what_was_submitted_in_order_on_its_thread) {
  thread_queue mine;
  std::vector<int> ran;
  const auto here = std::this_thread::get_id();
  bool is_here = true;
  std::thread other{[&] {
    for (int i = 0; i < 100; ++i)
      mine.submit([&, i] {
        ran.push_back(i);
        is_here &= std::this_thread::get_id() == here;
      });
  }};
  mine.run_until([&] { return ran.size() == 100; });
  other.join();
  EXPECT_TRUE(is_here);
  for (std::size_t i = 0; i < ran.size(); ++i) EXPECT_EQ(ran[i], static_cast<int>(i));
}

TEST(thread_queue, run_pending_runs_what_is_there_and_no_more) {
  thread_queue mine;
  int ran = 0;
  EXPECT_EQ(mine.run_pending(), 0u);
  for (int i = 0; i < 3; ++i)
    mine.submit([&] {
      ++ran;
      mine.submit([&] { ++ran; });
    });
  EXPECT_EQ(mine.run_pending(), 3u);
  EXPECT_EQ(ran, 3);
  EXPECT_EQ(mine.run_pending(), 3u);
  EXPECT_EQ(ran, 6);
}

TEST(thread_queue, a_piece_of_work_may_run_the_others) {
  thread_queue mine;
  int ran = 0;
  mine.submit([&] { EXPECT_EQ(mine.run_pending(), 2u); });
  for (int i = 0; i < 2; ++i) mine.submit([&] { ++ran; });
  EXPECT_EQ(mine.run_pending(), 1u);
  EXPECT_EQ(ran, 2);
}

TEST(thread_queue, wake_lets_run_until_ask_again) {
  for (int i = 0; i < 100; ++i) {
    thread_queue mine;
    std::atomic<bool> done{false};
    std::thread other{[&] {
      done = true;
      mine.wake();
    }};
    mine.run_until([&] { return done.load(); });
    other.join();
  }
}

TEST(thread_queue, an_exception_of_submitted_work_comes_out_and_the_rest_stays) {
  thread_queue mine;
  int ran = 0;
  mine.submit([] { throw std::runtime_error("as the test wants"); });
  mine.submit([&] { ++ran; });
  EXPECT_THROW(mine.run_until([&] { return ran == 1; }), std::runtime_error);
  EXPECT_EQ(ran, 0);
  mine.run_until([&] { return ran == 1; });
  struct refuses {
    refuses() = default;
    refuses(const refuses&) { throw std::runtime_error("no copy"); }
    void operator()() const {}
  };
  const refuses one;
  EXPECT_THROW(mine.submit(one), std::runtime_error);
  EXPECT_EQ(mine.run_pending(), 0u);
}

TEST(thread_queue, drops_what_has_not_run) {
  struct counts {
    std::shared_ptr<int> held;
    void operator()() { ++*held; }
  };
  const auto ran = std::make_shared<int>(0);
  {
    thread_queue mine;
    for (int i = 0; i < 3; ++i) mine.submit(counts{ran});
    EXPECT_EQ(ran.use_count(), 4);
  }
  EXPECT_EQ(ran.use_count(), 1);
  EXPECT_EQ(*ran, 0);
}

TEST(thread_queue, there_is_one_for_each_thread) {
  {
    const thread_queue mine;
    EXPECT_THROW(thread_queue{}, std::logic_error);
    std::thread other{[] { const thread_queue its; }};
    other.join();
  }
  const thread_queue again;
}

}  // namespace
}  // namespace filch
