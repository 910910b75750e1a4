// Calls of coroutines, and channels, if memory is refused.
#include <filch/co/await_spawned_test.hpp>
#include <filch/co/block_on.hpp>
#include <filch/co/run_task_test.hpp>
#include <filch/co/sync/slow_number_test.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>
#include <thread>
#include <utility>
#include <vector>

namespace {

thread_local bool refuses = false;

[[gnu::noinline]] void* allocate(std::size_t bytes) {
  void* const block = refuses ? nullptr : std::malloc(bytes);
  if (block == nullptr) throw std::bad_alloc();
  return block;
}

}  // namespace

void* operator new(std::size_t bytes) { return allocate(bytes); }
[[gnu::noinline]] void operator delete(void* block) noexcept { std::free(block); }
[[gnu::noinline]] void operator delete(void* block, std::size_t) noexcept { std::free(block); }

namespace filch::inline v0_2::co {
namespace {

struct counted {
  explicit counted(int& all) noexcept : alive{&all} { ++*alive; }
  counted(const counted& other) noexcept : alive{other.alive} { ++*alive; }
  ~counted() { --*alive; }
  counted& operator=(const counted&) = delete;
  int* alive;
};

// Not inlined: clang may omit the frame if it sees that the task does not escape.
[[gnu::noinline]] task<> note(counted, bool& ran) {
  ran = true;
  co_return;
}

TEST(out_of_memory, is_thrown_by_the_call_of_a_coroutine_and_leaves_nothing_behind) {
  int alive = 0;
  bool ran = false, thrown = false;
  refuses = true;
  try {
    const task<> never = note(counted{alive}, ran);
  } catch (const std::bad_alloc&) {
    thrown = true;
  }
  refuses = false;
  EXPECT_TRUE(thrown);
  EXPECT_FALSE(ran);
  EXPECT_EQ(alive, 0);
}

[[gnu::noinline]] task<int> give(int value) { co_return value; }

task<int> call_with_nothing_left() {
  try {
    refuses = true;
    co_return co_await give(1);
  } catch (const std::bad_alloc&) {
    refuses = false;
    co_return -1;
  }
}

TEST(out_of_memory, can_be_caught_by_the_coroutine_that_calls) {
  EXPECT_EQ(run_task(call_with_nothing_left()), -1);
}

TEST(out_of_memory, ends_a_task_that_a_stopped_pool_drops) {
  thread_pool pool({.workers = 1});
  std::atomic<bool> is_queued{false};
  pool.submit([&] {
    while (!is_queued) std::this_thread::yield();
    pool.request_stop();
    refuses = true;  // the worker drops the task next: the reason needs no memory of `new`
  });
  join_handle<int> dropped = spawn(pool, give(1));
  is_queued = true;
  EXPECT_THROW(block_on(std::move(dropped)), pool_stopped);
}

task<> send_number(sync::slow_number number, channel<sync::slow_number>& to) {
  static_cast<void>(co_await to.send(std::move(number)));
}
/// Four tasks that wait to send one more number each into a full channel.
class waiting_senders {
 public:
  waiting_senders(thread_pool& pool, channel<sync::slow_number>& to, int first) : pool_{pool} {
    for (int i = 0; i < 4; ++i) senders_.push_back(spawn(pool, send_number(first + i, to)));
    block_on(spawn(pool, give(0)));  // behind them
  }
  ~waiting_senders() {
    for (join_handle<>& each : senders_) block_on(pool_, await_spawned(std::move(each)));
  }
  waiting_senders(const waiting_senders&) = delete;
  waiting_senders& operator=(const waiting_senders&) = delete;

 private:
  thread_pool& pool_;
  std::vector<join_handle<>> senders_;
};
/// Receives the numbers from `first` to `last`, each of which lets in one waiting sender.
void receive_with_nothing_left(channel<sync::slow_number>& from, int first, int last) {
  for (int number = first; number <= last; ++number) {
    refuses = true;
    const int found = sync::received(from);
    refuses = false;
    EXPECT_EQ(found, number);
  }
}

TEST(out_of_memory, keeps_no_waiting_sender_out_of_a_channel) {
  thread_pool pool({.workers = 1});
  channel<sync::slow_number> values{10};
  sync::stock_up(values, 6);  // of which five are in the stock, and the queue has places for eight
  sync::try_send(values, 7, 11);
  {
    const waiting_senders four{pool, values, 12};
    receive_with_nothing_left(values, 2, 5);
  }
  for (int number = 6; number <= 15; ++number) EXPECT_EQ(sync::received(values), number);
}

TEST(out_of_memory, keeps_no_waiting_sender_out_when_the_queue_is_taken_along) {
  thread_pool pool({.workers = 1});
  channel<sync::slow_number> values{10};
  sync::gate at;
  // In, to a larger queue, and out
  EXPECT_EQ(values.try_send(sync::slow_number{1, 3, at}), send_result::sent);
  sync::try_send(values, 2, 10);
  {
    const waiting_senders four{pool, values, 11};
    std::thread receives{[&] { EXPECT_EQ(sync::received(values), 1); }};
    at.come();
    EXPECT_EQ(sync::received(values), 2);  // and takes the others along
    receives.join();
    receive_with_nothing_left(values, 3, 4);
  }
  for (int number = 5; number <= 14; ++number) EXPECT_EQ(sync::received(values), number);
}

TEST(out_of_memory, leaves_in_the_queue_what_cannot_be_taken_along) {
  channel<sync::slow_number> values{10};
  sync::try_send(values, 1, 2);
  sync::gate at;
  std::thread sends{[&] {
    EXPECT_EQ(values.try_send(sync::slow_number{3, 1, at}), send_result::sent);
  }};
  at.come();
  refuses = true;
  const int first = sync::received(values);
  refuses = false;
  sends.join();
  EXPECT_EQ(first, 1);
  for (int number = 2; number <= 3; ++number) EXPECT_EQ(sync::received(values), number);
}

}  // namespace
}  // namespace filch::co
