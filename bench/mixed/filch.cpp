#include <bench/mixed/problem.hpp>
#include <filch/algo.hpp>
#include <filch/co.hpp>
#include <filch/io.hpp>
#include <filch/timers.hpp>

#include <asio/buffer.hpp>
#include <asio/ip/tcp.hpp>
#include <asio/read.hpp>

#include <array>
#include <atomic>
#include <stop_token>
#include <system_error>
#include <utility>

namespace {

using namespace bench::mixed;
using asio::ip::tcp;
using filch::io::awaiting;
using message = std::array<char, message_bytes>;

filch::task<> tick(std::stop_token end, microseconds& late) {
  clock::time_point due = clock::now();
  while (!end.stop_requested()) {
    due += period;
    co_await filch::sleep_until(due);
    late.push_back(us_since(due));
    due = std::max(due, clock::now() - period);  // what was missed is not made up for
  }
}

filch::task<> send_back(filch::io::context& io, tcp::acceptor& acceptor) {
  tcp::socket socket = co_await acceptor.async_accept(awaiting{io});
  socket.set_option(tcp::no_delay{true});
  message data;
  try {
    for (;;) {
      co_await asio::async_read(socket, asio::buffer(data), awaiting{io});
      co_await filch::io::write(socket, asio::buffer(data), awaiting{io});
    }
  } catch (const std::system_error&) {
    // the other side has enough
  }
}

filch::task<> ask(filch::io::context& io, tcp::endpoint server, std::stop_token end,
                  microseconds& round_trips) {
  tcp::socket socket{io.executor()};
  co_await socket.async_connect(server, awaiting{io});
  socket.set_option(tcp::no_delay{true});
  message data{};
  while (!end.stop_requested()) {
    co_await filch::sleep_for(period);
    const clock::time_point begin = clock::now();
    co_await filch::io::write(socket, asio::buffer(data), awaiting{io});
    co_await asio::async_read(socket, asio::buffer(data), awaiting{io});
    round_trips.push_back(us_since(begin));
  }
}

filch::task<> serve(filch::io::context& io, std::stop_token end, latencies& seen) {
  tcp::acceptor acceptor{io.executor(), tcp::endpoint{asio::ip::address_v4::loopback(), 0}};
  filch::co::scope all;
  all.spawn(tick(end, seen.late));
  all.spawn(send_back(io, acceptor));
  all.spawn(ask(io, acceptor.local_endpoint(), end, seen.round_trips));
  co_await all.join();
}

/// While it lives the timer ticks and messages go to and fro.
class services {
 public:
  services(filch::thread_pool& pool, filch::io::context& io, latencies& seen)
      : running_{filch::spawn(pool, serve(io, end_.get_token(), seen))} {}
  ~services() {
    end_.request_stop();
    filch::block_on(std::move(running_));
  }

 private:
  std::stop_source end_;
  filch::join_handle<> running_;
};

}  // namespace

int main(int argc, char** argv) {
  bench::contender me(argc, argv, as("filch"));
  filch::io::context io;
  filch::thread_pool pool(filch::pool_options{.workers = me.workers()});
  io.attach(pool);
  pool.warm_up();
  const double seconds = me.size<int>();
  std::atomic<std::uint64_t> sum{0};  // so that nothing is left out
  const auto loop_once = [&] {
    sum += pool.run([] {
      return filch::parallel_reduce(std::uint64_t{0}, iterations_at_once, std::uint64_t{0}, iterate,
                                    [](auto a, auto b) { return a ^ b; });
    });
  };
  for (unsigned i = 0; i != me.repeat(); ++i) {
    latencies unloaded, seen;
    const double services_cpu = cpu_of([&] {
      const services running{pool, io, unloaded};
      std::this_thread::sleep_for(std::chrono::duration<double>(seconds / 2));
    });
    const loop_run alone = loop_for(seconds, loop_once);
    loop_run beside;
    {
      const services running{pool, io, seen};
      beside = loop_for(seconds, loop_once);
    }
    report(me, seen, alone, beside, services_cpu);
  }
  return me.exit_status();
}
