// Channels: every value comes out once, in order, and closing leaves no waiter behind.
#include <filch/co/sync/mixed_test.hpp>

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace filch::inline v0_2::co::sync {
namespace {

struct tally {
  std::atomic<long> sum{0};
  std::atomic<long> count{0};
  void add(long value) {
    sum += value;
    ++count;
  }
};

task<> send_often(channel<long>& to, int times) {
  for (long i = 1; i <= times; ++i) EXPECT_EQ(co_await to.send(i), send_result::sent);
}
task<> receive_until_closed(channel<long>& from, tally& all) {
  while (const std::optional<long> found = co_await from.receive()) all.add(*found);
}
void send_often_by_thread(channel<long>& to, int times) {
  for (long i = 1; i <= times; ++i) EXPECT_EQ(filch::wait(to.send(i)), send_result::sent);
}
void receive_until_closed_by_thread(channel<long>& from, tally& all) {
  while (const std::optional<long> found = filch::wait(from.receive())) all.add(*found);
}

class channels : public ::testing::TestWithParam<std::size_t> {};

TEST_P(channels, bring_each_value_once_from_any_sender_to_any_receiver) {
  constexpr int times = 300;
  for (const unsigned workers : widths) {
    thread_pool pool{{.workers = workers}};
    channel<long> values{GetParam()};
    tally all;
    std::thread receives{[&] {
      run_mixed(
          pool, 2, [&](int) { return receive_until_closed(values, all); },
          [&](int) { receive_until_closed_by_thread(values, all); });
    }};
    run_mixed(
        pool, 2, [&](int) { return send_often(values, times); },
        [&](int) { send_often_by_thread(values, times); });
    values.close();
    receives.join();
    EXPECT_EQ(all.count, 6 * times);
    EXPECT_EQ(all.sum, 6L * times * (times + 1) / 2);
  }
}

INSTANTIATE_TEST_SUITE_P(of_capacity, channels, ::testing::Values(0, 1, 3, 100, unbounded));

task<> check_order(channel<int>& from, int count) {
  for (int i = 0; i < count; ++i) EXPECT_EQ(co_await from.receive(), i);
}
task<> send_in_order(channel<int>& to, int count) {
  for (int i = 0; i < count; ++i) EXPECT_EQ(co_await to.send(i), send_result::sent);
}

TEST(channel, keeps_the_order_of_a_sender) {
  for (const std::size_t capacity : {std::size_t{0}, std::size_t{1}, std::size_t{7}, unbounded}) {
    for (const unsigned workers : widths) {
      thread_pool pool{{.workers = workers}};
      channel<int> values{capacity};
      join_handle<> receives = spawn(pool, check_order(values, 1000));
      block_on(spawn(pool, send_in_order(values, 1000)));
      block_on(std::move(receives));
    }
  }
}

task<> send_one(channel<char>& to, char value) { static_cast<void>(co_await to.send(value)); }
task<> receive_one(channel<char>& from, std::string& order, char who) {
  const std::optional<char> found = co_await from.receive();
  order += {who, found.value_or('-')};
}
task<> come_in_order(channel<char>& values, std::string& order) {
  scope nursery;
  for (const char who : {'1', '2', '3'}) {
    nursery.spawn(receive_one(values, order, who));
    co_await co::yield();
  }
  for (const char value : {'a', 'b', 'c', 'd', 'e', 'f'}) {
    nursery.spawn(send_one(values, value));
    co_await co::yield();
  }
  for (const char who : {'4', '5', '6'}) {
    nursery.spawn(receive_one(values, order, who));
    co_await co::yield();
  }
  co_await nursery.join();
}

TEST(channel, serves_waiters_in_order_of_arrival) {
  for (const std::size_t capacity : {0, 1, 2}) {
    thread_pool pool{{.workers = 1}};
    channel<char> values{capacity};
    std::string order;
    block_on(spawn(pool, come_in_order(values, order)));
    EXPECT_EQ(order, "1a2b3c4d5e6f") << capacity;
  }
}

task<> count_sent(channel<int>& to, int& sent, int times) {
  for (int i = 0; i < times; ++i) {
    static_cast<void>(co_await to.send(i));
    ++sent;
  }
}
task<> look_how_far_it_gets(channel<int>& values, int capacity) {
  int sent = 0;
  join_handle<> sends = spawn(count_sent(values, sent, capacity + 2));
  co_await co::yield();
  EXPECT_EQ(sent, capacity) << "there is room for no more";
  EXPECT_EQ(co_await values.receive(), 0);
  co_await co::yield();
  EXPECT_EQ(sent, capacity + 1);
  EXPECT_EQ(co_await values.receive(), 1);
  co_await sends;
}

TEST(channel, holds_no_more_than_its_capacity) {
  thread_pool pool{{.workers = 1}};
  for (const int capacity : {0, 1, 2, 9}) {
    channel<int> values{static_cast<std::size_t>(capacity)};
    block_on(spawn(pool, look_how_far_it_gets(values, capacity)));
  }
}

TEST(channel, attempts_do_not_wait) {
  channel<std::unique_ptr<int>> values{1};
  EXPECT_FALSE(values.try_receive());
  EXPECT_EQ(values.try_send(std::make_unique<int>(1)), send_result::sent);
  auto second = std::make_unique<int>(2);
  EXPECT_EQ(values.try_send(std::move(second)), send_result::would_wait);
  ASSERT_NE(second, nullptr) << "what was not sent stays";  // NOLINT: it says so
  EXPECT_EQ(**values.try_receive(), 1);
  values.close();
  EXPECT_EQ(values.try_send(std::move(second)), send_result::closed);
  EXPECT_NE(second, nullptr);  // NOLINT
  EXPECT_FALSE(values.try_receive());
}

// -------------------------------------------------------------------------------------------------
// closing
task<> close_with_senders(channel<std::shared_ptr<int>>& values, const std::shared_ptr<int>& one) {
  join_handle<send_result> first =
      spawn([](channel<std::shared_ptr<int>>& to, std::shared_ptr<int> what) -> task<send_result> {
        co_return co_await to.send(std::move(what));
      }(values, one));
  join_handle<send_result> second =
      spawn([](channel<std::shared_ptr<int>>& to, std::shared_ptr<int> what) -> task<send_result> {
        co_return co_await to.send(std::move(what));
      }(values, one));
  co_await co::yield();
  values.close();
  EXPECT_EQ(co_await first, send_result::sent) << "there was room";
  EXPECT_EQ(co_await second, send_result::closed) << "it waited";
  EXPECT_EQ(co_await values.send(one), send_result::closed);
  EXPECT_TRUE(co_await values.receive()) << "what is in it is still received";
  EXPECT_FALSE(co_await values.receive());
}

TEST(channel, closed_gives_what_it_holds_and_takes_no_more) {
  thread_pool pool{{.workers = 1}};
  const auto one = std::make_shared<int>(1);
  {
    channel<std::shared_ptr<int>> values{1};
    block_on(spawn(pool, close_with_senders(values, one)));
    EXPECT_TRUE(values.is_closed());
    values.close();
  }
  EXPECT_EQ(one.use_count(), 1) << "no value is left behind";
}

TEST(channel, takes_what_nobody_received_with_it) {
  const auto one = std::make_shared<int>(1);
  {
    channel<std::shared_ptr<int>> values{unbounded};
    for (int i = 0; i < 20; ++i) EXPECT_EQ(filch::wait(values.send(one)), send_result::sent);
    for (int i = 0; i < 5; ++i) EXPECT_TRUE(filch::wait(values.receive()));
    for (int i = 0; i < 20; ++i) EXPECT_EQ(filch::wait(values.send(one)), send_result::sent);
    EXPECT_EQ(one.use_count(), 36);
  }
  EXPECT_EQ(one.use_count(), 1);
}

TEST(channel, closed_wakes_all_waiters) {
  for (const unsigned workers : widths) {
    thread_pool pool{{.workers = workers}};
    for (int round = 0; round < 50; ++round) {
      channel<long> values{0};
      tally all;
      std::thread closes{[&] { values.close(); }};
      run_mixed(
          pool, 2, [&](int) { return receive_until_closed(values, all); },
          [&](int) { receive_until_closed_by_thread(values, all); });
      closes.join();
      EXPECT_EQ(all.count, 0);
    }
  }
}

foreign_coroutine receive_as_a_stranger(channel<std::shared_ptr<int>>& from, int& got) {
  // g++ 12 does not destroy the awaiter in the condition of an `if`
  const auto found = co_await from.receive();
  if (found) ++got;
}
foreign_coroutine send_as_a_stranger(channel<std::shared_ptr<int>>& to,
                                     std::shared_ptr<int> value) {
  static_cast<void>(co_await to.send(std::move(value)));
}

TEST(channel, forgets_a_waiter_that_is_destroyed) {
  const auto one = std::make_shared<int>(1);
  channel<std::shared_ptr<int>> values{0};
  int got = 0;
  { const foreign_coroutine gone = receive_as_a_stranger(values, got); }
  {
    const foreign_coroutine gone = send_as_a_stranger(values, one);
    const foreign_coroutine waits = send_as_a_stranger(values, one);
  }
  EXPECT_EQ(one.use_count(), 1);
  const foreign_coroutine sends = send_as_a_stranger(values, one);
  const foreign_coroutine receives = receive_as_a_stranger(values, got);
  EXPECT_TRUE(sends.has_ended() && receives.has_ended());
  EXPECT_EQ(got, 1);
}

// -------------------------------------------------------------------------------------------------
// operations that are kept
TEST(channel, says_the_same_of_an_operation_that_is_used_again) {
  channel<int> values{1};
  auto receives = values.receive();
  EXPECT_EQ(values.try_send(7), send_result::sent);
  EXPECT_EQ(filch::wait(std::move(receives)), 7);
  auto sends = values.send(1);
  EXPECT_EQ(filch::wait(std::move(sends)), send_result::sent);
  EXPECT_EQ(filch::wait(std::move(receives)), 1);
  values.close();
  EXPECT_FALSE(filch::wait(std::move(receives))) << "it is closed and empty";
  EXPECT_EQ(filch::wait(std::move(sends)), send_result::closed);
}

task<send_result> await_kept(channel<int>::sending& kept) { co_return co_await kept; }
task<> close_before_a_kept_send(channel<int>& values, channel<int>::sending& kept,
                                channel<int>::receiving& also_kept) {
  join_handle<send_result> sends = spawn(await_kept(kept));
  EXPECT_EQ(co_await values.receive(), 1);
  EXPECT_EQ(co_await sends, send_result::sent);
  join_handle<send_result> sends_again = spawn(await_kept(kept));
  co_await co::yield();
  values.close();
  EXPECT_EQ(co_await sends_again, send_result::closed) << "it waited at the close";
  EXPECT_FALSE(co_await also_kept);
}

TEST(channel, lets_a_task_await_what_a_thread_has_waited_for) {
  thread_pool pool{{.workers = 1}};
  channel<int> values{0};
  auto receives = values.receive();
  std::thread other{[&] { EXPECT_EQ(filch::wait(values.send(3)), send_result::sent); }};
  EXPECT_EQ(filch::wait(std::move(receives)), 3);
  other.join();
  auto sends = values.send(1);
  block_on(spawn(pool, close_before_a_kept_send(values, sends, receives)));
}

// -------------------------------------------------------------------------------------------------
// one value
task<> answer(oneshot<std::string>& to) {
  co_await co::yield();
  EXPECT_TRUE(to.send("here"));
  EXPECT_FALSE(to.send("again"));
}
task<> ask(oneshot<std::string>& from) {
  join_handle<> other = spawn(answer(from));
  EXPECT_EQ(co_await from.receive(), "here");
  EXPECT_FALSE(co_await from.receive());
  co_await other;
}

TEST(oneshot, brings_one_value) {
  for (const unsigned workers : widths) {
    thread_pool pool{{.workers = workers}};
    oneshot<std::string> value;
    block_on(spawn(pool, ask(value)));
  }
}

TEST(oneshot, is_awaited_by_a_job_that_gives_its_slot_away) {
  thread_pool pool{{.workers = 1}};
  oneshot<std::string> value;
  pool.run([&] {
    join_handle<> other = spawn(answer(value));
    EXPECT_EQ(filch::wait(value.receive()), "here");
    block_on(std::move(other));
  });
}

task<> receive_one(oneshot<int>& from, std::atomic<int>& sum, std::atomic<int>& empty) {
  const std::optional<int> found = co_await from.receive();
  found ? static_cast<void>(sum += *found) : static_cast<void>(++empty);
}

TEST(oneshot, brings_its_value_to_one_waiter_of_any_kind) {
  for (const unsigned workers : widths) {
    thread_pool pool{{.workers = workers}};
    std::array<oneshot<int>, 10> values;
    std::atomic<int> sum{0}, empty{0};
    std::thread sends{[&] {
      for (oneshot<int>& each : values) EXPECT_TRUE(each.send(1));
    }};
    run_mixed(
        pool, static_cast<int>(values.size()),
        [&](int i) { return receive_one(values[static_cast<std::size_t>(i)], sum, empty); },
        [&](int i) {
          const std::optional<int> found =
              filch::wait(values[static_cast<std::size_t>(i)].receive());
          found ? static_cast<void>(sum += *found) : static_cast<void>(++empty);
        });
    sends.join();
    EXPECT_EQ(sum, 10);
    EXPECT_EQ(empty, 20);
  }
}

foreign_coroutine receive_and_end(std::unique_ptr<oneshot<int>>& value, int& got) {
  const std::optional<int> found = co_await value->receive();
  value.reset();
  got = found.value_or(0);
}

TEST(oneshot, may_be_destroyed_by_the_receiver_of_its_value) {
  auto value = std::make_unique<oneshot<int>>();
  int got = 0;
  const foreign_coroutine receives = receive_and_end(value, got);
  EXPECT_TRUE(value->send(7));
  EXPECT_EQ(got, 7);
}

TEST(oneshot, closed_brings_none) {
  oneshot<int> value;
  std::thread closes{[&] { value.close(); }};
  EXPECT_FALSE(filch::wait(value.receive()));
  EXPECT_FALSE(value.send(1));
  closes.join();
}

}  // namespace
}  // namespace filch::co::sync
