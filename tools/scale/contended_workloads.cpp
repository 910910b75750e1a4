// One cache line and all cores: what a machine's prices for memory are held against.
#include <filch/base/clock.hpp>
#include <filch/filch.hpp>
#include <filch/queue/deque.hpp>
#include <filch/testing.hpp>
#include <tools/scale/workload.hpp>

#include <algorithm>
#include <deque>
#include <memory>
#include <vector>

namespace filch::scaling {

namespace {

/// When a thread began and ended.
struct alignas(128) lap {
  std::uint64_t begin_ns = 0, end_ns = 0;
};

/// Runs `body(index)` on as many threads as the pool has workers, which begin together. Returns the
/// nanoseconds from the first begin to the last end.
template <class Body>
std::uint64_t time_on_all_cores(const Body& body) {
  const unsigned threads = default_pool().concurrency();
  std::vector<lap> laps(threads);
  base::atomic<unsigned> ready{0};
  const auto run = [&](unsigned index) {
    ready.fetch_add(1, base::relaxed);
    while (ready.load(base::relaxed) != threads) base::cpu_relax();
    laps[index].begin_ns = base::now_ns();
    body(index);
    laps[index].end_ns = base::now_ns();
  };
  {
    std::deque<testing::thread> others;
    for (unsigned index = 1; index < threads; ++index)
      others.emplace_back("other", [&run, index] { run(index); });
    run(0);
  }
  return std::ranges::max(laps, {}, &lap::end_ns).end_ns -
         std::ranges::min(laps, {}, &lap::begin_ns).begin_ns;
}

prepared contended(const std::function<void(unsigned index)>& body,
                   const std::function<void()>& reset) {
  const auto took_ns = std::make_shared<std::uint64_t>();
  return {.body = [=] { *took_ns = time_on_all_cores(body); },
          .reset = reset,
          .timed_ns = [=] { return *took_ns; }};
}

struct alignas(128) padded_count {
  base::atomic<std::uint64_t> value{0};  ///< Writers: all threads.
};

}  // namespace

prepared make_counter(std::uint64_t count) {
  const auto counter = std::make_shared<padded_count>();
  return contended(
      [=](unsigned) {
        const std::uint64_t share = count / default_pool().concurrency();
        for (std::uint64_t i = 0; i < share; ++i) counter->value.fetch_add(1, base::relaxed);
      },
      [=] { counter->value.store(0, base::relaxed); });
}

prepared make_ping_pong(std::uint64_t turns) {
  const auto turn = std::make_shared<padded_count>();
  return contended(
      [=](unsigned index) {
        const unsigned threads = default_pool().concurrency();
        for (std::uint64_t mine = index; mine < turns; mine += threads) {
          while (turn->value.load(base::relaxed) != mine) {
          }
          turn->value.store(mine + 1, base::relaxed);
        }
      },
      [=] { turn->value.store(0, base::relaxed); });
}

prepared make_thieves(std::uint64_t items) {
  using jobs = queue::deque<std::uint64_t>;
  const auto deque = std::make_shared<std::unique_ptr<jobs>>();
  return contended(
      [=](unsigned) {
        for (;;) {
          if ((*deque)->steal().outcome == queue::steal_outcome::was_empty) break;
        }
      },
      [=] {
        *deque = std::make_unique<jobs>();
        for (std::uint64_t i = 0; i < items; ++i) (*deque)->push(i);
      });
}

}  // namespace filch::scaling
