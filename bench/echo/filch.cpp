#include <bench/echo/problem.hpp>
#include <bench/harness/contender.hpp>
#include <filch/co.hpp>
#include <filch/io.hpp>

#include <asio/buffer.hpp>
#include <asio/ip/tcp.hpp>

#include <array>
#include <cstddef>
#include <system_error>
#include <utility>
#include <vector>

namespace {

using namespace bench::echo;
using asio::ip::tcp;
using filch::io::awaiting;
using message = std::array<char, message_bytes>;

filch::task<> send_back(filch::io::context& io, tcp::socket socket) {
  message data;
  try {
    for (;;) {
      // as asio::async_read, which takes memory for each read
      for (std::size_t n = 0; n != data.size();)
        n += co_await socket.async_read_some(asio::buffer(data) + n, awaiting{io});
      co_await filch::io::write(socket, asio::buffer(data), awaiting{io});
    }
  } catch (const std::system_error&) {
    // the other side has enough
  }
}

filch::task<std::uint64_t> ask(filch::io::context& io, tcp::endpoint server, std::uint64_t count) {
  tcp::socket socket{io.executor()};
  co_await socket.async_connect(server, awaiting{io});
  socket.set_option(tcp::no_delay{true});
  std::uint64_t whole = 0;
  message sent, received;
  for (std::uint64_t i = 0; i != count; ++i) {
    sent.fill(static_cast<char>(i));
    co_await filch::io::write(socket, asio::buffer(sent), awaiting{io});
    for (std::size_t n = 0; n != received.size();)
      n += co_await socket.async_read_some(asio::buffer(received) + n, awaiting{io});
    whole += sent == received;
  }
  co_return whole;
}

filch::task<std::uint64_t> echo(filch::io::context& io, const parameters& p) {
  tcp::acceptor acceptor{io.executor(), tcp::endpoint{asio::ip::address_v4::loopback(), 0}};
  filch::co::scope servers;
  std::vector<filch::join_handle<std::uint64_t>> clients;
  for (std::uint64_t i = 0; i != p.connections; ++i)
    clients.push_back(filch::spawn(ask(io, acceptor.local_endpoint(), p.each())));
  for (std::uint64_t i = 0; i != p.connections; ++i) {
    tcp::socket socket = co_await acceptor.async_accept(awaiting{io});
    socket.set_option(tcp::no_delay{true});
    servers.spawn(send_back(io, std::move(socket)));
  }
  std::uint64_t whole = 0;
  for (auto& each : clients) whole += co_await std::move(each);
  co_await servers.join();
  co_return whole;
}

}  // namespace

int main(int argc, char** argv) {
  bench::contender me(argc, argv,
                      {.problem = "echo",
                       .peer = "filch",
                       .size = default_messages,
                       .variant = default_connections});
  const parameters given = asked_for(me.size<std::uint64_t>(), me.variant());
  me.require(given.connections != 0, case_rule);
  filch::io::context io;
  filch::thread_pool pool(filch::pool_options{.workers = me.workers()});
  io.attach(pool);
  pool.warm_up();
  me.measure(
      given, [&](const parameters& p) { return filch::block_on(filch::spawn(pool, echo(io, p))); },
      check);
  return me.exit_status();
}
