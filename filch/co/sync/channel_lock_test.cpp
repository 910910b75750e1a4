// Channels whose lock is held when another thread comes: order and room are kept.
#include <filch/co/await_spawned_test.hpp>
#include <filch/co/sync/mixed_test.hpp>
#include <filch/co/sync/slow_number_test.hpp>

#include <gtest/gtest.h>

namespace filch::inline v0_2::co::sync {
namespace {

task<> send_number(channel<slow_number>& to, int number, std::atomic<int>& sent) {
  const send_result result = co_await to.send(slow_number{number});
  if (result == send_result::sent) ++sent;
}
task<> find_no_room(channel<slow_number>& in) {
  EXPECT_EQ(in.try_send(9), send_result::would_wait);
  co_return;
}
void wait_for(const std::atomic<int>& count, int at_least) {
  while (count < at_least) std::this_thread::yield();
}

TEST(channel, keeps_order_and_room_for_senders_that_find_the_lock_held) {
  channel<slow_number> values{4};
  stock_up(values, 3);
  try_send(values, 4, 5);
  EXPECT_EQ(values.try_send(9), send_result::would_wait);
  for (int number = 2; number <= 5; ++number) EXPECT_EQ(received(values), number);
  EXPECT_FALSE(values.try_receive());
}

TEST(channel, lets_in_a_waiting_sender_for_each_value_received_from_the_stock) {
  thread_pool pool{{.workers = 1}};
  channel<slow_number> values{4};
  stock_up(values, 3);
  try_send(values, 4, 5);
  std::atomic<int> sent{0};
  std::vector<join_handle<>> senders;
  for (int number = 6; number <= 9; ++number)
    senders.push_back(spawn(pool, send_number(values, number, sent)));
  block_on(spawn(pool, find_no_room(values)));  // behind all of them
  for (int number = 2; number <= 5; ++number) {
    EXPECT_EQ(received(values), number);
    wait_for(sent, number - 1);
    EXPECT_EQ(sent, number - 1) << "one for each";
    EXPECT_EQ(values.try_send(10), send_result::would_wait) << "the room is a waiting sender's";
  }
  for (int number = 6; number <= 9; ++number) EXPECT_EQ(received(values), number);
  for (join_handle<>& each : senders) block_on(pool, await_spawned(std::move(each)));
}

TEST(channel, sees_room_that_is_made_while_one_comes_to_send) {
  channel<slow_number> values{4};
  gate at;
  slow_number second{2, 3, at};  // to `stock_up`, into the channel, out of it
  stock_up(values, 3, std::move(second));
  try_send(values, 4, 5);
  std::thread receives{[&] { EXPECT_EQ(received(values), 2); }};
  at.come();
  try_send(values, 6, 6);  // waits for the lock of the stock
  receives.join();
  for (int number = 3; number <= 6; ++number) EXPECT_EQ(received(values), number);
}

task<> select_what_can_be_done(channel<slow_number>& half_full, channel<int>& ready, int& sent) {
  for (int i = 0; i < 200; ++i) {
    const auto done = co_await select(half_full.send(slow_number{9}), ready.receive());
    if (done.index == 0) {
      ++sent;
      EXPECT_TRUE(half_full.try_receive());
    } else {
      EXPECT_EQ(ready.try_send(1), send_result::sent);
    }
  }
}
task<send_result> send_when_asked_to_stop(channel<slow_number>& to, async_event& goes_on) {
  try {
    co_await goes_on.wait();
  } catch (const cancelled&) {
  }
  co_return co_await to.send(slow_number{9});
}

TEST(channel, sends_without_a_wait_where_the_stock_has_made_room) {
  thread_pool pool{{.workers = 1}};
  channel<slow_number> values{4};
  stock_up(values, 3);
  try_send(values, 4, 5);
  for (int number = 2; number <= 3; ++number) EXPECT_EQ(received(values), number);
  async_event never;
  join_handle<send_result> sends = spawn(pool, send_when_asked_to_stop(values, never));
  sends.cancel();
  EXPECT_EQ(block_on(pool, await_spawned(std::move(sends))), send_result::sent);
  channel<int> ready{2};
  EXPECT_EQ(ready.try_send(1), send_result::sent);
  int sent = 0;
  block_on(spawn(pool, select_what_can_be_done(values, ready, sent)));
  EXPECT_GT(sent, 50) << "each is as likely as the other";
}

TEST(channel, closed_gives_what_was_taken_along) {
  channel<slow_number> values{4};
  stock_up(values, 3);
  values.close();
  for (int number = 2; number <= 3; ++number)
    EXPECT_EQ(filch::wait(values.receive()).value().value(), number);
  EXPECT_FALSE(filch::wait(values.receive()));
}

foreign_coroutine send_two_as_a_stranger(channel<int>& to) {
  for (int i = 1; i <= 2; ++i) static_cast<void>(co_await to.send(i));
}

TEST(channel, wakes_nobody_under_its_lock) {
  channel<int> values{0};
  const foreign_coroutine sends = send_two_as_a_stranger(values);
  EXPECT_EQ(values.try_receive(), 1);  // runs the sender, to its next send
  EXPECT_EQ(values.try_receive(), 2);
  EXPECT_TRUE(sends.has_ended());
}

}  // namespace
}  // namespace filch::co::sync
