// Callbacks on one io_context that as many threads run.
#include <bench/harness/contender.hpp>
#include <bench/http/problem.hpp>

#include <asio/buffer.hpp>
#include <asio/io_context.hpp>
#include <asio/ip/tcp.hpp>
#include <asio/read_until.hpp>
#include <asio/write.hpp>

#include <memory>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace {

using namespace bench::http;
using asio::ip::tcp;

class session : public std::enable_shared_from_this<session> {
 public:
  explicit session(tcp::socket socket) : socket_{std::move(socket)} {
    socket_.set_option(tcp::no_delay{true});
  }
  void run() {
    asio::async_read_until(socket_, asio::dynamic_buffer(text_), end_of_head,
                           [me = shared_from_this()](std::error_code error, std::size_t length) {
                             if (!error) me->reply(length);
                           });
  }

 private:
  void reply(std::size_t length) {
    text_.erase(0, length);
    asio::async_write(socket_, asio::buffer(answer),
                      [me = shared_from_this()](std::error_code error, std::size_t) {
                        if (!error) me->run();
                      });
  }
  tcp::socket socket_;
  std::string text_;
};

void accept(tcp::acceptor& acceptor) {
  acceptor.async_accept([&acceptor](std::error_code error, tcp::socket socket) {
    if (error) return;
    std::make_shared<session>(std::move(socket))->run();
    accept(acceptor);
  });
}

}  // namespace

int main(int argc, char** argv) {
  bench::contender me(
      argc, argv,
      {.problem = "http", .peer = "asio", .size = default_seconds, .variant = default_connections});
  me.require(connections_of(me.variant()) != 0, case_rule);
  asio::io_context io{static_cast<int>(me.workers())};
  tcp::acceptor acceptor{io, tcp::endpoint{asio::ip::address_v4::loopback(), 0}};
  accept(acceptor);
  std::vector<std::thread> threads;
  for (unsigned i = 0; i != me.workers(); ++i) threads.emplace_back([&io] { io.run(); });
  measure(me, acceptor.local_endpoint().port());
  io.stop();
  for (std::thread& each : threads) each.join();
  return me.exit_status();
}
