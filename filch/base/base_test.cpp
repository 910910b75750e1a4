#include <filch/base/clock.hpp>
#include <filch/base/membarrier.hpp>
#include <filch/base/mutex.hpp>
#include <filch/base/panic.hpp>
#include <filch/base/parker.hpp>
#include <filch/base/reservation.hpp>
#include <filch/base/rng.hpp>
#include <filch/base/sort_stably.hpp>
#include <filch/base/thread.hpp>

#include <gtest/gtest.h>

#include <pthread.h>
#if defined(__linux__)
#include <sys/prctl.h>
#endif

#include <atomic>
#include <chrono>
#include <csignal>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

namespace {

using namespace filch::base;

TEST(parker, a_token_left_before_is_taken_at_once) {
  parker mine;
  mine.unpark();
  mine.unpark();  // at most one is kept
  mine.park();
  EXPECT_FALSE(mine.park_for(1000));
}

TEST(parker, wakes_its_thread_every_time_and_shows_what_was_written_before) {
  parker ping;
  parker pong;
  int box = 0;
  constexpr int rounds = 20'000;
  std::thread other([&] {
    for (int i = 1; i <= rounds; ++i) {
      ping.park();
      ASSERT_EQ(box, i);
      pong.unpark();
    }
  });
  for (int i = 1; i <= rounds; ++i) {
    box = i;
    ping.unpark();
    pong.park();
  }
  other.join();
}

TEST(parker, a_timed_park_ends_and_says_why) {
  parker mine;
  const std::uint64_t begin = now_ns();
  EXPECT_FALSE(mine.park_for(2'000'000));
  EXPECT_GE(now_ns() - begin, 2'000'000u);
}

// As signals of a profiler's timer. Each ends the system call, which must not begin anew for the
// full time.
TEST(parker, a_timed_park_ends_though_signals_come_more_often) {
  struct sigaction interrupt = {}, before = {};
  interrupt.sa_handler = [](int) {};
  ASSERT_EQ(::sigaction(SIGUSR1, &interrupt, &before), 0);
  std::atomic<bool> has_ended{false};
  int signals = 0;
  std::thread signaller([&, sleeper = ::pthread_self()] {
    for (; !has_ended && signals < 2'000; ++signals) {
      ::pthread_kill(sleeper, SIGUSR1);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  });
  parker mine;
  EXPECT_FALSE(mine.park_for(20'000'000));
  has_ended = true;
  signaller.join();
  EXPECT_LT(signals, 2'000);
  ::sigaction(SIGUSR1, &before, nullptr);
}

// The kernel may end a futex wait for its own reasons. (cppcoro#114: such a return was taken for a
// wake)
TEST(parker, a_signal_does_not_end_a_park) {
  struct sigaction interrupt = {}, before = {};
  interrupt.sa_handler = [](int) {};  // and no SA_RESTART: the wait returns
  ASSERT_EQ(::sigaction(SIGUSR1, &interrupt, &before), 0);
  parker mine;
  std::atomic<bool> is_up{false};
  std::thread sleeper([&] {
    mine.park();
    is_up = true;
  });
  for (int i = 0; i < 20; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (!is_up) ::pthread_kill(sleeper.native_handle(), SIGUSR1);
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_FALSE(is_up);
  mine.unpark();
  sleeper.join();
  ::sigaction(SIGUSR1, &before, nullptr);
}

TEST(mutex, excludes) {
  mutex lock;
  long count = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int j = 0; j < 20'000; ++j) {
        const lock_guard hold{lock};
        count = count + 1;
      }
    });
  }
  for (auto& each : threads) each.join();
  EXPECT_EQ(count, 80'000);
  EXPECT_TRUE(lock.try_lock());
  EXPECT_FALSE(lock.try_lock());
  lock.unlock();
}

TEST(reservation, reads_as_zero_and_names_what_it_could_not_get) {
  reservation room(1 << 20);
  EXPECT_EQ(static_cast<const char*>(room.data())[12345], 0);
  try {
    reservation impossible(std::size_t{1} << 60);
    FAIL() << "an exbibyte was granted";
  } catch (const std::system_error& refused) {
    EXPECT_NE(std::string(refused.what()).find("fork stack"), std::string::npos);
  }
}

TEST(panic, prints_condition_and_values_and_aborts) {
  const int top = 7;
  EXPECT_DEATH(FILCH_ASSERT(top < 3, "top ran away", top),
               "top ran away(.|\n)*top < 3(.|\n)*values: top = 7");
}

TEST(rng, below_stays_below_and_reaches_every_value) {
  split_mix64 random{1};
  unsigned seen = 0;
  for (int i = 0; i < 1000; ++i) {
    const std::uint32_t drawn = below(random(), 10);
    ASSERT_LT(drawn, 10u);
    seen |= 1u << drawn;
  }
  EXPECT_EQ(seen, 1023u);
}

TEST(membarrier, where_it_is_there_it_can_be_called) {
  if (has_asymmetric_fence()) {
    heavy_fence();
  }
  light_fence();
}

TEST(sort_stably, keeps_the_order_of_equal_elements) {
  std::vector<std::pair<int, int>> all;
  for (int i = 0; i < 500; ++i) all.emplace_back(i * 7 % 10, i);
  sort_stably(all, std::greater{}, &std::pair<int, int>::first);
  ASSERT_EQ(all.size(), 500u);
  for (std::size_t i = 1; i < all.size(); ++i) {
    EXPECT_TRUE(all[i - 1].first > all[i].first ||
                (all[i - 1].first == all[i].first && all[i - 1].second < all[i].second))
        << i;
  }
}

#if defined(__linux__)
/// How much later than requested the sleeps of this thread may end, in nanoseconds: the part of a
/// turn that all kernels report.
int slack_ns() { return ::prctl(PR_GET_TIMERSLACK); }

TEST(turns, are_given_back_as_they_were_and_not_passed_on) {
  std::thread user{[] {
    constexpr int wanted_ns = 30'000;
    ::prctl(PR_SET_TIMERSLACK, wanted_ns);
    take_turns_of(turn_length::shortest);
    EXPECT_LT(slack_ns(), wanted_ns);
    int inherited_ns = 0;
    start_thread(1, [&] { inherited_ns = slack_ns(); }).join();
    EXPECT_EQ(inherited_ns, wanted_ns);
    take_turns_of(turn_length::shortest);
    take_turns_of(turn_length::usual);
    EXPECT_EQ(slack_ns(), wanted_ns);
  }};
  user.join();
}
#endif

}  // namespace
