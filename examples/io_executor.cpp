// Asio's own handlers as jobs of a pool, and a write to a client that does not read. Needs Asio.
#include <filch/algo/parallel_reduce.hpp>
#include <filch/co.hpp>
#include <filch/io.hpp>
#include <filch/timers.hpp>

#include <asio/buffer.hpp>
#include <asio/local/connect_pair.hpp>
#include <asio/local/stream_protocol.hpp>
#include <asio/post.hpp>
#include <asio/strand.hpp>
#include <asio/use_future.hpp>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <functional>
#include <future>
#include <memory_resource>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace std::chrono_literals;
using asio::local::stream_protocol;

// [executor]
// Handlers run as jobs of the pool: they may fork, wait and take their time.
std::future<long> sum_in_pool(const filch::io::executor& jobs, long last) {
  return asio::post(jobs, asio::use_future([last] {
                      return filch::parallel_reduce(
                          1L, last + 1, 0L, [](long i) { return i; }, std::plus<>{});
                    }));
}

// Several run at a time. A strand keeps those apart that change one object.
class visitors {
 public:
  explicit visitors(const filch::io::executor& jobs) : one_by_one_{jobs} {}
  void count() {
    asio::post(one_by_one_, [this] { ++count_; });
  }
  std::future<int> read() {
    return asio::post(one_by_one_, asio::use_future([this] { return count_; }));
  }

 private:
  asio::strand<filch::io::executor> one_by_one_;
  int count_ = 0;
};
// [executor]

// [basic_executor]
// Jobs in memory of your own, which outlives them.
using pooled = std::pmr::polymorphic_allocator<>;

void count_in(std::pmr::memory_resource& memory, filch::io::context& io, std::atomic<int>& count) {
  const filch::io::basic_executor<pooled> jobs{io, pooled{&memory}};
  for (int i = 0; i < 10; ++i) jobs.execute([&count] { ++count; });
}
// [basic_executor]

// [write_cancelled]
// How much of `page` a client took in time. The rest was not sent: to go on in the middle of a
// message, say with another one, would be a mistake.
filch::task<std::size_t> send_in_time(filch::io::context& io, stream_protocol::socket& client,
                                      const std::string& page) {
  try {
    co_return co_await filch::io::write(client, asio::buffer(page), filch::io::awaiting{io});
  } catch (const filch::io::write_cancelled& late) {
    co_return late.sent();
  }
}
// [write_cancelled]

filch::task<bool> send_to_sleeper(filch::io::context& io) {
  stream_protocol::socket server{io.executor()}, client{io.executor()};
  asio::local::connect_pair(server, client);
  const std::string page(10'000'000, 'x');
  const auto sent =
      co_await filch::with_timeout(send_in_time(io, server, page), 20ms, filch::keep_late);
  if (sent) std::printf("%zu of %zu bytes sent\n", *sent, page.size());
  co_return sent&&* sent < page.size();
}

bool check(const char* what, bool is_right) {
  if (!is_right) std::printf("%s: wrong\n", what);
  return is_right;
}

}  // namespace

int main() {
  std::pmr::synchronized_pool_resource memory;
  std::atomic<int> counted{0};
  bool is_right = true;
  filch::io::context io;
  {
    filch::thread_pool pool;
    io.attach(pool);
    const filch::io::executor jobs{io};
    is_right &= check("executor", sum_in_pool(jobs, 100'000).get() == 5'000'050'000);
    visitors all{jobs};
    for (int i = 0; i < 100; ++i) all.count();
    is_right &= check("strand", all.read().get() == 100);
    count_in(memory, io, counted);
    is_right &= check("write_cancelled", filch::block_on(filch::spawn(pool, send_to_sleeper(io))));
  }  // waits for the jobs
  is_right &= check("basic_executor", counted == 10);
  return is_right ? 0 : 1;
}
