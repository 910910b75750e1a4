// Tasks await Asio's operations, and the workers sleep in Asio: no further thread is needed.
#include <filch/base/sanitized_test.hpp>
#include <filch/co.hpp>
#include <filch/co/sync/mixed_test.hpp>
#include <filch/io.hpp>
#include <filch/io/attached_test.hpp>
#include <filch/metrics.hpp>
#include <filch/stop.hpp>

#include <asio/buffer.hpp>
#include <asio/ip/tcp.hpp>
#include <asio/post.hpp>
#include <asio/read.hpp>
#include <asio/steady_timer.hpp>
#include <asio/write.hpp>
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <functional>
#include <iterator>
#include <memory>
#include <system_error>
#include <thread>
#include <utility>

namespace filch::inline v0_2::io {
namespace {

using namespace std::chrono_literals;
using look = context::look;
using asio::ip::tcp;

INSTANTIATE_TEST_SUITE_P(workers, io_on, testing::Values(1u, 2u));

// -------------------------------------------------------------------------------------------------
// TCP
task<> send_back(context& io, tcp::socket socket, int messages) {
  std::array<char, 64> data;
  for (int i = 0; i < messages; ++i) {
    co_await asio::async_read(socket, asio::buffer(data), awaiting{io});
    co_await asio::async_write(socket, asio::buffer(data), awaiting{io});
  }
}
task<> accept_and_send_back(context& io, tcp::acceptor& at, int connections, int messages) {
  co::scope nursery;
  for (int i = 0; i < connections; ++i)
    nursery.spawn(send_back(io, co_await at.async_accept(awaiting{io}), messages));
  co_await nursery.join();
}
task<> ask(context& io, tcp::endpoint server, int messages) {
  tcp::socket socket{io.executor()};
  co_await socket.async_connect(server, awaiting{io});
  std::array<char, 64> sent, received;
  for (int i = 0; i < messages; ++i) {
    sent.fill(static_cast<char>(i));
    co_await asio::async_write(socket, asio::buffer(sent), awaiting{io});
    co_await asio::async_read(socket, asio::buffer(received), awaiting{io});
    EXPECT_EQ(sent, received);
  }
}
task<> echo(context& io, int connections, int messages) {
  tcp::acceptor acceptor{io.executor(), tcp::endpoint{asio::ip::address_v4::loopback(), 0}};
  co::scope nursery;
  nursery.spawn(accept_and_send_back(io, acceptor, connections, messages));
  for (int i = 0; i < connections; ++i) nursery.spawn(ask(io, acceptor.local_endpoint(), messages));
  co_await nursery.join();
}

TEST_P(io_on, an_echo_comes_back_over_1_16_and_64_connections) {
  for (const int connections : {1, 16, 64}) block_on(spawn(pool(), echo(io, connections, 50)));
}

task<std::error_code> read_what_nobody_sends(context& io) {
  tcp::acceptor acceptor{io.executor(), tcp::endpoint{asio::ip::address_v4::loopback(), 0}};
  tcp::socket mine{io.executor()};
  mine.connect(acceptor.local_endpoint());
  {
    tcp::socket other = acceptor.accept();
    other.set_option(asio::socket_base::linger{true, 0});
    other.close();  // resets the connection
  }
  std::array<char, 64> data;
  try {
    co_await mine.async_read_some(asio::buffer(data), awaiting{io});
  } catch (const std::system_error& failed) {
    co_return failed.code();
  }
  co_return std::error_code{};
}

TEST_P(io_on, a_reset_connection_is_an_error_of_the_await) {
  EXPECT_EQ(block_on(spawn(pool(), read_what_nobody_sends(io))), asio::error::connection_reset);
}

// -------------------------------------------------------------------------------------------------
// timers, and the end of a wait
task<> sleep(context& io, std::chrono::nanoseconds length) {
  asio::steady_timer timer{io.executor(), length};
  co_await timer.async_wait(awaiting{io});
}

TEST_P(io_on, a_timer_of_asio_ends_in_a_pool_that_has_slept_for_long) {
  std::this_thread::sleep_for(50ms);  // past the timed parks
  const auto begin = std::chrono::steady_clock::now();
  block_on(spawn(pool(), sleep(io, 5ms)));
  EXPECT_GE(std::chrono::steady_clock::now() - begin, 5ms);
}

TEST_P(io_on, a_timer_ends_after_the_poller_was_woken_for_other_work) {
  for (int i = 0; i < 5; ++i) {
    std::this_thread::sleep_for(60ms);  // past the timed parks: a worker sleeps in the context
    async_event ran;
    pool().submit([&] { ran.set(); });
    filch::wait(ran.wait());
    block_on(spawn(pool(), sleep(io, 1ms)));
  }
}

TEST_P(io_on, a_cancelled_wait_throws_cancelled) {
  for (const auto before : {0ms, 5ms}) {
    join_handle<> sleeps = spawn(pool(), sleep(io, 24h));
    std::this_thread::sleep_for(before);
    sleeps.cancel();
    EXPECT_THROW(block_on(std::move(sleeps)), co::cancelled);
  }
}

// -------------------------------------------------------------------------------------------------
// plain callbacks
task<> wait_until_set(async_event& event) { co_await event.wait(); }

TEST_P(io_on, a_callback_may_submit_and_wake_while_nobody_works) {
  async_event ran, event;
  join_handle<> waits = spawn(pool(), wait_until_set(event));
  // Past the timed parks: a worker sleeps in the context, without a slot
  std::this_thread::sleep_for(100ms);
  asio::post(io.executor(), [&] {
    event.set();
    pool().submit([&] { ran.set(); });
  });
  block_on(std::move(waits));
  filch::wait(ran.wait());
}

// A worker that polls runs the callback as its own, and so must the poller that sleeps in the
// context without a slot.
TEST_P(io_on, a_callback_may_submit_and_spawn_while_the_pool_is_drained) {
  async_event event, ran;
  bool spawned_here = false;
  spawn(pool(), wait_until_set(event));
  // Past the timed parks: a worker sleeps in the context, without a slot
  std::this_thread::sleep_for(100ms);
  std::thread stops{[&] { EXPECT_TRUE(pool().stop(1h).is_finished()); }};
  while (!pool().core().admits().refuses_outsiders()) std::this_thread::yield();
  std::this_thread::sleep_for(5ms);  // past any wakes by the stop
  asio::post(io.executor(), [&] {
    spawned_here = this_pool() == &pool();
    pool().submit([&] { ran.set(); });
    asio::post(executor{io}, [&] { event.set(); });
  });
  stops.join();
  EXPECT_TRUE(ran.is_set());
  EXPECT_TRUE(spawned_here);
}

TEST_P(io_on, callbacks_that_beget_callbacks_leave_time_for_jobs) {
  std::atomic<bool> is_over{false};
  std::function<void()> again = [&] {
    if (!is_over) asio::post(io.executor(), again);
  };
  asio::post(io.executor(), again);
  async_event ran;
  for (int i = 0; i < 20; ++i) {
    ran.reset();
    pool().submit([&] { ran.set(); });
    filch::wait(ran.wait());
  }
  is_over = true;
  end_pool();
  while (io.poll(look::between_jobs)) {
  }
}

// -------------------------------------------------------------------------------------------------
// coroutines of another library
using co::sync::foreign_coroutine;
task<> sleep_until_due(context& io, asio::steady_timer& timer) {
  co_await timer.async_wait(awaiting{io});
}
foreign_coroutine meet(context& io, asio::steady_timer& timer, async_event& here,
                       async_event& other, async_event& end) {
  co_await sleep_until_due(io, timer);
  here.set();
  filch::wait(other.wait());
  end.set();
}

// Each runs where its completion is delivered, and waits there for the other.
TEST_P(io_on, strangers_that_arrive_together_may_wait_for_each_other) {
  asio::steady_timer timer{io.executor(), 20ms}, timer_too{io.executor(), 21ms};
  async_event first, second, first_ended, second_ended;
  const foreign_coroutine one = meet(io, timer, first, second, first_ended),
                          other = meet(io, timer_too, second, first, second_ended);
  for (unsigned i = 0; i < GetParam(); ++i) {  // both are due when a worker looks
    pool().submit([] { std::this_thread::sleep_for(60ms); });
  }
  filch::wait(first_ended.wait());
  filch::wait(second_ended.wait());
  end_pool();  // the thread that set the event may still be running
}

foreign_coroutine spin(context& io, asio::steady_timer& timer, std::atomic<bool>& here,
                       std::atomic<bool>& other, async_event& end) {
  co_await sleep_until_due(io, timer);
  here = true;
  const auto last = std::chrono::steady_clock::now() + 10s;
  while (!other && std::chrono::steady_clock::now() < last) std::this_thread::yield();
  end.set();
}

// The coroutine runs on a worker that was searching, and other threads rely on searching workers.
TEST(io_context, a_stranger_that_takes_its_time_leaves_what_is_submitted_to_others) {
  context io;
  auto pool = std::make_unique<thread_pool>(pool_options{.workers = 2});
  io.attach(*pool);
  asio::steady_timer timer{io.executor(), 50ms};  // past the timed parks
  std::atomic<bool> is_here{false}, has_run{false};
  async_event ended;
  const foreign_coroutine stranger = spin(io, timer, is_here, has_run, ended);
  while (!is_here) std::this_thread::yield();
  pool->submit([&] { has_run = true; });
  filch::wait(ended.wait());
  EXPECT_TRUE(has_run);
  pool.reset();  // the thread that set the event may still be running
}

// -------------------------------------------------------------------------------------------------
// interrupts
TEST(io_context, that_was_interrupted_when_nobody_slept_in_it_is_polled_on) {
  context io;
  int ran = 0;
  asio::post(io.executor(), [&] { ++ran; });
  io.interrupt();
  EXPECT_FALSE(io.poll(look::for_want_of_work));
  EXPECT_EQ(ran, 1);
}

TEST(io_context, that_was_interrupted_ends_the_next_sleep_although_somebody_polls_before) {
  context io;
  io.interrupt();
  io.poll(look::for_want_of_work);
  EXPECT_FALSE(io.wait_for(context::no_deadline));
  std::thread interrupts{[&] {
    std::this_thread::sleep_for(5ms);
    io.interrupt();
  }};
  EXPECT_FALSE(io.wait_for(context::no_deadline));
  interrupts.join();
  EXPECT_FALSE(io.wait_for(1'000'000)) << "a millisecond, or at once";
}

TEST(io_context, ends_each_sleep_that_is_interrupted_however_close_the_interrupt_comes) {
  context io;
  std::atomic<int> asked{0}, slept{0};
  constexpr int count = 500;
  std::thread interrupts{[&] {
    for (int i = 1; i <= count; ++i) {
      asked = i;
      if (i % 2 == 0) std::this_thread::yield();
      io.interrupt();
      for (; slept < i; std::this_thread::yield()) io.poll(look::for_want_of_work);
    }
  }};
  for (int i = 1; i <= count; ++i) {
    while (asked < i) std::this_thread::yield();
    io.wait_for(context::no_deadline);
    slept = i;
  }
  interrupts.join();
  EXPECT_EQ(slept, count);
}

// -------------------------------------------------------------------------------------------------
// lifetimes
void end_the_context_before_its_pool() {
  thread_pool pool({.workers = 1});
  context io;
  io.attach(pool);
}

TEST(io_context, that_ends_before_its_pool_ends_the_process) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  EXPECT_DEATH(end_the_context_before_its_pool(),
               "outlives the pool it is attached to: declare it first");
}

void attach_to_two_pools() {
  context io;
  thread_pool first({.workers = 1}), second({.workers = 1});
  io.attach(first);
  io.attach(second);
}

TEST(io_context, that_is_attached_twice_ends_the_process) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  EXPECT_DEATH(attach_to_two_pools(), "attached to one pool");
}

