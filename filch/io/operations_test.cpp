// Parts of an await of an operation: its begin, its memory, and its end beside a stop request.
#include <filch/co.hpp>
#include <filch/co/sync/mixed_test.hpp>
#include <filch/io/attached_test.hpp>
#include <filch/sync.hpp>

#include <asio/associated_cancellation_slot.hpp>
#include <asio/async_result.hpp>
#include <asio/buffer.hpp>
#include <asio/local/connect_pair.hpp>
#include <asio/local/stream_protocol.hpp>
#include <asio/post.hpp>
#include <asio/steady_timer.hpp>
#include <asio/write.hpp>
#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <future>
#include <memory>
#include <optional>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <utility>
#include <variant>

namespace filch::inline v0_2::io {
namespace {

using namespace std::chrono_literals;
using local_socket = asio::local::stream_protocol::socket;

class operations_on : public io_on {
 protected:
  operations_on() { asio::local::connect_pair(left, right); }
  local_socket left{io.executor()}, right{io.executor()};
};
INSTANTIATE_TEST_SUITE_P(workers, operations_on, testing::Values(1u, 2u));

// -------------------------------------------------------------------------------------------------
// one of several
task<std::size_t> race(context& io, local_socket& from, asio::steady_timer& limit, char& came) {
  task<std::size_t> reads = from.async_read_some(asio::buffer(&came, 1), awaiting{io});
  const auto first = co_await when_any(std::move(reads), task<>{limit.async_wait(awaiting{io})});
  co_return first.index;
}

TEST_P(operations_on, are_tasks_where_those_are_wanted) {
  asio::steady_timer soon{io.executor(), 1ms}, late{io.executor(), 24h};
  char came = 0;
  EXPECT_EQ(block_on(spawn(pool(), race(io, left, soon, came))), 1u);
  asio::write(right, asio::buffer("x", 1));
  EXPECT_EQ(block_on(spawn(pool(), race(io, left, late, came))), 0u);
  EXPECT_EQ(came, 'x');
}

// -------------------------------------------------------------------------------------------------
// requests to stop
task<char> read_one(context& io, local_socket& from) {
  char came = 0;
  co_await from.async_read_some(asio::buffer(&came, 1), awaiting{io});
  co_return came;
}

// The byte is read once: by the task that was asked to stop, or by the next one.
TEST_P(operations_on, that_end_as_they_are_cancelled_end_once) {
  int cancelled = 0;
  for (int i = 0; i < 400; ++i) {
    join_handle<char> reads = spawn(pool(), read_one(io, left));
    const auto then = std::chrono::steady_clock::now() + i * 100ns;
    while (std::chrono::steady_clock::now() < then) {
    }
    asio::write(right, asio::buffer("x", 1));
    reads.cancel();
    try {
      EXPECT_EQ(block_on(std::move(reads)), 'x');
    } catch (const co::cancelled&) {
      ++cancelled;
      EXPECT_EQ(block_on(spawn(pool(), read_one(io, left))), 'x');
    }
  }
  EXPECT_LT(cancelled, 400) << "a byte that has come is read all the same";
}

task<char> read_once_asked(context& io, local_socket& from) {
  try {
    async_event never;
    co_await never.wait();
  } catch (const co::cancelled&) {
    // asked to stop, it still reads what has come
  }
  co_return co_await read_one(io, from);
}

TEST_P(operations_on, that_begin_after_the_request_bring_what_is_there_and_wait_for_nothing) {
  for (const bool is_there : {true, false}) {
    join_handle<char> reads = spawn(pool(), read_once_asked(io, left));
    if (is_there) asio::write(right, asio::buffer("x", 1));
    reads.cancel();
    if (is_there) {
      EXPECT_EQ(block_on(std::move(reads)), 'x');
    } else {
      EXPECT_THROW(block_on(std::move(reads)), co::cancelled);
    }
  }
}

// -------------------------------------------------------------------------------------------------
// what cancels them
/// An operation that leaves an object of its own in its cancellation slot.
task<> end_with(context& io, std::shared_ptr<int> owned) {
  const auto begin = [&io, &owned](auto handler) {
    asio::get_associated_cancellation_slot(handler).assign([owned](asio::cancellation_type) {});
    asio::post(io.executor(), [own = std::move(handler)]() mutable { own(std::error_code{}); });
  };
  awaiting token{io};
  co_await asio::async_initiate<awaiting, void(std::error_code)>(begin, token);
}

TEST_P(operations_on, leave_nothing_of_their_own_behind) {
  auto owned = std::make_shared<int>();
  block_on(spawn(pool(), end_with(io, owned)));
  EXPECT_EQ(owned.use_count(), 1);
}

// -------------------------------------------------------------------------------------------------
// what throws before there is a handler
/// Throws when it is moved, once `is_asked` tells it to.
struct throws_on_its_way {
  explicit throws_on_its_way(const bool& asked) noexcept : is_asked{&asked} {}
  throws_on_its_way(throws_on_its_way&& other) : is_asked{other.is_asked} {
    if (*is_asked) throw std::length_error("on its way");
  }
  const bool* is_asked;
};
task<> begin_with_what_throws(context& io) {
  bool is_asked = false;
  const auto begin = [](auto handler, throws_on_its_way) { std::move(handler)(std::error_code{}); };
  awaiting token{io};
  auto begins = asio::async_initiate<awaiting, void(std::error_code)>(begin, token,
                                                                      throws_on_its_way{is_asked});
  is_asked = true;
  co_await begins;
}

TEST_P(operations_on, throw_what_an_argument_throws_on_its_way) {
  EXPECT_THROW(block_on(spawn(pool(), begin_with_what_throws(io))), std::length_error);
}

// -------------------------------------------------------------------------------------------------
// threads that are no runner
task<> end_within_the_begin(context& io) {
  const auto begin = [](auto handler) { std::move(handler)(std::error_code{}); };
  awaiting token{io};
  co_await asio::async_initiate<awaiting, void(std::error_code)>(begin, token);
}

// The operation begins on this external thread.
TEST_P(operations_on, that_end_within_their_begin_wake_a_sleeping_worker) {
  pool().warm_up();
  std::this_thread::sleep_for(100ms);  // past the timed parks: a worker sleeps in the context
  block_on(pool(), end_within_the_begin(io));
}

// -------------------------------------------------------------------------------------------------
// where handlers run
TEST_P(operations_on, have_their_handlers_run_by_the_thread_that_runs_the_contexts) {
  const runner_executor runs{io};
  std::promise<bool> by_runner, at_once;
  runs.execute([&] { by_runner.set_value(io.executor().running_in_this_thread()); });
  EXPECT_TRUE(by_runner.get_future().get());
  asio::post(io.executor(), [&] {
    bool has_run = false;
    runs.execute([&] { has_run = true; });
    at_once.set_value(has_run);
  });
  EXPECT_TRUE(at_once.get_future().get());
}

// -------------------------------------------------------------------------------------------------
// misuse
task<> await_twice(context& io, asio::steady_timer& timer) {
  auto waits = timer.async_wait(awaiting{io});
  co_await waits;
  co_await waits;
}
task<> await_what_was_moved(context& io, asio::steady_timer& timer) {
  auto waits = timer.async_wait(awaiting{io});
  auto moved = std::move(waits);
  co_await moved;
  co_await waits;
}
void misuse(task<> (*misuses)(context&, asio::steady_timer&)) {
  context io;
  thread_pool pool({.workers = 1});
  io.attach(pool);
  asio::steady_timer timer{io.executor(), 0ms};
  block_on(spawn(pool, misuses(io, timer)));
}
co::sync::foreign_coroutine wait_for_ever(context& io, asio::steady_timer& timer) {
  co_await timer.async_wait(awaiting{io});
}
void destroy_who_awaits() {
  context io;
  thread_pool pool({.workers = 1});
  io.attach(pool);
  asio::steady_timer timer{io.executor(), 24h};
  std::optional<co::sync::foreign_coroutine> waits{wait_for_ever(io, timer)};
  waits.reset();
}

TEST(operations, end_the_process_when_they_are_misused) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  EXPECT_DEATH(misuse(&await_twice), "an operation is awaited once, and where it was moved to");
  EXPECT_DEATH(misuse(&await_what_was_moved),
               "an operation is awaited once, and where it was moved to");
  EXPECT_DEATH(destroy_who_awaits(), "not destroyed before the operation has ended");
}

}  // namespace
}  // namespace filch::io
