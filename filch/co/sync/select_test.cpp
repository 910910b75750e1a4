// One of several operations: exactly one happens, and the others leave no trace.
#include <filch/co/await_spawned_test.hpp>
#include <filch/co/sync/mixed_test.hpp>
#include <filch/timers.hpp>

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <variant>

namespace filch::inline v0_2::co::sync {
namespace {

task<> choose_between_what_is_ready(channel<int>& numbers, channel<std::string>& words,
                                    async_event& stop) {
  EXPECT_EQ(numbers.try_send(7), send_result::sent);
  const auto number = co_await select(numbers.receive(), words.receive(), stop.wait());
  EXPECT_EQ(number.index, 0u);
  EXPECT_EQ(std::get<0>(number.value), 7);
  EXPECT_EQ(words.try_send("seven"), send_result::sent);
  const auto word = co_await select(numbers.receive(), words.receive(), stop.wait());
  EXPECT_EQ(word.index, 1u);
  EXPECT_EQ(std::get<1>(word.value), "seven");
  stop.set();
  const auto end = co_await select(numbers.receive(), words.receive(), stop.wait());
  EXPECT_EQ(end.index, 2u);
  words.close();
  EXPECT_EQ((co_await select(numbers.receive(), words.receive())).index, 1u)
      << "what is closed can be done";
}

TEST(select, does_what_can_be_done) {
  for (const unsigned workers : widths) {
    thread_pool pool{{.workers = workers}};
    channel<int> numbers{1};
    channel<std::string> words{1};
    async_event stop;
    block_on(spawn(pool, choose_between_what_is_ready(numbers, words, stop)));
  }
}

task<> send_where_there_is_room(channel<std::shared_ptr<int>>& full,
                                channel<std::shared_ptr<int>>& free, std::shared_ptr<int> value) {
  const auto sent = co_await select(full.send(value), free.send(value));
  EXPECT_EQ(sent.index, 1u);
  EXPECT_EQ(std::get<1>(sent.value), send_result::sent);
}

TEST(select, sends_once_and_drops_what_it_did_not_send) {
  thread_pool pool{{.workers = 1}};
  const auto one = std::make_shared<int>(1);
  channel<std::shared_ptr<int>> full{1}, free{1};
  EXPECT_EQ(full.try_send(std::make_shared<int>(0)), send_result::sent);
  block_on(spawn(pool, send_where_there_is_room(full, free, one)));
  EXPECT_EQ(one.use_count(), 2) << "it is in one channel";
  EXPECT_EQ(**full.try_receive(), 0);
  EXPECT_EQ(**free.try_receive(), 1);
}

task<int> receive_from_two(channel<int>& first, channel<int>& second, int times) {
  int firsts = 0;
  for (int i = 0; i < times; ++i)
    firsts += (co_await select(first.receive(), second.receive())).index == 0;
  co_return firsts;
}

TEST(select, prefers_none_that_can_be_done) {
  thread_pool pool{{.workers = 1}};
  channel<int> first{unbounded}, second{unbounded};
  constexpr int often = 3'000;  // so that turns end meanwhile
  for (int i = 0; i < often; ++i)
    for (channel<int>* each : {&first, &second}) EXPECT_EQ(each->try_send(1), send_result::sent);
  const int firsts = block_on(spawn(pool, receive_from_two(first, second, often)));
  EXPECT_GT(firsts, often * 2 / 5);  // ten standard deviations off
  EXPECT_LT(firsts, often * 3 / 5);
}

// -------------------------------------------------------------------------------------------------
// many at once
struct tally {
  std::atomic<long> sum{0};
  std::atomic<int> closed{0};
};
/// Adds what one of two channels gave. False: one is closed.
template <class Found>
bool add(tally& all, const Found& found) {
  const std::optional<long> value =
      found.index == 0 ? std::get<0>(found.value) : std::get<1>(found.value);
  if (value) all.sum += *value;
  return value.has_value();
}
task<> receive_from_both(channel<long>& first, channel<long>& second, tally& all) {
  for (bool goes_on = true; goes_on;) {
    const auto found = co_await select(first.receive(), second.receive());
    goes_on = add(all, found);
  }
  ++all.closed;
}
void receive_from_both_by_thread(channel<long>& first, channel<long>& second, tally& all) {
  while (add(all, filch::wait(select(first.receive(), second.receive())))) {
  }
  ++all.closed;
}
task<> send_to_either(channel<long>& first, channel<long>& second, int times) {
  for (long i = 1; i <= times; ++i) {
    const auto sent = co_await select(first.send(i), second.send(i));
    EXPECT_EQ(sent.index == 0 ? std::get<0>(sent.value) : std::get<1>(sent.value),
              send_result::sent);
  }
}
void send_to_either_by_thread(channel<long>& first, channel<long>& second, int times) {
  for (long i = 1; i <= times; ++i) filch::wait(select(first.send(i), second.send(i)));
}

class selects : public ::testing::TestWithParam<std::size_t> {};

TEST_P(selects, bring_each_value_once_with_selects_on_both_sides) {
  constexpr int times = 100;
  for (const unsigned workers : widths) {
    thread_pool pool{{.workers = workers}};
    channel<long> first{GetParam()}, second{GetParam()};
    tally all;
    std::thread receives{[&] {
      run_mixed(
          pool, 2, [&](int) { return receive_from_both(first, second, all); },
          [&](int) { receive_from_both_by_thread(first, second, all); });
    }};
    run_mixed(
        pool, 2,
        [&](int i) {
          return i % 2 == 0 ? send_to_either(first, second, times)
                            : send_to_either(second, first, times);
        },
        [&](int) { send_to_either_by_thread(second, first, times); });
    while (const std::optional<long> left = first.try_receive()) all.sum += *left;
    while (const std::optional<long> left = second.try_receive()) all.sum += *left;
    first.close();
    second.close();
    receives.join();
    EXPECT_EQ(all.closed, 6);
    EXPECT_EQ(all.sum, 6L * times * (times + 1) / 2);
  }
}

INSTANTIATE_TEST_SUITE_P(of_capacity, selects, ::testing::Values(0, 1, 3));

task<> take_either(async_mutex& lock, async_semaphore& permits, std::atomic<int>& inside) {
  for (int i = 0; i < 100; ++i) {
    auto has = co_await select(lock.lock(), permits.acquire());
    EXPECT_LE(++inside, 2) << "one has the lock, one the permit";
    co_await co::yield();
    --inside;
  }
}

TEST(select, of_locks_and_permits_takes_one_and_loses_none) {
  for (const unsigned workers : widths) {
    thread_pool pool{{.workers = workers}};
    async_mutex lock;
    async_semaphore permits{1};
    std::atomic<int> inside{0};
    {
      std::vector<join_handle<>> all;
      for (int i = 0; i < 4; ++i) all.push_back(spawn(pool, take_either(lock, permits, inside)));
      for (join_handle<>& each : all) block_on(std::move(each));
    }
    EXPECT_TRUE(lock.try_lock());
    EXPECT_TRUE(permits.try_acquire(1));
    EXPECT_FALSE(permits.try_acquire(2));
  }
}

task<std::size_t> take_two_or_receive(async_semaphore& permits, channel<int>& from) {
  const auto has = co_await select(permits.acquire(2), from.receive());
  co_return has.index;
}

TEST(select, of_several_permits_leaves_what_was_gathered_when_something_else_came) {
  for (const unsigned workers : widths) {
    thread_pool pool{{.workers = workers}};
    async_semaphore permits{1};
    channel<int> values{1};
    join_handle<std::size_t> takes = spawn(pool, take_two_or_receive(permits, values));
    while (permits.try_acquire()) std::this_thread::yield();  // it has gathered the one there is
    EXPECT_EQ(values.try_send(1), send_result::sent);
    EXPECT_EQ(block_on(std::move(takes)), 1u);
    EXPECT_TRUE(permits.try_acquire());
    takes = spawn(pool, take_two_or_receive(permits, values));
    while (permits.try_acquire()) std::this_thread::yield();
    permits.put_back();
    EXPECT_EQ(block_on(std::move(takes)), 0u);
    EXPECT_TRUE(permits.try_acquire(2));
  }
}

// -------------------------------------------------------------------------------------------------
// one and the same channel
task<send_result> send_five(channel<int>& to) { co_return co_await to.send(5); }
task<> meet_itself(channel<int>& values) {
  join_handle<send_result> other = spawn(send_five(values));
  const auto met = co_await select(values.send(1), values.receive(), values.receive());
  EXPECT_GT(met.index, 0u) << "it does not receive what it sends";
  EXPECT_EQ(met.index == 1 ? std::get<1>(met.value) : std::get<2>(met.value), 5);
  EXPECT_EQ(co_await other, send_result::sent);
}

TEST(select, may_wait_in_both_lines_of_one_channel_and_meets_another) {
  for (const unsigned workers : widths) {
    thread_pool pool{{.workers = workers}};
    channel<int> values{0};
    block_on(spawn(pool, meet_itself(values)));
    EXPECT_EQ(values.try_send(1), send_result::would_wait) << "nobody is left in the line";
    EXPECT_FALSE(values.try_receive());
  }
}

task<> receive_into(channel<int>& from, int& got) { got = (co_await from.receive()).value_or(0); }
task<> select_into(channel<int>& first, channel<int>& second, int& got) {
  const auto found = co_await select(first.receive(), second.receive());
  got = 10 * (found.index == 0 ? std::get<0>(found.value) : std::get<1>(found.value)).value_or(0);
}
task<> serve_both_before_they_run(channel<int>& first, channel<int>& second) {
  int selected = 0, received = 0;
  join_handle<> selects = spawn(select_into(first, second, selected));
  co_await co::yield();
  join_handle<> receives = spawn(receive_into(first, received));
  co_await co::yield();
  EXPECT_EQ(second.try_send(1), send_result::sent);
  // The select stands at the head of `first`, but it has its value already
  EXPECT_EQ(first.try_send(2), send_result::sent);
  for (int i = 0; i < 3; ++i) co_await co::yield();
  EXPECT_EQ(selected, 10);
  EXPECT_EQ(received, 2);
  first.close();
  co_await selects;
  co_await receives;
}

TEST(select, that_has_ended_is_passed_over) {
  thread_pool pool{{.workers = 1}};
  channel<int> first{1}, second{1};
  block_on(spawn(pool, serve_both_before_they_run(first, second)));
}

TEST(select_death, takes_an_operation_once) {
  channel<int> values{0};
  auto twice = values.receive();
  EXPECT_DEATH(filch::wait(select(twice, twice)), "an operation stands in one select, and once");
}

// -------------------------------------------------------------------------------------------------
// the end of a wait
task<int> select_until_cancelled(channel<long>& first, channel<long>& second) {
  int sum = 0;
  try {
    for (;;) {
      const auto found = co_await select(first.receive(), second.receive());
      sum += static_cast<int>(found.index == 0 ? std::get<0>(found.value).value_or(0)
                                               : std::get<1>(found.value).value_or(0));
    }
  } catch (const cancelled&) {
  }
  co_return sum;
}

TEST(select, loses_nothing_when_it_is_asked_to_stop) {
  for (const std::size_t capacity : {0, 2}) {
    for (const unsigned workers : widths) {
      thread_pool pool{{.workers = workers}};
      for (int round = 0; round < 100; ++round) {
        channel<long> first{capacity}, second{capacity};
        join_handle<int> stays = spawn(pool, select_until_cancelled(first, second)),
                         leaves = spawn(pool, select_until_cancelled(second, first));
        std::thread cancels{[&] { leaves.cancel(); }};
        for (long i = 1; i <= 20; ++i) filch::wait(select(first.send(i), second.send(i)));
        cancels.join();
        long sum = block_on(pool, await_spawned(std::move(leaves)));
        while (const std::optional<long> left = first.try_receive()) sum += *left;
        while (const std::optional<long> left = second.try_receive()) sum += *left;
        stays.cancel();
        EXPECT_EQ(sum + block_on(pool, await_spawned(std::move(stays))), 210);
      }
    }
  }
}

task<> wait_in_time(channel<int>& never, async_event& also_never) {
  EXPECT_FALSE(co_await with_timeout(select(never.receive(), also_never.wait()),
                                     std::chrono::milliseconds{1}));
}

TEST(select, ends_by_a_timeout) {
  thread_pool pool{{.workers = 1}};
  channel<int> never{0};
  async_event also_never;
  block_on(spawn(pool, wait_in_time(never, also_never)));
}

foreign_coroutine select_as_a_stranger(channel<std::shared_ptr<int>>& from,
                                       channel<std::shared_ptr<int>>& to,
                                       std::shared_ptr<int> value, std::size_t& index) {
  const auto done = co_await select(from.receive(), to.send(std::move(value)));
  index = done.index;
}

TEST(select, of_a_coroutine_that_is_destroyed_leaves_every_line) {
  const auto one = std::make_shared<int>(1);
  channel<std::shared_ptr<int>> from{0}, to{0};
  std::size_t index = 9;
  { const foreign_coroutine gone = select_as_a_stranger(from, to, one, index); }
  EXPECT_EQ(one.use_count(), 1);
  EXPECT_FALSE(to.try_receive()) << "no sender is left";
  const foreign_coroutine waits = select_as_a_stranger(from, to, one, index);
  EXPECT_EQ(**to.try_receive(), 1);
  EXPECT_TRUE(waits.has_ended());
  EXPECT_EQ(index, 1u);
  EXPECT_EQ(from.try_send(std::make_shared<int>(2)), send_result::would_wait) << "nor a receiver";
}

}  // namespace
}  // namespace filch::co::sync