TEST(io_context, may_end_where_it_was_attached_to_nothing) {
  context io;
  EXPECT_FALSE(io.poll(look::for_want_of_work));
}

// -------------------------------------------------------------------------------------------------
// threads
std::ptrdiff_t count_threads() {
  return std::distance(std::filesystem::directory_iterator{"/proc/self/task"}, {});
}

/// Whether the condition holds within a few seconds.
template <class Condition>
bool comes_to_hold(Condition condition) {
  for (const auto patience = std::chrono::steady_clock::now() + 5s; !condition();) {
    if (std::chrono::steady_clock::now() > patience) return false;
    std::this_thread::sleep_for(1ms);
  }
  return true;
}

/// Asio's own way starts a thread at the first look-up, which stays.
task<std::size_t> look_up_twice(context& io) {
  tcp::resolver names{io.executor()};
  const auto first = co_await names.async_resolve("127.0.0.1", "80", awaiting{io});
  const auto second = co_await names.async_resolve(first.begin()->endpoint(), awaiting{io});
  co_return first.size() + second.size();
}

// The system lists a joined thread for a moment longer, and a pool may start a spare at any time.
TEST_P(io_on, every_thread_is_this_one_or_a_worker) {
  if (base::under_thread_sanitizer) GTEST_SKIP() << "the thread sanitizer has one of its own";
  block_on(spawn(pool(), echo(io, 4, 10)));
  block_on(spawn(pool(), sleep(io, 1ms)));
  asio::steady_timer on_the_pool{executor{io}, 1ms};
  async_event rang;
  on_the_pool.async_wait([&](std::error_code) { rang.set(); });
  filch::wait(rang.wait());
  EXPECT_EQ(block_on(spawn(pool(), look_up_twice(io))), 2u);
  pool().warm_up();  // so that all threads have started, and are counted
  default_pool().warm_up();
  const auto workers = [&] {
    return static_cast<std::ptrdiff_t>(pool().metrics().total.threads_started +
                                       default_pool().metrics().total.threads_started);
  };
  EXPECT_TRUE(comes_to_hold([&] { return count_threads() == 1 + workers(); }))
      << count_threads() << " threads, " << workers();
}

TEST_P(io_on, nobody_stirs_while_nothing_comes) {
  join_handle<> sleeps = spawn(pool(), sleep(io, 24h));
  std::this_thread::sleep_for(1s);  // past the timed parks
  const std::clock_t before = std::clock();
  std::this_thread::sleep_for(1s);
  EXPECT_LT(std::clock() - before, CLOCKS_PER_SEC / 200);
  sleeps.cancel();
  EXPECT_THROW(block_on(std::move(sleeps)), co::cancelled);
}

}  // namespace
}  // namespace filch::io
