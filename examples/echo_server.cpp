// Sends back what it receives, over any number of connections, until SIGTERM. With an argument it
// tests itself and sends itself that signal.
#include <filch/co.hpp>
#include <filch/io.hpp>
#include <filch/timers.hpp>

#include <asio/buffer.hpp>
#include <asio/ip/tcp.hpp>
#include <asio/read.hpp>
#include <asio/signal_set.hpp>

#include <array>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <optional>
#include <system_error>
#include <utility>

namespace {

using namespace std::chrono_literals;
using asio::ip::tcp;
using filch::io::awaiting;

// [echo]
filch::task<> serve(filch::io::context& io, tcp::socket socket) {
  std::array<char, 4096> data;
  try {
    for (;;) {
      const std::size_t got = co_await socket.async_read_some(asio::buffer(data), awaiting{io});
      co_await filch::io::write(socket, asio::buffer(data, got), awaiting{io});
    }
  } catch (const std::system_error&) {
    // the other side has gone
  }
}

/// Empty if the system refuses a connection (the process has too many open) or the client has gone.
filch::task<std::optional<tcp::socket>> accept_one(filch::io::context& io,
                                                   tcp::acceptor& acceptor) {
  try {
    co_return co_await acceptor.async_accept(awaiting{io});
  } catch (const std::system_error& failed) {
    std::fprintf(stderr, "accept: %s\n", failed.what());
  }
  co_return std::nullopt;
}

filch::task<> listen(filch::io::context& io, tcp::acceptor& acceptor) {
  filch::co::scope connections{co_await filch::co::get_stop_token()};
  try {
    for (;;) {
      std::optional<tcp::socket> socket = co_await accept_one(io, acceptor);
      if (socket) {
        connections.spawn(serve(io, *std::move(socket)));
      } else {
        co_await filch::sleep_for(10ms);
      }
    }
  } catch (const filch::co::cancelled&) {
    // SIGTERM
  }
  connections.cancel();
  co_await connections.join();
}
// [echo]

filch::task<> until_terminated(filch::io::context& io, asio::signal_set& signals) {
  static_cast<void>(co_await signals.async_wait(awaiting{io}));
}

filch::task<bool> try_it(filch::io::context& io, tcp::endpoint server) {
  tcp::socket socket{io.executor()};
  co_await socket.async_connect(server, awaiting{io});
  std::array<char, 5> sent{'h', 'e', 'l', 'l', 'o'}, received{};
  co_await filch::io::write(socket, asio::buffer(sent), awaiting{io});
  co_await asio::async_read(socket, asio::buffer(received), awaiting{io});
  co_return sent == received;
}

}  // namespace

int main(int count, char**) {
  filch::io::context io;
  tcp::acceptor acceptor{io.executor(), tcp::endpoint{asio::ip::address_v4::loopback(), 0}};
  filch::thread_pool pool;
  io.attach(pool);
  // Before a client can know that the server is there
  asio::signal_set signals{io.executor(), SIGTERM, SIGINT};
  std::printf("port %d\n", acceptor.local_endpoint().port());
  std::fflush(stdout);

  auto server = filch::spawn(pool, listen(io, acceptor));
  bool is_well = true;
  auto end = filch::spawn(pool, until_terminated(io, signals));
  if (count > 1) {
    is_well = filch::block_on(filch::spawn(pool, try_it(io, acceptor.local_endpoint())));
    std::raise(SIGTERM);
  }
  filch::block_on(std::move(end));
  server.cancel();
  filch::block_on(std::move(server));
  return is_well ? 0 : 1;
}
