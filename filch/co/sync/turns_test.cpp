// A task that never has to wait, as its channel never runs dry, yields to others.
#include <filch/co/sync/mixed_test.hpp>
#include <filch/co/sync/slow_number_test.hpp>

#include <gtest/gtest.h>

namespace filch::inline v0_2::co::sync {
namespace {

constexpr int often = 4 * operations_in_turn;

struct sends {
  channel<int> to{unbounded};
  auto next() noexcept { return to.send(1); }
};
/// An attempt that does not wait ends no turn.
struct sends_beside_attempts {
  channel<int> through{unbounded};
  sends_beside_attempts() { EXPECT_EQ(through.try_send(1), send_result::sent); }
  auto next() noexcept {
    EXPECT_TRUE(through.try_receive());
    return through.send(1);
  }
};
struct receives_from_the_queue {
  channel<slow_number> from{unbounded};
  receives_from_the_queue() { try_send(from, 1, often); }
  auto next() noexcept { return from.receive(); }
};
struct receives_from_the_stock {
  channel<slow_number> from{unbounded};
  receives_from_the_stock() { stock_up(from, often + 1); }
  auto next() noexcept { return from.receive(); }
};
struct selects {
  channel<int> to{unbounded}, from{1};
  channel<int>::sending send = to.send(1);
  channel<int>::receiving receive = from.receive();
  auto next() noexcept { return select(send, receive); }
};
struct hears_a_broadcast {
  broadcast<int> from{often};
  broadcast<int>::receiver hears = from.subscribe();
  hears_a_broadcast() {
    for (int i = 0; i < often; ++i) EXPECT_TRUE(from.send(i));
  }
  auto next() noexcept { return hears.receive(); }
};

/// Falls behind, so that it hears every second value.
struct hears_a_part {
  broadcast<int> from{1};
  hears_a_part() { EXPECT_TRUE(from.send(0)); }
  broadcast<int>::receiver hears = from.subscribe();
  auto next() {
    EXPECT_TRUE(from.send(1));
    EXPECT_TRUE(from.send(2));
    return hears.receive();
  }
};

task<> take_a_turn(bool& has_run) {
  has_run = true;
  co_return;
}
/// In one coroutine, as calls of other coroutines count as turns, too.
template <class Operation>
task<int> count_until_another_runs(Operation& does) {
  bool another_has_run = false;
  join_handle<> another = spawn(take_a_turn(another_has_run));
  int times = 0;
  for (; !another_has_run && times < often; ++times) static_cast<void>(co_await does.next());
  co_await another;
  co_return times;
}
template <class Operation>
task<> do_often(Operation& does) {
  for (int i = 0; i < often; ++i) static_cast<void>(co_await does.next());
}

template <class Operation>
class turns : public ::testing::Test {};
using operations =
    ::testing::Types<sends, receives_from_the_queue, receives_from_the_stock, selects,
                     hears_a_broadcast, sends_beside_attempts, hears_a_part>;
TYPED_TEST_SUITE(turns, operations);

TYPED_TEST(turns, end_though_nothing_is_to_be_waited_for) {
  thread_pool pool{{.workers = 1}};
  TypeParam does;
  EXPECT_LE(block_on(spawn(pool, count_until_another_runs(does))),
            static_cast<int>(operations_in_turn) + 1);
}

TYPED_TEST(turns, end_for_nothing_outside_of_pools) {
  TypeParam by_task, by_thread;
  block_on(do_often(by_task));
  for (int i = 0; i < often; ++i) static_cast<void>(filch::wait(by_thread.next()));
}

template <class Operation>
foreign_coroutine do_often_elsewhere(Operation& does) {
  for (int i = 0; i < often; ++i) static_cast<void>(co_await does.next());
}
TYPED_TEST(turns, end_for_nothing_in_coroutines_of_other_libraries) {
  TypeParam does;
  EXPECT_TRUE(do_often_elsewhere(does).has_ended());
}

template <class Operation>
task<> do_often_once_asked(Operation& does) {
  const std::stop_token token = co_await get_stop_token();
  while (!token.stop_requested()) co_await co::yield();
  for (int i = 0; i < often; ++i) static_cast<void>(co_await does.next());
}
TYPED_TEST(turns, keep_what_need_not_wait_from_no_task_that_is_asked_to_stop) {
  thread_pool pool{{.workers = 1}};
  TypeParam does;
  join_handle<> asked = spawn(pool, do_often_once_asked(does));
  asked.cancel();
  EXPECT_NO_THROW(block_on(std::move(asked)));
}

// The first of them begins the next turn, and the others need not wait either.
TEST(turns_of_several, end_for_all_that_saw_the_end_of_one) {
  channel<int> numbers{unbounded};
  for (unsigned i = 0; i < operations_in_turn; ++i)
    EXPECT_EQ(numbers.try_send(0), send_result::sent);
  channel<int>::sending one = numbers.send(1), other = numbers.send(2);
  EXPECT_FALSE(one.await_ready() || other.await_ready());
  EXPECT_TRUE(one.try_for_others());
  EXPECT_TRUE(other.try_for_others());
  for (unsigned i = 0; i < operations_in_turn; ++i) EXPECT_EQ(numbers.try_receive(), 0);
  channel<int>::receiving first = numbers.receive(), second = numbers.receive();
  EXPECT_FALSE(first.await_ready() || second.await_ready());
  EXPECT_TRUE(first.try_for_others());
  EXPECT_TRUE(second.try_for_others());
  EXPECT_EQ(first.await_resume(), 1);
  EXPECT_EQ(second.await_resume(), 2);
}

/// Its stocks have fewer values than a turn.
struct receives_what_threads_send {
  channel<int> from{operations_in_turn - 24};
  auto next() noexcept { return from.receive(); }
};
TEST(turns_beside_threads, end_though_every_stock_is_small) {
  receives_what_threads_send does;
  std::vector<std::thread> senders;
  for (int i = 0; i < 2; ++i) {
    senders.emplace_back([&] {
      while (filch::wait(does.from.send(1)) == send_result::sent) {
      }
    });
  }
  {
    thread_pool pool{{.workers = 1}};
    EXPECT_LT(block_on(spawn(pool, count_until_another_runs(does))), often);
    does.from.close();
  }
  for (std::thread& each : senders) each.join();
}

}  // namespace
}  // namespace filch::co::sync
