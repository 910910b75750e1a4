#include <bench/harness/contender.hpp>
#include <bench/http/problem.hpp>
#include <filch/co.hpp>
#include <filch/io.hpp>

#include <asio/buffer.hpp>
#include <asio/ip/tcp.hpp>

#include <array>
#include <cstddef>
#include <string>
#include <system_error>
#include <utility>

namespace {

using namespace bench::http;
using asio::ip::tcp;
using filch::io::awaiting;

filch::task<> serve(filch::io::context& io, tcp::socket socket) {
  std::string text;
  std::array<char, 1024> part;
  try {
    for (;;) {
      std::size_t end;
      while ((end = text.find(end_of_head)) == text.npos) {
        const std::size_t got = co_await socket.async_read_some(asio::buffer(part), awaiting{io});
        text.append(part.data(), got);
      }
      text.erase(0, end + end_of_head.size());
      co_await filch::io::write(socket, asio::buffer(answer), awaiting{io});
    }
  } catch (const std::system_error&) {
    // the other side has enough
  }
}

filch::task<> listen(filch::io::context& io, tcp::acceptor& acceptor) {
  filch::co::scope connections{co_await filch::co::get_stop_token()};
  try {
    for (;;) {
      tcp::socket socket = co_await acceptor.async_accept(awaiting{io});
      socket.set_option(tcp::no_delay{true});
      connections.spawn(serve(io, std::move(socket)));
    }
  } catch (const filch::co::cancelled&) {
    // there is nobody left to ask
  }
  co_await connections.join();
}

}  // namespace

int main(int argc, char** argv) {
  bench::contender me(argc, argv,
                      {.problem = "http",
                       .peer = "filch",
                       .size = default_seconds,
                       .variant = default_connections});
  me.require(connections_of(me.variant()) != 0, case_rule);
  filch::io::context io;
  tcp::acceptor acceptor{io.executor(), tcp::endpoint{asio::ip::address_v4::loopback(), 0}};
  filch::thread_pool pool(filch::pool_options{.workers = me.workers()});
  io.attach(pool);
  auto serving = filch::spawn(pool, listen(io, acceptor));
  measure(me, acceptor.local_endpoint().port());
  serving.cancel();
  filch::block_on(std::move(serving));
  return me.exit_status();
}
