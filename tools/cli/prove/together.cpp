// A loop that keeps all workers busy, and a timer on the same workers.
#include <filch/co.hpp>
#include <filch/filch.hpp>
#include <filch/timers.hpp>
#include <fmt/format.h>
#include <tools/cli/prove/claim.hpp>
#include <tools/cli/report.hpp>

#include <algorithm>
#include <chrono>
#include <vector>

namespace filch::cli::prove {

namespace {

using namespace std::chrono_literals;
using std::chrono::steady_clock;

/// How late a timer of 1 kHz goes off, each time until `end`.
task<std::vector<double>> lateness_until(steady_clock::time_point end) {
  std::vector<double> seconds;
  for (auto due = steady_clock::now() + 1ms; due < end; due += 1ms) {
    co_await sleep_until(due);
    seconds.push_back(std::chrono::duration<double>(steady_clock::now() - due).count());
  }
  co_return seconds;
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
  return static_cast<double>(done) / std::chrono::duration<double>(steady_clock::now() - start).count();
}

}  // namespace

proof one_pool_for_all() {
  thread_pool pool{{.workers = std::max(2u, default_pool().concurrency())}};  // with one, a long job keeps timers waiting
  const double alone = pool.run([] { return looped_until(steady_clock::now() + 500ms); });
  const auto [together, late] = pool.run([] {
    const auto end = steady_clock::now() + 1500ms;
    auto timer = spawn(lateness_until(end));
    const double rate = looped_until(end);
    std::vector<double> seconds = block_on(std::move(timer));
    std::ranges::sort(seconds);
    return std::pair{rate, std::move(seconds)};
  });
  if (late.empty()) return {false, "The timer never went off."};
  const double p99 = late[late.size() * 99 / 100];
  return {p99 <= 1e-3, fmt::format("A timer of 1 kHz on workers that a loop keeps busy: late by {} in the median, {} at the 99th percentile of {}; "
                                   "the loop keeps {:.0f} % of its speed.",
                                   seconds_text(late[late.size() / 2]), seconds_text(p99), count_text(late.size()),
                                   std::min(100.0, 100 * together / alone))};
}

}  // namespace filch::cli::prove
