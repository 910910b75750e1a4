// The pool as an executor of Asio: posted functions, strands, coroutines and I/O objects on it.
#include <filch/algo/reduce.hpp>
#include <filch/co.hpp>
#include <filch/io/attached_test.hpp>
#include <filch/sync.hpp>

#include <asio/any_io_executor.hpp>
#include <asio/buffer.hpp>
#include <asio/defer.hpp>
#include <asio/dispatch.hpp>
#include <asio/executor_work_guard.hpp>
#include <asio/ip/tcp.hpp>
#include <asio/post.hpp>
#include <asio/prefer.hpp>
#include <asio/read.hpp>
#include <asio/require.hpp>
#include <asio/steady_timer.hpp>
#include <asio/strand.hpp>
#include <asio/write.hpp>
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <exception>
#include <memory>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <vector>

namespace filch::inline v0_2::io {
namespace {

using namespace std::chrono_literals;
using asio::ip::tcp;
namespace execution = asio::execution;

INSTANTIATE_TEST_SUITE_P(workers, executor_on, testing::Values(1u, 2u));

// -------------------------------------------------------------------------------------------------
// properties
template <class... Properties>
constexpr bool can_require_all = (asio::can_require<executor, Properties>::value && ...);

static_assert(execution::is_executor<executor>::value);
static_assert(can_require_all<execution::blocking_t::possibly_t, execution::blocking_t::never_t,
                              execution::blocking_t::always_t>);
static_assert(
    can_require_all<execution::relationship_t::fork_t, execution::relationship_t::continuation_t>);
static_assert(can_require_all<execution::outstanding_work_t::tracked_t,
                              execution::outstanding_work_t::untracked_t>);
static_assert(
    can_require_all<execution::allocator_t<void>, execution::allocator_t<std::allocator<int>>>);

TEST_P(executor_on, keeps_the_properties_that_it_is_asked_for) {
  const executor plain = here();
  EXPECT_TRUE(asio::query(plain, execution::blocking) == execution::blocking.possibly);
  EXPECT_TRUE(asio::query(plain, execution::outstanding_work) ==
              execution::outstanding_work.untracked);
  const executor other =
      asio::require(plain, execution::blocking.never, execution::relationship.continuation,
                    execution::outstanding_work.tracked);
  EXPECT_TRUE(asio::query(other, execution::blocking) == execution::blocking.never);
  EXPECT_TRUE(asio::query(other, execution::relationship) == execution::relationship.continuation);
  EXPECT_TRUE(asio::query(other, execution::outstanding_work) ==
              execution::outstanding_work.tracked);
  EXPECT_FALSE(other == plain);
  const executor back =
      asio::require(other, execution::blocking.possibly, execution::relationship.fork,
                    execution::outstanding_work.untracked);
  EXPECT_TRUE(back == plain);
}

TEST_P(executor_on, tells_where_it_belongs) {
  EXPECT_EQ(&asio::query(here(), execution::context),
            &asio::query(io.executor(), execution::context));
  EXPECT_EQ(asio::query(here(), execution::occupancy), pool().concurrency());
  EXPECT_TRUE(asio::query(here(), execution::mapping) == execution::mapping.thread);
  EXPECT_TRUE(asio::query(here(), execution::bulk_guarantee) == execution::bulk_guarantee.parallel);
}

TEST_P(executor_on, fits_where_asio_takes_any) {
  const asio::any_io_executor any = here();
  ASSERT_NE(any.target<executor>(), nullptr);
  EXPECT_TRUE(*any.target<executor>() == here());
  const asio::any_io_executor tracked = asio::prefer(any, execution::outstanding_work.tracked);
  EXPECT_TRUE(asio::query(*tracked.target<executor>(), execution::outstanding_work) ==
              execution::outstanding_work.tracked);
  async_event ran;
  asio::post(any, [&] { ran.set(); });
  filch::wait(ran.wait());
}

// -------------------------------------------------------------------------------------------------
// functions
TEST_P(executor_on, runs_functions_as_jobs_that_may_fork) {
  std::vector<int> numbers(10'000);
  std::iota(numbers.begin(), numbers.end(), 0);
  const auto run = [&](auto hand_over) {
    async_event ran;
    thread_pool* where = nullptr;
    int sum = 0;
    hand_over([&] {
      where = this_pool();
      sum = filch::reduce(numbers);
      ran.set();
    });
    filch::wait(ran.wait());
    EXPECT_EQ(where, &pool());
    EXPECT_EQ(sum, 49'995'000);
  };
  run([&](auto function) { asio::post(here(), function); });
  run([&](auto function) { asio::dispatch(here(), function); });
  run([&](auto function) { asio::defer(here(), function); });
}

TEST_P(executor_on, takes_functions_that_can_only_be_moved) {
  async_event ran;
  asio::post(here(), [own = std::make_unique<int>(7), &ran] {
    EXPECT_EQ(*own, 7);
    ran.set();
  });
  filch::wait(ran.wait());
}

TEST_P(executor_on, dispatches_at_once_from_a_job_of_its_pool_but_never_posts_so) {
  pool().run([&] {
    const std::thread::id me = std::this_thread::get_id();
    bool has_run = false, is_nested = true;
    asio::dispatch(here(), [&] { has_run = std::this_thread::get_id() == me; });
    EXPECT_TRUE(has_run);
    async_event ran;
    asio::post(here(), [&] {
      EXPECT_FALSE(std::this_thread::get_id() == me && is_nested);
      ran.set();
    });
    is_nested = false;
    filch::wait(ran.wait());
  });
}

thread_local bool is_in_handler = false;

// A worker that runs the context's handlers holds up all others that would.
TEST_P(executor_on, dispatches_from_a_handler_of_the_context_to_a_job) {
  for (int i = 0; i < 200; ++i) {  // now and then a thread without a slot runs the handler
    async_event ran;
    bool was_in_handler = true;
    pool().submit([&] {
      std::atomic<bool> is_handled{false};
      asio::post(io.executor(), [&] {
        is_in_handler = true;
        asio::dispatch(here(), [&] {
          was_in_handler = is_in_handler;
          ran.set();
        });
        is_in_handler = false;
        is_handled = true;
      });
      while (!is_handled) io.poll(context::look::for_want_of_work);
    });
    filch::wait(ran.wait());
    EXPECT_FALSE(was_in_handler);
  }
}

TEST_P(executor_on, waits_for_what_it_must_not_return_before) {
  const executor waits = asio::require(here(), execution::blocking.always);
  thread_pool* where = nullptr;
  waits.execute([&] { where = this_pool(); });
  EXPECT_EQ(where, &pool());
  EXPECT_THROW(waits.execute([] { throw std::runtime_error("lost"); }), std::runtime_error);
}

TEST(executor_in, a_pool_with_a_handler_tells_it_what_escapes) {
  static std::atomic<int> told;
  told = 0;
  async_event seen;
  static async_event* tells;
  tells = &seen;
  context io;
  thread_pool pool({.workers = 1, .on_escaped_exception = [](std::exception_ptr) noexcept {
                      ++told;
                      tells->set();
                    }});
  io.attach(pool);
  asio::post(executor{io}, [] { throw std::runtime_error("lost"); });
  filch::wait(seen.wait());
  EXPECT_EQ(told, 1);
}

// -------------------------------------------------------------------------------------------------
// memory
/// Counts what it has allocated and not got back.
template <class T>
struct counting_allocator {
  using value_type = T;
  explicit counting_allocator(int& count) noexcept : living{&count} {}
  template <class U>
  counting_allocator(const counting_allocator<U>& other) noexcept : living{other.living} {}
  T* allocate(std::size_t n) {
    ++*living;
    return std::allocator<T>().allocate(n);
  }
  void deallocate(T* at, std::size_t n) noexcept {
    --*living;
    std::allocator<T>().deallocate(at, n);
  }
  friend bool operator==(const counting_allocator&, const counting_allocator&) = default;
  int* living;
};

TEST_P(executor_on, takes_memory_where_it_is_told_and_gives_it_back_before_the_function_runs) {
  int living = 0, were_living = -1;
  const auto counts = asio::require(here(), execution::allocator(counting_allocator<char>(living)),
                                    execution::blocking.never);
  EXPECT_TRUE(asio::query(counts, execution::allocator).living == &living);
  async_event may_run, has_waited, ran;
  pool().submit([&] {
    filch::wait(may_run.wait());
    has_waited.set();
  });
  counts.execute([&] {
    were_living = living;
    ran.set();
  });
  may_run.set();
  filch::wait(ran.wait());
  filch::wait(has_waited.wait());  // by another worker, perhaps only now
  EXPECT_EQ(were_living, 0);
}

// -------------------------------------------------------------------------------------------------
// strands
TEST_P(executor_on, carries_strands) {
  const auto strand = asio::make_strand(here());
  constexpr int count = 1'000;
  std::vector<int> order;  // only accessed in the strand
  async_latch ran{2};
  const auto post_all = [&](int from) {
    for (int i = 0; i < count; ++i)
      asio::post(strand, [&order, i, from] { order.push_back(from + i); });
    asio::post(strand, [&] { ran.count_down(); });
  };
  std::thread other{[&] { post_all(count); }};
  post_all(0);
  other.join();
  filch::wait(ran.wait());
  async_event is_read;
  asio::post(strand, [&] {
    EXPECT_EQ(order.size(), 2u * count);
    int next = 0, next_other = count;
    for (const int each : order) EXPECT_EQ(each, each < count ? next++ : next_other++);
    is_read.set();
  });
  filch::wait(is_read.wait());
}

// -------------------------------------------------------------------------------------------------
// I/O objects
// On `io.executor()` this handler would wait for a job while it keeps its worker from running one.
TEST_P(executor_on, handlers_of_its_objects_are_jobs_that_may_wait) {
  asio::steady_timer timer{here(), 1ms};
  async_event ran;
  timer.async_wait([&](std::error_code error) {
    EXPECT_FALSE(error);
    EXPECT_EQ(this_pool(), &pool());
    async_event inner;
    pool().submit([&] { inner.set(); });
    filch::wait(inner.wait());
    ran.set();
  });
  filch::wait(ran.wait());
}

task<> send_one_back(context& io, tcp::acceptor& at) {
  tcp::socket socket = co_await at.async_accept(awaiting{io});
  std::array<char, 4> data;
  co_await asio::async_read(socket, asio::buffer(data), awaiting{io});
  co_await asio::async_write(socket, asio::buffer(data), awaiting{io});
}
task<> send_one(context& io, tcp::endpoint server) {
  tcp::socket socket{executor{io}};
  co_await socket.async_connect(server, awaiting{io});
  const std::array<char, 4> sent{'a', 'b', 'c', 'd'};
  std::array<char, 4> received{};
  co_await asio::async_write(socket, asio::buffer(sent), awaiting{io});
  co_await asio::async_read(socket, asio::buffer(received), awaiting{io});
  EXPECT_EQ(sent, received);
}
task<> accept(context& io, tcp::acceptor& at) {
  static_cast<void>(co_await at.async_accept(awaiting{io}));
}

TEST_P(executor_on, tasks_await_its_objects_as_those_of_the_context) {
  tcp::acceptor acceptor{here(), tcp::endpoint{asio::ip::address_v4::loopback(), 0}};
  for (int i = 0; i < 20; ++i) {
    join_handle<> server = spawn(pool(), send_one_back(io, acceptor));
    block_on(spawn(pool(), send_one(io, acceptor.local_endpoint())));
    block_on(std::move(server));
  }
  join_handle<> waits = spawn(pool(), accept(io, acceptor));
  waits.cancel();
  EXPECT_THROW(block_on(std::move(waits)), co::cancelled);
}

// -------------------------------------------------------------------------------------------------
// the end
TEST_P(executor_on, the_pool_ends_after_the_work_that_is_tracked) {
  auto guard = std::make_optional(asio::make_work_guard(here()));
  std::atomic<bool> is_let_go{false};
  std::thread lets_go{[&] {
    std::this_thread::sleep_for(20ms);
    is_let_go = true;
    guard.reset();
  }};
  end_pool();
  EXPECT_TRUE(is_let_go);
  lets_go.join();
}

// Asio's own pool without threads would wait for ever. Here the only thread sleeps in the context
// and ends the operation.
TEST(executor_in, a_pool_without_spares_ends_after_what_is_under_way) {
  context io;
  std::optional<asio::steady_timer> timer;
  bool has_rung = false;
  {
    thread_pool pool({.workers = 1, .max_spares = 0});
    io.attach(pool);
    timer.emplace(executor{io}, 20ms);
    timer->async_wait([&](std::error_code error) { has_rung = !error; });
  }
  EXPECT_TRUE(has_rung);
}

TEST_P(executor_on, an_executor_that_is_moved_from_tracks_nothing) {
  {
    executor first = asio::require(here(), execution::outstanding_work.tracked);
    executor second = std::move(first);
    executor third = here();
    third = second;
    third = std::move(second);
  }
  end_pool();  // would not end if one were counted twice or not at all
}

TEST_P(executor_on, a_stopped_pool_takes_nothing_new_and_ends_what_has_begun) {
  std::optional<executor> tracked = asio::require(here(), execution::outstanding_work.tracked);
  asio::steady_timer timer{here(), 10ms};
  async_event rang, ran;
  timer.async_wait([&](std::error_code) { rang.set(); });
  pool().request_stop();
  EXPECT_THROW(asio::post(here(), [] {}), pool_stopped);
  EXPECT_THROW(asio::require(here(), execution::blocking.always).execute([] {}), pool_stopped);
  asio::post(*tracked, [&] { ran.set(); });
  filch::wait(ran.wait());
  filch::wait(rang.wait());
  tracked.reset();
}

}  // namespace
}  // namespace filch::io
