// Operations on the executor of a pool, and coroutines of Asio, awaited by tasks.
#include <filch/co.hpp>
#include <filch/io/attached_test.hpp>
#include <filch/sync.hpp>

#include <asio/any_io_executor.hpp>
#include <asio/co_spawn.hpp>
#include <asio/defer.hpp>
#include <asio/dispatch.hpp>
#include <asio/post.hpp>
#include <asio/require.hpp>
#include <asio/steady_timer.hpp>
#include <asio/strand.hpp>
#include <asio/use_awaitable.hpp>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <exception>
#include <stdexcept>
#include <string>
#include <system_error>

namespace filch::inline v0_2::io {
namespace {

using namespace std::chrono_literals;
namespace execution = asio::execution;

task<bool> take_turns(context& io, executor on) {
  co_await asio::post(io.executor(), awaiting{io});
  co_await asio::post(on, awaiting{io});
  co_await asio::defer(on, awaiting{io});
  co_await asio::dispatch(asio::make_strand(on), awaiting{io});
  co_return this_pool() == &io.pool();
}

TEST_P(executor_on, a_turn_of_an_executor_is_awaited) {
  EXPECT_TRUE(block_on(spawn(pool(), take_turns(io, here()))));
}

/// Completes with a number and no error.
template <class Token>
auto give_number(executor on, int number, Token&& token) {
  return asio::async_initiate<Token, void(int)>(
      [on](auto handler, int given) {
        asio::post(on, [own = std::move(handler), given]() mutable { std::move(own)(given); });
      },
      token, number);
}
task<int> await_number(context& io, executor on) {
  co_return co_await give_number(on, 7, awaiting{io});
}

TEST_P(executor_on, an_operation_that_cannot_fail_is_awaited) {
  EXPECT_EQ(block_on(spawn(pool(), await_number(io, here()))), 7);
}

task<> be_discarded(context& io, executor on) {
  on.execute([&io] { io.pool().request_stop(); });
  co_await asio::post(asio::require(on, execution::blocking.never), awaiting{io});
}
task<> be_refused(context& io, executor on) {
  io.pool().request_stop();
  co_await asio::post(on, awaiting{io});
}

TEST_P(executor_on, what_a_stopped_pool_does_not_do_ends_the_await) {
  const executor on = asio::require(here(), execution::blocking.never);
  join_handle<> waits = spawn(pool(), be_discarded(io, on));
  try {
    block_on(std::move(waits));
    EXPECT_EQ(GetParam(), 2u) << "another worker may have run it in time";
  } catch (const std::system_error& failed) {
    EXPECT_EQ(failed.code(), asio::error::operation_aborted);
  } catch (const pool_stopped&) {
    EXPECT_EQ(GetParam(), 2u) << "another worker may have stopped the pool before";
  }
}

TEST_P(executor_on, what_a_stopped_pool_refuses_to_begin_is_thrown_by_the_await) {
  EXPECT_THROW(block_on(spawn(pool(), be_refused(io, here()))), pool_stopped);
}

#if defined(ASIO_HAS_CO_AWAIT)
asio::awaitable<int> sleep_and_count(asio::any_io_executor on, int count) {
  asio::steady_timer timer{on};
  for (int i = 0; i < count; ++i) {
    timer.expires_after(100us);
    co_await timer.async_wait(asio::use_awaitable);
    EXPECT_NE(this_pool(), nullptr);
  }
  co_return count;
}

TEST_P(executor_on, runs_coroutines_of_asio) {
  async_latch ended{5};
  std::atomic<int> total{0};
  for (int i = 1; i <= 5; ++i) {
    asio::co_spawn(here(), sleep_and_count(here(), i), [&](std::exception_ptr thrown, int count) {
      EXPECT_FALSE(thrown);
      total += count;
      ended.count_down();
    });
  }
  filch::wait(ended.wait());
  EXPECT_EQ(total, 15);
}

asio::awaitable<int> throw_as_asio_does(asio::any_io_executor on) {
  const int counted = co_await sleep_and_count(on, 1);
  throw std::runtime_error(std::to_string(counted) + " is not enough");
}
task<int> await_coroutines(context& io, executor on) {
  std::string thrown;
  try {
    co_await asio::co_spawn(on, throw_as_asio_does(on), awaiting{io});
  } catch (const std::runtime_error& caught) {
    thrown = caught.what();
  }
  EXPECT_EQ(thrown, "1 is not enough");
  co_return co_await asio::co_spawn(on, sleep_and_count(on, 3), awaiting{io});
}

TEST_P(executor_on, coroutines_of_asio_are_awaited) {
  EXPECT_EQ(block_on(spawn(pool(), await_coroutines(io, here()))), 3);
}

asio::awaitable<void> sleep_long(asio::any_io_executor on, async_event& sleeps) {
  asio::steady_timer timer{on, 24h};
  sleeps.set();
  co_await timer.async_wait(asio::use_awaitable);
}
task<> await_sleep(context& io, executor on, async_event& sleeps) {
  co_await asio::co_spawn(on, sleep_long(on, sleeps), awaiting{io});
}

TEST_P(executor_on, a_cancelled_await_of_a_coroutine_of_asio_throws_cancelled) {
  async_event sleeps;
  join_handle<> waits = spawn(pool(), await_sleep(io, here(), sleeps));
  filch::wait(sleeps.wait());
  waits.cancel();
  EXPECT_THROW(block_on(std::move(waits)), co::cancelled);
}
#endif

}  // namespace
}  // namespace filch::io
