#include <bench/harness/contender.hpp>
#include <bench/http/problem.hpp>
#include <filch/co.hpp>
#include <filch/io.hpp>

#include <asio/buffer.hpp>
#include <asio/ip/tcp.hpp>
#include <asio/read_until.hpp>

#include <string>
#include <system_error>
#include <utility>

namespace {

using namespace bench::http;
using asio::ip::tcp;
using filch::io::awaiting;

filch::task<> serve(filch::io::context& io, tcp::socket socket) {
  std::string text;
  try {
    for (;;) {
      text.erase(0, co_await asio::async_read_until(socket, asio::dynamic_buffer(text), end_of_head, awaiting{io}));
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
                      {.problem = "http", .peer = "filch", .size = default_seconds, .variant = default_connections});
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
