// A server: a client sends a line, and gets how often that text occurs in the files below a folder.
#include "search.hpp"
#include <filch/algo.hpp>
#include <filch/co.hpp>
#include <filch/io.hpp>
#include <filch/timers.hpp>

#include <asio/buffer.hpp>
#include <asio/ip/tcp.hpp>
#include <asio/read_until.hpp>
#include <asio/signal_set.hpp>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <functional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace {

using namespace std::chrono_literals;
using asio::ip::tcp;
using filch::io::awaiting;

struct server {
  filch::io::context& io;
  std::vector<std::string> texts;  ///< Of all files; nothing writes to them.
};

std::vector<std::string> texts_below(const char* folder) {
  const search::files all = search::files_below(folder);
  return all | filch::views::transform(search::text_of) | filch::to<std::vector>();
}

// [answer]
// A loop on all workers, in the middle of a coroutine. A query that takes too long is given up.
std::string answer(const server& at, const std::string& wanted) {
  if (wanted.empty()) return "a text, please\n";
  try {
    const std::size_t count = filch::transform_reduce(
        filch::with(filch::time_limit{500ms}), at.texts, std::size_t{0}, std::plus<>{},
        [&](const std::string& text) { return search::matches_in(text, wanted); });
    return std::to_string(count) + "\n";
  } catch (const filch::stopped&) {
    return "too slow\n";
  }
}
// [answer]

// [serve]
filch::task<> serve(const server& at, tcp::socket socket) {
  std::string line;
  try {
    for (;;) {
      const std::size_t length = co_await asio::async_read_until(
          socket, asio::dynamic_buffer(line, 1024), '\n', awaiting{at.io});
      const std::string said = answer(at, line.substr(0, length - 1));
      line.erase(0, length);
      co_await filch::io::write(socket, asio::buffer(said), awaiting{at.io});
    }
  } catch (const std::system_error&) {
    // the other side has gone, or has sent a line that is too long
  }
}

filch::task<> listen(const server& at, tcp::acceptor& acceptor) {
  filch::co::scope connections{co_await filch::co::get_stop_token()};
  try {
    for (;;) {
      bool is_refused = false;
      try {
        connections.spawn(serve(at, co_await acceptor.async_accept(awaiting{at.io})));
      } catch (const std::system_error&) {
        is_refused = true;  // too many connections are open
      }
      if (is_refused) co_await filch::sleep_for(10ms);
    }
  } catch (const filch::co::cancelled&) {
    // SIGTERM
  }
  connections.cancel();
  co_await connections.join();
}
// [serve]

filch::task<> until_terminated(filch::io::context& io, asio::signal_set& signals) {
  static_cast<void>(co_await signals.async_wait(awaiting{io}));
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) {
    std::fprintf(stderr, "usage: %s FOLDER\n", arguments[0]);
    return 2;
  }
  // [main]
  filch::io::context io;
  tcp::acceptor acceptor{io.executor(), tcp::endpoint{asio::ip::address_v4::loopback(), 0}};
  asio::signal_set signals{io.executor(), SIGTERM, SIGINT};
  filch::thread_pool pool;
  io.attach(pool);
  const server at{io, pool.run([&] { return texts_below(arguments[1]); })};
  std::printf("port %d\n", acceptor.local_endpoint().port());
  std::fflush(stdout);

  auto serving = filch::spawn(pool, listen(at, acceptor));
  filch::block_on(filch::spawn(pool, until_terminated(io, signals)));
  serving.cancel();
  filch::block_on(std::move(serving));
  // [main]
}
