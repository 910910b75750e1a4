// Completions that arrive while their pool ends: each operation ends once, with its result or as
// cancelled, and nothing stays behind.
#include <filch/base/rng.hpp>
#include <filch/co.hpp>
#include <filch/io.hpp>

#include <asio/any_io_executor.hpp>
#include <asio/buffer.hpp>
#include <asio/local/connect_pair.hpp>
#include <asio/local/stream_protocol.hpp>
#include <asio/steady_timer.hpp>
#include <asio/write.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace filch::inline v0_2::io {
namespace {

using namespace std::chrono_literals;
using asio::local::stream_protocol;

/// How an operation ended, and how many of its witnesses are alive.
struct ends {
  std::atomic<int> delivered{0}, cancelled{0}, alive{0};
};

class witness {
 public:
  explicit witness(ends& of) noexcept : of_{&of} { ++of_->alive; }
  witness(const witness& other) noexcept : witness{*other.of_} {}
  witness& operator=(const witness&) = delete;
  ~witness() { --of_->alive; }

 private:
  ends* of_;
};

/// Two sockets: a task or a callback reads a byte from one that is written to the other.
struct line {
  explicit line(const asio::any_io_executor& on) : reads{on}, writes{on} {
    asio::local::connect_pair(reads, writes);
  }
  void send() { asio::write(writes, asio::buffer("!", 1)); }

  stream_protocol::socket reads, writes;
  char byte = 0;
  ends of;
};

task<> receive(context& io, line& at) {
  const witness here{at.of};
  try {
    co_await at.reads.async_read_some(asio::buffer(&at.byte, 1), awaiting{io});
    ++at.of.delivered;
  } catch (const co::cancelled&) {
    ++at.of.cancelled;
  }
}
void receive_by_a_callback(line& at) {
  at.reads.async_read_some(asio::buffer(&at.byte, 1),
                           [&at, here = witness{at.of}](std::error_code error, std::size_t) {
                             ++(error ? at.of.cancelled : at.of.delivered);
                           });
}
task<> sleep(context& io, std::chrono::nanoseconds length, ends& of) {
  const witness here{of};
  asio::steady_timer timer{io.executor(), length};
  try {
    co_await timer.async_wait(awaiting{io});
    ++of.delivered;
  } catch (const co::cancelled&) {
    ++of.cancelled;
  }
}

void spin(std::chrono::nanoseconds length) {
  for (const auto begin = std::chrono::steady_clock::now();
       std::chrono::steady_clock::now() - begin < length;) {
  }
}

/// A pool with pending operations, which ends while their events come in.
class operation_state {
 public:
  operation_state(unsigned workers, std::uint64_t seed) : pool_{made(io_, workers)}, random_{seed} {
    for (line& each : awaited_) begun_.push_back(spawn(*pool_, receive(io_, each)));
    for (ends& each : rung_) begun_.push_back(spawn(*pool_, sleep(io_, some_time(), each)));
    receive_by_a_callback(called_);
    while (!have_all_begun()) std::this_thread::yield();
  }

  /// `stops`: jobs that have not begun are discarded.
  void end(bool stops) {
    std::atomic<bool> begins{false};
    std::thread sender{[&, pause = some_time()] {
      while (!begins) std::this_thread::yield();
      spin(pause);
      for (line& each : awaited_) each.send();
      called_.send();
    }};
    begins = true;
    spin(some_time());
    if (stops) pool_->request_stop();
    for (std::size_t i = 0; i < begun_.size(); i += 2) begun_[i].cancel();
    begun_.clear();
    pool_.reset();
    sender.join();
  }

  void expect_one_end_each() {
    for (line& each : awaited_) expect_one_end(each);
    for (ends& each : rung_) expect_one_end(each);
    expect_one_end(called_);
    EXPECT_EQ(called_.of.cancelled, 0) << "nobody asked for it";
  }

 private:
  static std::unique_ptr<thread_pool> made(context& io, unsigned workers) {
    auto pool = std::make_unique<thread_pool>(pool_options{.workers = workers});
    io.attach(*pool);
    return pool;
  }
  std::chrono::nanoseconds some_time() {
    return std::chrono::nanoseconds{base::below(random_(), 100'000)};
  }
  bool have_all_begun() const {
    return std::ranges::all_of(awaited_, [](const line& each) { return has_begun(each.of); }) &&
           std::ranges::all_of(rung_, has_begun);
  }
  static bool has_begun(const ends& of) { return of.alive + of.delivered > 0; }
  static void expect_one_end(const ends& of) {
    EXPECT_EQ(of.delivered + of.cancelled, 1);
    EXPECT_EQ(of.alive, 0);
  }
  static void expect_one_end(line& at) {
    expect_one_end(at.of);
    EXPECT_EQ(at.reads.available(), at.of.cancelled)
        << "a byte is read by the operation that says so, or left";
  }

  context io_;
  std::unique_ptr<thread_pool> pool_;
  base::split_mix64 random_;
  std::array<line, 4> awaited_{line{io_.executor()}, line{io_.executor()}, line{io_.executor()},
                               line{io_.executor()}};
  std::array<ends, 2> rung_;
  line called_{executor{io_}};
  std::vector<join_handle<>> begun_;
};

class shutdown_on : public testing::TestWithParam<unsigned> {};
INSTANTIATE_TEST_SUITE_P(workers, shutdown_on, testing::Values(1u, 2u, 4u));

TEST_P(shutdown_on, an_event_that_arrives_meanwhile_ends_its_operation_once) {
  for (std::uint64_t round = 0; round < 200; ++round) {
    operation_state pool{GetParam(), round};
    // Past the timed parks: a worker sleeps in the context without a deadline
    if (round % 40 == 0) std::this_thread::sleep_for(20ms);
    pool.end(round % 2 == 0);
    pool.expect_one_end_each();
    ASSERT_FALSE(HasFailure()) << "in round " << round;
  }
}

}  // namespace
}  // namespace filch::io
