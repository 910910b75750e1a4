// Awaits of datagrams, local sockets, pipes and signals, and the end of a wait for slow operations.
#include <filch/co.hpp>
#include <filch/io/attached_test.hpp>
#include <filch/sync.hpp>

#include <asio/async_result.hpp>
#include <asio/buffer.hpp>
#include <asio/ip/tcp.hpp>
#include <asio/ip/udp.hpp>
#include <asio/local/connect_pair.hpp>
#include <asio/local/stream_protocol.hpp>
#include <asio/posix/stream_descriptor.hpp>
#include <asio/read.hpp>
#include <asio/signal_set.hpp>
#include <asio/write.hpp>
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <unistd.h>

namespace filch::inline v0_2::io {
namespace {

using namespace std::chrono_literals;
using asio::ip::tcp;
using asio::ip::udp;

INSTANTIATE_TEST_SUITE_P(workers, objects_on, testing::Values(1u, 2u));

// -------------------------------------------------------------------------------------------------
// names
task<std::vector<tcp::endpoint>> look_up(context& io, std::string host, std::string service) {
  tcp::resolver names{executor{io}};
  std::vector<tcp::endpoint> found;
  for (const auto& each : co_await names.async_resolve(host, service, awaiting{io}))
    found.push_back(each.endpoint());
  co_return found;
}
task<udp::endpoint> look_up_any_of_ours(context& io) {
  udp::resolver names{io.executor()};
  const auto found =
      co_await names.async_resolve(udp::v6(), "", "53", udp::resolver::passive, awaiting{io});
  co_return found.begin()->endpoint();
}
task<std::string> look_up_service(context& io, tcp::endpoint of) {
  tcp::resolver names{io.executor()};
  const auto found = co_await names.async_resolve(of, awaiting{io});
  co_return found.begin()->host_name();
}
task<std::error_code> fail_to_look_up(context& io) {
  tcp::resolver names{io.executor()};
  try {
    co_await names.async_resolve("no.number", "80", tcp::resolver::numeric_host, awaiting{io});
  } catch (const std::system_error& failed) {
    co_return failed.code();
  }
  co_return std::error_code{};
}

TEST_P(objects_on, a_name_is_looked_up_both_ways_by_tasks_that_others_go_on_beside) {
  const tcp::endpoint here{asio::ip::address_v4::loopback(), 80};
  EXPECT_EQ(block_on(spawn(pool(), look_up(io, "127.0.0.1", "80"))), std::vector{here});
  EXPECT_EQ(block_on(spawn(pool(), look_up_any_of_ours(io))), (udp::endpoint{udp::v6(), 53}))
      << "the family and flags of the query";
  EXPECT_FALSE(block_on(spawn(pool(), look_up_service(io, here))).empty());
  EXPECT_EQ(block_on(spawn(pool(), fail_to_look_up(io))), asio::error::host_not_found);
}

// An operation that ends like a look-up but is none.
task<std::size_t> await_results_of_another(context& io) {
  const auto nothing = [](auto ends) {
    std::move(ends)(std::error_code{}, tcp::resolver::results_type{});
  };
  awaiting token{io};
  const auto found =
      co_await asio::async_initiate<awaiting, void(std::error_code, tcp::resolver::results_type)>(
          nothing, token);
  co_return found.size();
}

TEST_P(objects_on, what_ends_with_endpoints_is_no_look_up_unless_a_resolver_begins_it) {
  EXPECT_EQ(block_on(spawn(pool(), await_results_of_another(io))), 0u);
}

// -------------------------------------------------------------------------------------------------
// sockets and pipes
task<std::string> receive(context& io, udp::socket& at, udp::endpoint& sender) {
  std::string text(64, ' ');
  text.resize(co_await at.async_receive_from(asio::buffer(text), sender, awaiting{io}));
  co_return text;
}
task<std::size_t> send(context& io, udp::socket& from, udp::endpoint to, std::string text) {
  co_return co_await from.async_send_to(asio::buffer(text), to, awaiting{io});
}

TEST_P(objects_on, a_datagram_comes_whole_and_with_its_sender) {
  const udp::endpoint anywhere{asio::ip::address_v4::loopback(), 0};
  udp::socket left{io.executor(), anywhere}, right{io.executor(), anywhere};
  udp::endpoint sender;
  join_handle<std::string> comes = spawn(pool(), receive(io, left, sender));
  EXPECT_EQ(block_on(spawn(pool(), send(io, right, left.local_endpoint(), "whole"))), 5u);
  EXPECT_EQ(block_on(std::move(comes)), "whole");
  EXPECT_EQ(sender, right.local_endpoint());
}

template <class Stream>
task<std::string> read_all(context& io, Stream& from) {
  std::string text;
  std::array<char, 16> part;
  try {
    for (;;)
      text.append(part.data(), co_await from.async_read_some(asio::buffer(part), awaiting{io}));
  } catch (const std::system_error& ended) {
    EXPECT_EQ(ended.code(), asio::error::eof);
  }
  co_return text;
}
template <class Stream>
task<> write_and_close(context& io, Stream to, std::string text) {
  EXPECT_EQ(co_await asio::async_write(to, asio::buffer(text), awaiting{io}), text.size());
}

using local_socket = asio::local::stream_protocol::socket;

/// Two connected local sockets.
struct local_pair {
  explicit local_pair(context& io) : left{io.executor()}, right{io.executor()} {
    asio::local::connect_pair(left, right);
  }
  local_socket left, right;
};

TEST_P(objects_on, text_passes_through_a_socket_of_this_machine) {
  auto [left, right] = local_pair{io};
  join_handle<std::string> comes = spawn(pool(), read_all(io, left));
  block_on(spawn(pool(), write_and_close(io, std::move(right), std::string(100'000, 'x'))));
  EXPECT_EQ(block_on(std::move(comes)), std::string(100'000, 'x'));
}

TEST_P(objects_on, text_passes_through_a_pipe) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  asio::posix::stream_descriptor read_end{io.executor(), ends[0]},
      write_end{io.executor(), ends[1]};
  join_handle<std::string> comes = spawn(pool(), read_all(io, read_end));
  block_on(spawn(pool(), write_and_close(io, std::move(write_end), std::string(100'000, 'x'))));
  EXPECT_EQ(block_on(std::move(comes)), std::string(100'000, 'x'));
}

// -------------------------------------------------------------------------------------------------
// writes
task<> raise(bool& flag) {
  flag = true;
  co_return;
}
/// Whether another task ran meanwhile.
task<bool> lets_another_go_on(context& io, local_socket& to) {
  bool another_went_on = false;
  join_handle<> another = spawn(raise(another_went_on));
  co_await write(to, asio::buffer("hello", 5), awaiting{io});
  const bool went_on = another_went_on;
  co_await std::move(another);
  co_return went_on;
}

/// A pool of one worker, which alone could run another task.
class writes : public testing::Test {
 protected:
  writes() { io.attach(pool); }
  context io;
  thread_pool pool{pool_options{.workers = 1}};
  local_pair sockets{io};
};

TEST_F(writes, what_finds_room_is_written_at_once) {
  EXPECT_FALSE(block_on(spawn(pool, lets_another_go_on(io, sockets.right))));
  std::array<char, 5> came;
  asio::read(sockets.left, asio::buffer(came));
  EXPECT_EQ(std::string(came.begin(), came.end()), "hello");
}

/// How many writes it takes until another task runs.
task<int> write_until_another_goes_on(context& io, local_socket& to) {
  bool another_went_on = false;
  join_handle<> another = spawn(raise(another_went_on));
  int writes = 0;
  while (!another_went_on) {
    co_await write(to, asio::buffer("hello", 5), awaiting{io});
    ++writes;
  }
  co_await std::move(another);
  co_return writes;
}

TEST_F(writes, that_always_find_room_let_others_go_on) {
  EXPECT_LT(block_on(spawn(pool, write_until_another_goes_on(io, sockets.right))), 8);
}

task<> await_a_write_twice(context& io, local_socket& to) {
  auto writes = write(to, asio::buffer("hello", 5), awaiting{io});
  co_await writes;
  co_await writes;
}
task<> await_a_write_that_was_moved(context& io, local_socket& to) {
  auto writes = write(to, asio::buffer("hello", 5), awaiting{io});
  auto moved = std::move(writes);
  co_await moved;
  co_await writes;
}
void misuse_a_write(task<> (*misuses)(context&, local_socket&)) {
  context io;
  thread_pool pool({.workers = 1});
  io.attach(pool);
  local_pair sockets{io};
  block_on(spawn(pool, misuses(io, sockets.right)));
}

TEST(writing, ends_the_process_when_it_is_misused) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  EXPECT_DEATH(misuse_a_write(&await_a_write_twice),
               "a write is awaited once, and where it was moved to");
  EXPECT_DEATH(misuse_a_write(&await_a_write_that_was_moved),
               "a write is awaited once, and where it was moved to");
}

/// No two parts of it are alike.
std::string long_text() {
  std::string text;
  for (int i = 0; text.size() < 4'000'000; ++i) text += std::to_string(i) + ' ';
  return text;
}
task<> write_parts_and_close(context& io, local_socket to, std::string text) {
  const std::size_t third = text.size() / 3;
  const std::array<asio::const_buffer, 3> parts{asio::buffer(text, third), asio::const_buffer(),
                                                asio::buffer(text) + third};
  EXPECT_EQ(co_await write(to, parts, awaiting{io}), text.size());
}

TEST_P(objects_on, what_finds_no_room_is_written_as_it_comes) {
  auto [left, right] = local_pair{io};
  const std::string text = long_text();
  join_handle<std::string> comes = spawn(pool(), read_all(io, left));
  block_on(spawn(pool(), write_parts_and_close(io, std::move(right), text)));
  EXPECT_TRUE(block_on(std::move(comes)) == text) << "whole, and in order";
}

task<std::size_t> write_letters(context& io, local_socket to, const std::string& text) {
  std::vector<asio::const_buffer> letters;
  for (const char& each : text) letters.emplace_back(&each, 1);
  co_return co_await write(to, letters, awaiting{io});
}

TEST_P(objects_on, more_parts_than_a_call_takes_are_written_by_several) {
  auto [left, right] = local_pair{io};
  const std::string text = long_text().substr(0, 100);
  EXPECT_EQ(block_on(spawn(pool(), write_letters(io, std::move(right), text))), text.size());
  EXPECT_EQ(block_on(spawn(pool(), read_all(io, left))), text);
}

task<> write_all(context& io, local_socket& to, const std::string& text) {
  co_await write(to, asio::buffer(text), awaiting{io});
}

TEST_P(objects_on, a_write_that_waits_ends_where_its_task_is_asked_to_stop) {
  const std::string text = long_text();
  auto [left, right] = local_pair{io};
  join_handle<> waits = spawn(pool(), write_all(io, right, text));
  waits.cancel();
  EXPECT_THROW(block_on(std::move(waits)), co::cancelled);
}

/// How much of `text` a cancelled write tells that it has sent.
task<std::size_t> write_until_stopped(context& io, local_socket& to, const std::string& text) {
  try {
    co_return co_await write(to, asio::buffer(text), awaiting{io});
  } catch (const write_cancelled& ended) {
    co_return ended.sent();
  }
}
std::string read_what_is_there(local_socket& from) {
  std::string text(8'000'000, ' ');
  std::error_code none;
  std::size_t count = 0;
  from.non_blocking(true);
  while (const std::size_t more = from.read_some(asio::buffer(text) + count, none)) count += more;
  text.resize(count);
  return text;
}

TEST_P(objects_on, a_write_that_is_asked_to_stop_says_how_much_was_sent) {
  const std::string text = long_text();
  for (const std::size_t read_in_between : {0, 1'000'000}) {
    auto [left, right] = local_pair{io};
    join_handle<std::size_t> waits = spawn(pool(), write_until_stopped(io, right, text));
    std::string came(read_in_between, ' ');
    asio::read(left, asio::buffer(came));
    waits.cancel();
    const std::size_t sent = block_on(std::move(waits));
    came += read_what_is_there(left);
    EXPECT_EQ(sent, came.size());
    EXPECT_LT(sent, text.size());
    EXPECT_TRUE(came == text.substr(0, sent)) << "the first bytes";
  }
}

TEST_P(objects_on, a_write_to_a_peer_that_has_gone_is_an_error_of_the_await) {
  auto [left, right] = local_pair{io};
  left.close();
  try {
    block_on(spawn(pool(), write_all(io, right, "hello")));
    ADD_FAILURE() << "nobody could have read that";
  } catch (const std::system_error& failed) {
    EXPECT_EQ(failed.code(), asio::error::broken_pipe);
  }
}

// -------------------------------------------------------------------------------------------------
// signals
task<int> next_signal(context& io, asio::signal_set& signals) {
  co_return co_await signals.async_wait(awaiting{io});
}

TEST_P(objects_on, a_signal_is_awaited) {
  asio::signal_set signals{io.executor(), SIGUSR1, SIGUSR2};
  for (const int each : {SIGUSR2, SIGUSR1}) {
    join_handle<int> comes = spawn(pool(), next_signal(io, signals));
    std::raise(each);
    EXPECT_EQ(block_on(std::move(comes)), each);
  }
}

}  // namespace
}  // namespace filch::io
