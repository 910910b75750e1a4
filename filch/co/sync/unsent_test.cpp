// A value that was not sent comes back, whatever kept it from being sent.
#include <filch/co.hpp>
#include <filch/sync.hpp>
#include <filch/timers.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <thread>
#include <vector>

namespace filch::inline v0_2::co::sync {
namespace {

using namespace std::chrono_literals;
using owner = std::unique_ptr<int>;

constexpr unsigned widths[] = {1, 2, 5};

owner make(int number) { return std::make_unique<int>(number); }
int take(send_outcome<owner>& unsent) {
  const owner back = unsent.take_back();
  return back == nullptr ? 0 : *back;
}

TEST(unsent, comes_back_when_the_time_is_over) {
  for (const unsigned workers : widths) {
    thread_pool pool{{.workers = workers}};
    channel<owner> full{1};
    EXPECT_TRUE(block_on(pool, with_timeout(full.send(make(1)), 1h)));
    send_outcome<owner> late = block_on(pool, with_timeout(full.send(make(2)), 1ms));
    EXPECT_FALSE(late);
    EXPECT_EQ(late, send_result::timed_out);
    EXPECT_EQ(take(late), 2);
    auto kept = full.send(make(3));
    late = block_on(pool, with_deadline(kept, co::now()));
    EXPECT_EQ(take(late), 3);
    EXPECT_EQ(**full.try_receive(), 1);
    EXPECT_FALSE(full.try_receive()) << "nothing was sent besides";
  }
}

TEST(unsent, comes_back_from_what_is_closed) {
  channel<owner> shut{1};
  shut.close();
  send_outcome<owner> back = filch::wait(shut.send(make(1)));
  EXPECT_EQ(back, send_result::closed);
  EXPECT_EQ(take(back), 1);
  back = block_on(with_timeout(shut.send(make(2)), 1h));
  EXPECT_EQ(back, send_result::closed);
  EXPECT_EQ(take(back), 2);

  oneshot<owner> once;
  EXPECT_TRUE(once.send(make(3)));
  back = once.send(make(4));
  EXPECT_EQ(take(back), 4);
  EXPECT_EQ(**filch::wait(once.receive()), 3);

  broadcast<owner> mute{1};
  mute.close();
  back = mute.send(make(5));
  EXPECT_EQ(back, send_result::closed);
  EXPECT_EQ(take(back), 5);
}

task<send_outcome<owner>> send_to(channel<owner>& to, int number) {
  co_return co_await to.send(make(number));
}

TEST(unsent, comes_back_when_the_channel_is_closed_while_it_waits) {
  for (const unsigned workers : widths) {
    thread_pool pool{{.workers = workers}};
    channel<owner> values{0};
    std::vector<join_handle<send_outcome<owner>>> sends;
    for (int i = 1; i <= 10; ++i) sends.push_back(spawn(pool, send_to(values, i)));
    std::this_thread::sleep_for(1ms);
    values.close();
    for (int i = 1; i <= 10; ++i) {
      send_outcome<owner> back = block_on(std::move(sends[static_cast<std::size_t>(i - 1)]));
      EXPECT_EQ(take(back), i);
    }
  }
}

task<int> send_until_stopped(channel<owner>& to, bool& was_stopped) {
  auto sends = to.send(make(7));
  try {
    static_cast<void>(co_await sends);
  } catch (const cancelled&) {
    was_stopped = true;
  }
  co_return *sends.take_back();
}

TEST(unsent, is_still_there_when_the_task_is_asked_to_stop) {
  for (const unsigned workers : widths) {
    thread_pool pool{{.workers = workers}};
    channel<owner> nobody_receives{0};
    bool was_stopped = false;
    join_handle<int> sends = spawn(pool, send_until_stopped(nobody_receives, was_stopped));
    sends.cancel();
    EXPECT_EQ(block_on(std::move(sends)), 7);
    EXPECT_TRUE(was_stopped);
  }
}

task<int> send_in_a_stopped_pool(channel<owner>& to, thread_pool& pool) {
  auto sends = to.send(make(8));
  pool.request_stop();
  try {
    static_cast<void>(co_await with_timeout(sends, 1h));
  } catch (const pool_stopped&) {
    co_return *sends.take_back();
  }
  co_return 0;
}

TEST(unsent, is_still_there_when_a_stopped_pool_begins_no_clock) {
  thread_pool pool{{.workers = 1}};
  channel<owner> nobody_receives{0};
  EXPECT_EQ(block_on(spawn(pool, send_in_a_stopped_pool(nobody_receives, pool))), 8);
}

task<int> send_one_or_receive(channel<owner>& to, channel<owner>& from) {
  auto sends = to.send(make(9));
  const auto first = co_await select(sends, from.receive());
  co_return first.index == 0 ? 0 : *sends.take_back();
}

TEST(unsent, is_still_there_when_a_select_did_something_else) {
  channel<owner> nobody_receives{0}, full{1};
  EXPECT_EQ(full.try_send(make(1)), send_result::sent);
  EXPECT_EQ(block_on(send_one_or_receive(nobody_receives, full)), 9);
}

TEST(unsent, once_in_time_leaves_nothing_to_take_back) {
  ::testing::GTEST_FLAG(death_test_style) = "threadsafe";
  channel<owner> roomy{2};
  auto sends = roomy.send(make(1));
  EXPECT_TRUE(filch::wait(std::move(sends)));
  EXPECT_DEATH(sends.take_back(), "a value that was sent is not taken back");
  EXPECT_DEATH(send_outcome<owner>{}.take_back(), "a value that was not sent is taken back once");
}

/// Sends each number from 1 to `last`, until it has been sent. Returns how many attempts were late.
task<int> insist(channel<owner>& to, int last) {
  int late = 0;
  for (int i = 1; i <= last; ++i) {
    owner value = make(i);
    for (auto sent = co_await with_timeout(to.send(std::move(value)), 20us); !sent; ++late) {
      value = sent.take_back();
      sent = co_await with_timeout(to.send(std::move(value)), 20us);
    }
  }
  to.close();
  co_return late;
}

TEST(unsent, comes_back_or_is_received_but_never_both_nor_neither) {
  for (const unsigned workers : widths) {
    thread_pool pool{{.workers = workers}};
    channel<owner> values{0};
    join_handle<int> sends = spawn(pool, insist(values, 200));
    int next = 0;
    while (const auto found = filch::wait(values.receive())) {
      EXPECT_EQ(**found, ++next);
      if (next % 16 == 0) std::this_thread::sleep_for(100us);
    }
    EXPECT_EQ(next, 200);
    block_on(std::move(sends));
  }
}

}  // namespace
}  // namespace filch::co::sync
