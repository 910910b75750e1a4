// The end of a wait for operations that are slow, ignore a cancellation or throw.
#include <filch/co.hpp>
#include <filch/io/attached_test.hpp>
#include <filch/sync.hpp>

#include <asio/async_result.hpp>
#include <asio/post.hpp>
#include <asio/steady_timer.hpp>
#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace filch::inline v0_2::io {
namespace {

using namespace std::chrono_literals;

/// An operation that ignores a cancellation.
class stubborn {
 public:
  auto async_wait(awaiting token) {
    return asio::async_initiate<awaiting, void(std::error_code)>(
        [this](auto handler) { begin(std::move(handler)); }, token);
  }
  /// Ends it in a handler of the context.
  void end(context& io) {
    asio::post(io.executor(), [this] { (*completes_)(std::error_code{}); });
  }
  async_event has_begun;

 private:
  void begin(handler<> completes) {
    completes_.emplace(std::move(completes));
    has_begun.set();
  }
  std::optional<handler<>> completes_;
};
task<> wait_for(context& io, stubborn& operation) { co_await operation.async_wait(awaiting{io}); }

TEST_P(objects_on, a_cancelled_await_lasts_until_its_operation_has_ended) {
  for (const bool stops : {false, true}) {
    stubborn operation;
    join_handle<> waits = spawn(pool(), wait_for(io, operation));
    filch::wait(operation.has_begun.wait());
    if (stops) pool().request_stop();
    waits.cancel();
    std::this_thread::sleep_for(20ms);
    EXPECT_FALSE(waits.is_finished()) << "its buffer was still used";
    operation.end(io);
    EXPECT_NO_THROW(block_on(std::move(waits))) << "it has come to its end";
  }
}

task<> sleep_for_a_day(context& io) {
  asio::steady_timer timer{io.executor(), 24h};
  co_await timer.async_wait(awaiting{io});
}

// None of the tasks keeps a thread.
TEST(objects_in, a_stopped_pool_of_one_thread_lets_go_of_any_number_of_tasks) {
  context io;
  thread_pool pool({.workers = 1, .max_spares = 0});
  io.attach(pool);
  std::vector<join_handle<>> sleepers;
  for (int i = 0; i < 50; ++i) sleepers.push_back(spawn(pool, sleep_for_a_day(io)));
  std::this_thread::sleep_for(20ms);
  pool.request_stop();
  for (join_handle<>& each : sleepers) each.cancel();
  for (join_handle<>& each : sleepers) EXPECT_ANY_THROW(block_on(std::move(each)));
}

/// A value that cannot be moved out of the handler.
struct immovable_at_last {
  immovable_at_last() = default;
  immovable_at_last(const immovable_at_last&) {
    throw std::runtime_error("copy " + std::to_string(++copies));
  }
  static inline int copies = 0;
};
auto make_a_value(context& io, awaiting token) {
  const auto begin = [&io](auto handler) {
    asio::post(io.executor(), [own = std::move(handler)]() mutable {
      const immovable_at_last value;
      own(std::error_code{}, value);
    });
  };
  return asio::async_initiate<awaiting, void(std::error_code, immovable_at_last)>(begin, token);
}
task<> wait_for_a_value(context& io) { static_cast<void>(co_await make_a_value(io, awaiting{io})); }

TEST_P(objects_on, what_the_copy_of_a_value_throws_is_thrown_by_the_await) {
  immovable_at_last::copies = 0;
  try {
    block_on(spawn(pool(), wait_for_a_value(io)));
    ADD_FAILURE() << "it gave a value";
  } catch (const std::runtime_error& thrown) {
    EXPECT_STREQ(thrown.what(), "copy 1");
  }
}

}  // namespace
}  // namespace filch::io
