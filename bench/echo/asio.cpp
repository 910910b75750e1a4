// Callbacks on one io_context that as many threads run.
#include <bench/echo/problem.hpp>
#include <bench/harness/contender.hpp>

#include <asio/buffer.hpp>
#include <asio/io_context.hpp>
#include <asio/ip/tcp.hpp>
#include <asio/read.hpp>
#include <asio/write.hpp>

#include <array>
#include <atomic>
#include <memory>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace {

using namespace bench::echo;
using asio::ip::tcp;
using message = std::array<char, message_bytes>;

class server : public std::enable_shared_from_this<server> {
 public:
  explicit server(tcp::socket socket) : socket_{std::move(socket)} {
    socket_.set_option(tcp::no_delay{true});
  }
  void run() {
    asio::async_read(socket_, asio::buffer(data_),
                     [me = shared_from_this()](std::error_code error, std::size_t) {
                       if (!error) me->send_back();
                     });
  }

 private:
  void send_back() {
    asio::async_write(socket_, asio::buffer(data_),
                      [me = shared_from_this()](std::error_code error, std::size_t) {
                        if (!error) me->run();
                      });
  }
  tcp::socket socket_;
  message data_;
};

class client : public std::enable_shared_from_this<client> {
 public:
  client(asio::io_context& io, std::uint64_t count, std::atomic<std::uint64_t>& whole)
      : socket_{io}, left_{count}, whole_{whole} {}
  void connect(tcp::endpoint to) {
    socket_.async_connect(to, [me = shared_from_this()](std::error_code error) {
      if (error) return;
      me->socket_.set_option(tcp::no_delay{true});
      me->ask();
    });
  }

 private:
  void ask() {
    if (left_ == 0) return;
    sent_.fill(static_cast<char>(left_--));
    asio::async_write(socket_, asio::buffer(sent_),
                      [me = shared_from_this()](std::error_code error, std::size_t) {
                        if (!error) me->listen();
                      });
  }
  void listen() {
    asio::async_read(socket_, asio::buffer(received_),
                     [me = shared_from_this()](std::error_code error, std::size_t) {
                       if (error) return;
                       me->whole_.fetch_add(me->sent_ == me->received_, std::memory_order_relaxed);
                       me->ask();
                     });
  }
  tcp::socket socket_;
  std::uint64_t left_;
  std::atomic<std::uint64_t>& whole_;
  message sent_, received_;
};

void accept(tcp::acceptor& acceptor, std::uint64_t left) {
  if (left == 0) return;
  acceptor.async_accept([&acceptor, left](std::error_code error, tcp::socket socket) {
    if (error) return;
    std::make_shared<server>(std::move(socket))->run();
    accept(acceptor, left - 1);
  });
}

std::uint64_t echo(unsigned workers, const parameters& p) {
  asio::io_context io{static_cast<int>(workers)};
  std::atomic<std::uint64_t> whole{0};
  tcp::acceptor acceptor{io, tcp::endpoint{asio::ip::address_v4::loopback(), 0}};
  accept(acceptor, p.connections);
  for (std::uint64_t i = 0; i != p.connections; ++i)
    std::make_shared<client>(io, p.each(), whole)->connect(acceptor.local_endpoint());
  std::vector<std::thread> threads;
  for (unsigned i = 0; i != workers; ++i) threads.emplace_back([&io] { io.run(); });
  for (std::thread& each : threads) each.join();
  return whole;
}

}  // namespace

int main(int argc, char** argv) {
  bench::contender me(argc, argv,
                      {.problem = "echo",
                       .peer = "asio",
                       .size = default_messages,
                       .variant = default_connections});
  const parameters given = asked_for(me.size<std::uint64_t>(), me.variant());
  me.require(given.connections != 0, case_rule);
  me.measure(
      given, [&](const parameters& p) { return echo(me.workers(), p); }, check);
  return me.exit_status();
}
