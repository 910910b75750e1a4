#include <bench/queries/problem.hpp>
#include <filch/algo.hpp>
#include <filch/co.hpp>
#include <filch/io.hpp>

#include <asio/buffer.hpp>
#include <asio/ip/tcp.hpp>
#include <asio/read.hpp>

#include <cstdint>
#include <functional>
#include <system_error>
#include <utility>

namespace {

using namespace bench::queries;
using asio::ip::tcp;
using filch::io::awaiting;

filch::task<> serve(filch::io::context& io, tcp::socket socket) {
  message text;
  try {
    for (;;) {
      co_await asio::async_read(socket, asio::buffer(text), awaiting{io});
      const std::uint64_t query = number_in(text);
      const auto term_at = [query](std::uint64_t i) { return term(query + i); };
      constexpr std::uint64_t zero = 0;
      text = text_of(filch::parallel_reduce(zero, term_count, zero, term_at, std::plus<>{}));
      co_await filch::io::write(socket, asio::buffer(text), awaiting{io});
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
  bench::contender me(argc, argv, as("filch"));
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
