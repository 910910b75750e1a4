// A loop that keeps all workers busy, and a timer on the same workers.
#include <filch/co.hpp>
#include <filch/filch.hpp>
#include <filch/timers.hpp>
#include <fmt/format.h>
#include <tools/cli/prove/claim.hpp>
#include <tools/cli/report.hpp>

#include <algorithm>
#include <chrono>
#include <thread>
#include <vector>

namespace filch::cli::prove {

namespace {

using namespace std::chrono_literals;
using std::chrono::steady_clock;

/// How late something that is due each millisecond comes, and what is known of it then.
class lateness {
 public:
  void note(steady_clock::time_point due) {
    seconds_.push_back(std::chrono::duration<double>(steady_clock::now() - due).count());
  }
  std::size_t count() const { return seconds_.size(); }
  /// 0.5 for the median.
  double at_share(double share) {
    std::ranges::sort(seconds_);
    return seconds_.empty() ? 0
                            : seconds_[static_cast<std::size_t>(
                                  share * static_cast<double>(seconds_.size() - 1))];
  }

 private:
  std::vector<double> seconds_;
};

task<> tick(steady_clock::time_point end, lateness& late) {
  for (auto due = steady_clock::now() + 1ms; due < end; due += 1ms) {
    co_await sleep_until(due);
    late.note(due);
  }
}

/// The same by a thread of its own: as well as the kernel can do it beside the loop.
void tick_alone(steady_clock::time_point end, lateness& late) {
  for (auto due = steady_clock::now() + 1ms; due < end; due += 1ms) {
    std::this_thread::sleep_until(due);
    late.note(due);
  }
}

/// Iterations a second of a loop of some 100 ns each, again and again until `end`.
double looped_until(steady_clock::time_point end) {
  const auto start = steady_clock::now();
  std::uint64_t done = 0;
  constexpr std::uint64_t at_once = 100'000;
  std::vector<std::uint64_t> values(at_once, 1);
  while (steady_clock::now() < end) {
    parallel_for(std::uint64_t{0}, at_once, [&](std::uint64_t i) {
      for (int round = 0; round != 100; ++round) values[i] = values[i] * 31 + 7;
    });
    done += at_once;
  }
  return static_cast<double>(done) /
         std::chrono::duration<double>(steady_clock::now() - start).count();
}

}  // namespace

proof one_pool_for_all() {
  // With one, a long job keeps timers waiting
  thread_pool pool{{.workers = std::max(2u, default_pool().concurrency())}};
  const auto in_a_second = [] { return steady_clock::now() + 1s; };
  const double loop_alone = pool.run([&] { return looped_until(in_a_second()); });
  lateness on_workers, on_a_thread;
  const double together = pool.run([&] {
    const auto end = in_a_second();
    join_handle<void> timer = spawn(tick(end, on_workers));
    const double rate = looped_until(end);
    block_on(std::move(timer));
    return rate;
  });
  std::thread timer{[&] { tick_alone(in_a_second(), on_a_thread); }};
  pool.run([&] { looped_until(in_a_second()); });
  timer.join();
  const double p99 = on_workers.at_share(0.99), kernel_p99 = on_a_thread.at_share(0.99);
  // The kernel's time slice: a thread that finds both processors taken may wait for so long
  constexpr double slice = 3e-3;
  return {on_workers.count() > 500 && p99 <= std::max(slice, 2 * kernel_p99),
          fmt::format("A timer of 1 kHz on workers that a loop keeps busy: late by {} in the "
                      "median, {} at the 99th percentile; a thread of its own: {} "
                      "and {}. The loop keeps {:.0f} % of its speed.",
                      seconds_text(on_workers.at_share(0.5)), seconds_text(p99),
                      seconds_text(on_a_thread.at_share(0.5)), seconds_text(kernel_p99),
                      std::min(100.0, 100 * together / loop_alone))};
}

}  // namespace filch::cli::prove
