// Callbacks on one io_context that as many threads run.
#include <bench/harness/contender.hpp>
#include <bench/sleeps/problem.hpp>

#include <asio/io_context.hpp>
#include <asio/post.hpp>
#include <asio/steady_timer.hpp>

#include <memory>
#include <system_error>
#include <thread>
#include <vector>

namespace {

using namespace bench::sleeps;

void sleep(asio::io_context& io, latest& seen) {
  const clock::time_point due = clock::now() + length;
  const auto timer = std::make_shared<asio::steady_timer>(io, due);
  timer->async_wait([timer, due, &seen](std::error_code error) {
    if (!error) seen.see(due);
  });
}

void sleep_all(unsigned workers, latest& seen, std::uint64_t count) {
  asio::io_context io{static_cast<int>(workers)};
  asio::post(io, [&] {
    for (std::uint64_t i = 0; i != count; ++i) asio::post(io, [&] { sleep(io, seen); });
  });
  std::vector<std::thread> threads;
  for (unsigned i = 0; i != workers; ++i) threads.emplace_back([&io] { io.run(); });
  for (std::thread& each : threads) each.join();
}

}  // namespace

int main(int argc, char** argv) {
  bench::contender me(argc, argv, {.problem = "sleeps", .peer = "asio", .size = default_sleeps});
  measure(me, [&](latest& seen) { sleep_all(me.workers(), seen, me.size<std::uint64_t>()); });
  return me.exit_status();
}
