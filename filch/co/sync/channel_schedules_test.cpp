// Channels, selects and oneshots under many schedules.
#include <filch/co.hpp>
#include <filch/co/await_spawned_test.hpp>
#include <filch/co/sync/side_by_side_test.hpp>
#include <filch/sync.hpp>
#include <filch/testing/expect_test.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <utility>

namespace filch::inline v0_2::testing {
namespace {

// -------------------------------------------------------------------------------------------------
// channels
task<> send_two(channel<int>& to) {
  check(co_await to.send(1) == send_result::sent, "it is open");
  check(co_await to.send(2) == send_result::sent, "it is open");
}
task<int> receive_all(channel<int>& from) {
  int sum = 0;
  while (const std::optional<int> found = co_await from.receive()) sum += *found;
  co_return sum;
}

TEST(sync_schedules, a_channel_brings_each_value_once_and_closes) {
  expect_no_failure([] {
    thread_pool pool{{.workers = 2}};
    channel<int> values{seed() % 3};
    join_handle<int> first = spawn(pool, receive_all(values)),
                     second = spawn(pool, receive_all(values));
    const auto send = [&] {
      check(filch::wait(values.send(10)) == send_result::sent, "it is open");
    };
    side_by_side(pool, send_two(values), send, send);
    values.close();
    const int sum = block_on(pool, co::await_spawned(std::move(first))) +
                    block_on(pool, co::await_spawned(std::move(second)));
    check(sum == 23, "each came once");
  });
}

task<> send_up_to(channel<int>& to, int last) {
  for (int value = 1; value <= last; ++value)
    check(co_await to.send(value) == send_result::sent, "it is open");
  to.close();
}
int sum_in_order(channel<int>& from) {
  int sum = 0, last = 0;
  while (const std::optional<int> found = filch::wait(from.receive())) {
    check(*found > last, "values come in order");
    sum += last = *found;
  }
  return sum;
}

TEST(sync_schedules, a_channel_lets_its_sender_in_whichever_thread_takes_values_along) {
  expect_no_failure([] {
    thread_pool pool{{.workers = 1}};
    channel<int> values{1 + seed() % 3};
    shared<int> first{"first", 0}, second{"second", 0};
    {
      thread one{"one", [&] { first.write(sum_in_order(values)); }},
          other{"other", [&] { second.write(sum_in_order(values)); }};
      block_on(spawn(pool, send_up_to(values, 6)));
    }
    check(first.read() + second.read() == 21, "each came once");
  });
}

task<int> send_until_closed(channel<int>& to) {
  int sent = 0;
  while (co_await to.send(1) == send_result::sent) ++sent;
  co_return sent;
}

TEST(sync_schedules, a_channel_that_is_closed_lets_its_senders_go) {
  expect_no_failure([] {
    thread_pool pool{{.workers = 1}};
    channel<int> values{1};
    join_handle<int> sends = spawn(pool, send_until_closed(values));
    int received = 0;
    if (filch::wait(values.receive())) ++received;
    values.close();
    while (filch::wait(values.receive())) ++received;
    check(block_on(pool, co::await_spawned(std::move(sends))) == received,
          "what was sent is received");
  });
}

// -------------------------------------------------------------------------------------------------
// one of several
template <class Found>
int number_in(const Found& found) {
  return (found.index == 0 ? std::get<0>(found.value) : std::get<1>(found.value)).value_or(0);
}
task<int> select_all(channel<int>& first, channel<int>& second) {
  int sum = 0;
  while (const int found = number_in(co_await select(first.receive(), second.receive())))
    sum += found;
  co_return sum;
}
task<> select_a_room(channel<int>& first, channel<int>& second, int value) {
  co_await select(first.send(value), second.send(value));
}

TEST(sync_schedules, a_select_takes_one_of_what_several_send_and_loses_none) {
  expect_no_failure([] {
    thread_pool pool{{.workers = 2}};
    channel<int> first{seed() % 2}, second{seed() / 2 % 2};
    join_handle<int> receives = spawn(pool, select_all(first, second)),
                     also = spawn(pool, select_all(second, first));
    const auto send = [&] {
      check(filch::wait(first.send(10)) == send_result::sent, "it is open");
    };
    side_by_side(pool, select_a_room(second, first, 1), send,
                 [&] { filch::wait(select(first.send(100), second.send(100))); });
    int left = 0;
    while (const std::optional<int> found = first.try_receive()) left += *found;
    while (const std::optional<int> found = second.try_receive()) left += *found;
    first.close();
    const int sum = block_on(pool, co::await_spawned(std::move(receives))) +
                    block_on(pool, co::await_spawned(std::move(also)));
    check(sum + left == 111, "each came once");
  });
}

task<int> select_until_cancelled(channel<int>& first, channel<int>& second) {
  int sum = 0;
  try {
    while (const int found = number_in(co_await select(first.receive(), second.receive())))
      sum += found;
  } catch (const co::cancelled&) {
  }
  co_return sum;
}

TEST(sync_schedules, a_select_that_is_asked_to_stop_takes_one_value_or_none) {
  expect_no_failure([] {
    thread_pool pool{{.workers = 2}};
    channel<int> first{1}, second{1};
    join_handle<int> leaves = spawn(pool, select_until_cancelled(first, second));
    int sum = 0;
    {
      thread sender{"sender",
                    [&] { check(first.try_send(1) == send_result::sent, "there is room"); }};
      thread another{"another",
                     [&] { check(second.try_send(2) == send_result::sent, "there is room"); }};
      nap(std::chrono::nanoseconds(seed() % 500));
      leaves.cancel();
      sum = block_on(pool, co::await_spawned(std::move(leaves)));
    }
    for (channel<int>* each : {&first, &second}) sum += each->try_receive().value_or(0);
    check(sum == 3, "each value is received once");
  });
}

// -------------------------------------------------------------------------------------------------
// one value
task<int> receive_once(oneshot<int>& from) {
  try {
    co_return (co_await from.receive()).value_or(0);
  } catch (const co::cancelled&) {
    co_return 0;
  }
}

TEST(sync_schedules, a_oneshot_brings_what_was_sent_to_one_that_stays) {
  expect_no_failure([] {
    thread_pool pool{{.workers = 2}};
    oneshot<int> value;
    join_handle<int> leaves = spawn(pool, receive_once(value)),
                     stays = spawn(pool, receive_once(value));
    bool is_sent = false;
    {
      thread closer{"closer", [&] { value.close(); }};
      thread canceller{"canceller", [&] { leaves.cancel(); }};
      is_sent = static_cast<bool>(value.send(7));
    }
    const int got = block_on(std::move(leaves)) + block_on(std::move(stays));
    check(got == (is_sent ? 7 : 0), "what was sent is received once");
  });
}

}  // namespace
}  // namespace filch::testing
