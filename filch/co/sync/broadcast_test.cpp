// Broadcasts: every receiver gets what was sent since it subscribed, or learns how many it missed.
#include <filch/co/await_spawned_test.hpp>
#include <filch/co/sync/mixed_test.hpp>

#include <gtest/gtest.h>

#include <memory>
#include <new>

namespace filch::inline v0_2::co::sync {
namespace {

struct heard {
  std::atomic<long> sum{0};
  std::atomic<long> missed{0};
  std::atomic<int> ended{0};
};
/// False: the broadcast is closed, and there is no more.
bool note(heard& all, long& last, const broadcast_value<long>& got) {
  all.missed += static_cast<long>(got.missed);
  if (!got) return false;
  EXPECT_EQ(*got, last + 1 + static_cast<long>(got.missed))
      << "in order, but for those that it is told of";
  last = *got;
  all.sum += last;
  return true;
}
task<> listen(broadcast<long>::receiver from, heard& all) {
  long last = 0;
  while (note(all, last, co_await from.receive())) {
  }
  ++all.ended;
}
void listen_by_thread(broadcast<long>::receiver from, heard& all) {
  long last = 0;
  while (note(all, last, filch::wait(from.receive()))) {
  }
  ++all.ended;
}

class broadcasts : public ::testing::TestWithParam<std::size_t> {};

TEST_P(broadcasts, bring_every_value_to_every_receiver_or_count_it_as_missed) {
  constexpr long times = 500;
  for (const unsigned workers : widths) {
    thread_pool pool{{.workers = workers}};
    broadcast<long> values{GetParam()};
    const broadcast<long>::receiver begin = values.subscribe();
    heard all;
    std::thread sends{[&] {
      for (long i = 1; i <= times; ++i) EXPECT_TRUE(values.send(i));
      values.close();
    }};
    run_mixed(
        pool, 2, [&](int) { return listen(begin, all); },
        [&](int) { listen_by_thread(begin, all); });
    sends.join();
    EXPECT_EQ(all.ended, 6);
    if (GetParam() >= times) {
      EXPECT_EQ(all.missed, 0);
      EXPECT_EQ(all.sum, 6 * times * (times + 1) / 2);
    }
    EXPECT_FALSE(values.send(1)) << "it is closed";
  }
}

INSTANTIATE_TEST_SUITE_P(of_capacity, broadcasts, ::testing::Values(1, 3, 500));

TEST(broadcast, tells_a_slow_receiver_how_many_it_missed) {
  broadcast<int> values{3};
  auto early = values.subscribe();
  EXPECT_FALSE(early.try_receive());
  for (const int each : {1, 2, 3, 4, 5}) EXPECT_TRUE(values.send(each));
  auto late = values.subscribe();
  const auto first = early.try_receive();
  ASSERT_TRUE(first);
  EXPECT_EQ(*first, 3);
  EXPECT_EQ(first.missed, 2u);
  const auto second = early.try_receive();
  EXPECT_EQ(*second, 4);
  EXPECT_EQ(second.missed, 0u);
  auto copy = early;
  EXPECT_EQ(*copy.try_receive(), 5);
  EXPECT_EQ(*early.try_receive(), 5) << "a copy goes on by itself";
  EXPECT_FALSE(late.try_receive()) << "it gets what was sent since it came";
  values.close();
  EXPECT_FALSE(filch::wait(late.receive()));
}

task<> close_before_who_waits(broadcast<long>& values, heard& all) {
  join_handle<> listens = spawn(listen(values.subscribe(), all));
  co_await co::yield();
  values.close();
  co_await listens;
}

TEST(broadcast, closed_wakes_all_waiters) {
  thread_pool pool{{.workers = 1}};
  broadcast<long> values{1};
  heard all;
  block_on(spawn(pool, close_before_who_waits(values, all)));
  EXPECT_EQ(all.ended, 1);
}

TEST(broadcast, says_once_what_was_missed) {
  broadcast<int> values{1};
  auto receiver = values.subscribe();
  auto receives = receiver.receive();
  for (const int each : {1, 2, 3, 4}) EXPECT_TRUE(values.send(each));
  EXPECT_EQ(filch::wait(std::move(receives)).missed, 3u);
  values.close();
  const auto end = filch::wait(std::move(receives));
  EXPECT_FALSE(end);
  EXPECT_EQ(end.missed, 0u);
}

TEST(broadcast, gives_all_the_same_object_and_keeps_it_no_longer_than_needed) {
  const auto one = std::make_shared<int>(1);
  broadcast<std::shared_ptr<int>> values{2};
  auto a = values.subscribe(), b = values.subscribe();
  EXPECT_TRUE(values.send(one));
  {
    const auto got = a.try_receive(), same = b.try_receive();
    EXPECT_EQ(got.value, same.value);
    EXPECT_EQ(one.use_count(), 2) << "it was not copied";
  }
  EXPECT_TRUE(values.send(nullptr));
  EXPECT_TRUE(values.send(nullptr));
  EXPECT_EQ(one.use_count(), 1) << "it was overwritten";
}

struct throws_when_it_moves {
  bool is_armed;
  explicit throws_when_it_moves(bool armed) : is_armed{armed} {}
  throws_when_it_moves(throws_when_it_moves&& other) : is_armed{other.is_armed} {
    if (is_armed) throw std::bad_alloc();
  }
};

TEST(broadcast, sends_nothing_where_the_value_cannot_be_made) {
  broadcast<throws_when_it_moves> values{2};
  auto from = values.subscribe();
  EXPECT_THROW(static_cast<void>(values.send(throws_when_it_moves{true})), std::bad_alloc);
  EXPECT_FALSE(from.try_receive());
  EXPECT_TRUE(values.send(throws_when_it_moves{false}));
  EXPECT_TRUE(from.try_receive());
}

task<long> listen_until_cancelled(broadcast<long>::receiver& from) {
  long sum = 0;
  try {
    while (const auto got = co_await from.receive()) sum += *got;
  } catch (const cancelled&) {
  }
  co_return sum;
}

TEST(broadcast, skips_nothing_when_a_receiver_is_asked_to_stop) {
  for (const unsigned workers : widths) {
    thread_pool pool{{.workers = workers}};
    for (int round = 0; round < 200; ++round) {
      broadcast<long> values{32};
      auto from = values.subscribe();
      join_handle<long> listens = spawn(pool, listen_until_cancelled(from));
      std::thread cancels{[&] { listens.cancel(); }};
      for (long i = 1; i <= 20; ++i) static_cast<void>(values.send(i));
      cancels.join();
      long sum = block_on(pool, await_spawned(std::move(listens)));
      while (const auto got = from.try_receive()) sum += *got;
      EXPECT_EQ(sum, 210);
    }
  }
}

task<> listen_or_stop(broadcast<int>::receiver from, async_event& stop, int& sum) {
  for (;;) {
    const auto next = co_await select(from.receive(), stop.wait());
    if (next.index == 1) co_return;
    sum += *std::get<0>(next.value);
  }
}

task<> talk_and_stop(broadcast<int>& to, async_event& stop, int& sum) {
  join_handle<> listens = spawn(listen_or_stop(to.subscribe(), stop, sum));
  for (const int each : {1, 2, 3}) {
    co_await co::yield();
    EXPECT_TRUE(to.send(each));
  }
  co_await co::yield();
  stop.set();
  co_await listens;
}

TEST(broadcast, may_be_one_of_several) {
  thread_pool pool{{.workers = 1}};
  broadcast<int> values{4};
  async_event stop;
  int sum = 0;
  block_on(spawn(pool, talk_and_stop(values, stop, sum)));
  EXPECT_EQ(sum, 6);
}

}  // namespace
}  // namespace filch::co::sync
