// Loops of 10 to a million iterations with bodies of a nanosecond to a millisecond: does the measured grain ever lose against a plain loop,
// or against the best grain that a patient user could have found? Prints a table and a verdict; `--json` keeps the medians for plot.py.
#include <bench/harness/contender.hpp>
#include <bench/harness/median.hpp>

#include <filch/filch.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <numeric>
#include <random>
#include <string>
#include <vector>

namespace {

using bench::now_seconds;

/// About so many nanoseconds of arithmetic in which each step waits for the one before.
[[gnu::noinline]] std::uint64_t work(std::uint64_t steps, std::uint64_t x) {
  for (; steps != 0; --steps) x = x * 6364136223846793005u + 1442695040888963407u;
  return x;
}

struct cell {
  std::int64_t iterations;
  std::uint64_t body_steps;
};

struct body {
  std::uint64_t steps;
  void operator()(std::int64_t i) const {
    std::uint64_t x = work(steps, static_cast<std::uint64_t>(i));
    bench::launder_value(x);
  }
};

constexpr std::int64_t serial = -1, automatic = 0;  // otherwise: so many iterations a leaf

void run_once(const cell& what, std::int64_t grain) {
  const body each{what.body_steps};
  if (grain == serial) {
    for (std::int64_t i = 0; i < what.iterations; ++i) each(i);
  } else if (grain == automatic) {
    filch::parallel_for(std::int64_t{0}, what.iterations, each);
  } else {
    filch::parallel_for(filch::with(filch::grain_items{static_cast<std::uint64_t>(grain)}), std::int64_t{0}, what.iterations, each);
  }
}

/// Seconds of one loop by each contender: medians of rounds in which all take their turn, in a random order.
std::vector<double> measure(const cell& what, const std::vector<std::int64_t>& grains, double nanoseconds_a_step, double budget) {
  const double expected = 1e-9 * nanoseconds_a_step * static_cast<double>(what.body_steps) * static_cast<double>(what.iterations);
  const int batch = static_cast<int>(1 + 20e-6 / expected);  // so that reading the clock counts for nothing
  const int rounds = static_cast<int>(std::min(301.0, std::max(7.0, budget / (expected * batch * static_cast<double>(grains.size())))));
  std::vector<std::vector<double>> samples(grains.size());
  std::vector<std::size_t> order(grains.size());
  std::iota(order.begin(), order.end(), 0);
  std::minstd_rand random(1);
  for (int round = -1; round < rounds; ++round) {
    std::shuffle(order.begin(), order.end(), random);  // who comes behind the plain loop finds the other workers asleep
    for (const std::size_t which : order) {
      const double begin = now_seconds();
      for (int i = 0; i < batch; ++i) run_once(what, grains[which]);
      if (round >= 0) samples[which].push_back((now_seconds() - begin) / batch);  // the first round warms up
    }
  }
  std::vector<double> medians;
  for (const auto& each : samples) medians.push_back(bench::median(each));
  return medians;
}

double nanoseconds_a_step() {
  std::vector<double> samples;
  for (int i = 0; i < 50; ++i) samples.push_back(1e9 * bench::seconds_of([] { body{100'000}(1); }) / 100'000);
  return bench::median(samples);
}

std::string as_time(double seconds) {
  if (seconds < 1e-6) return fmt::format("{:.0f} ns", 1e9 * seconds);
  if (seconds < 1e-3) return fmt::format("{:.3g} us", 1e6 * seconds);
  return fmt::format("{:.3g} ms", 1e3 * seconds);
}

struct verdict {
  double worst_to_serial = 0;  ///< Of seconds less 2 us, to those of the plain loop.
  double worst_to_best = 0;    ///< To those of the best grain, where the whole takes 100 us or more.
};

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Loops of all lengths with bodies of all costs: the measured grain against a plain loop and against every fixed grain."};
  unsigned workers = 2;
  double budget = 0.5;
  std::string json_file;
  app.add_option("--workers", workers, "of the pool (2)")->check(CLI::Range(1u, 1024u));
  app.add_option("--seconds", budget, "for each line of the table, about (0.5)")->check(CLI::Range(0.001, 3600.0));
  app.add_option("--json", json_file, "write all medians there, for plot.py");
  CLI11_PARSE(app, argc, argv);

  const bool shows_progress = isatty(STDERR_FILENO) != 0;
  const double step = nanoseconds_a_step();
  nlohmann::json kept = {{"workers", workers}, {"cells", nlohmann::json::array()}};
  verdict sum;
  filch::thread_pool pool({.workers = workers});
  fmt::print("{:>10} {:>9} {:>10} {:>10} {:>18} {:>10} {:>8}\n", "iterations", "body", "serial", "measured", "best fixed grain", "to serial", "to best");
  for (const std::uint64_t steps : {1, 10, 100, 1'000, 10'000, 100'000, 1'000'000}) {
    for (const std::int64_t iterations : {10, 100, 1'000, 10'000, 100'000, 1'000'000}) {
      const double total = 1e-9 * step * static_cast<double>(steps) * static_cast<double>(iterations);
      if (total > 0.2) continue;
      std::vector<std::int64_t> grains{serial, automatic};
      for (std::int64_t grain = 1; grain < iterations; grain *= 4) {
        if (iterations / grain <= 100'000) grains.push_back(grain);
      }
      if (shows_progress) fmt::print(stderr, "\r\x1b[K{} iterations of {}", iterations, as_time(1e-9 * step * static_cast<double>(steps)));
      const std::vector<double> seconds = pool.run([&] { return measure({iterations, steps}, grains, step, budget); });
      const auto best = static_cast<std::size_t>(std::min_element(seconds.begin() + 2, seconds.end()) - seconds.begin());
      const double to_serial = (seconds[1] - 2e-6) / seconds[0], to_best = seconds[1] / seconds[best];
      sum.worst_to_serial = std::max(sum.worst_to_serial, to_serial);
      if (total >= 100e-6) sum.worst_to_best = std::max(sum.worst_to_best, to_best);
      if (shows_progress) fmt::print(stderr, "\r\x1b[K");
      fmt::print("{:>10} {:>9} {:>10} {:>10} {:>10} {:>7} {:>10.2f} {:>8.2f}\n", iterations, as_time(1e-9 * step * static_cast<double>(steps)),
                 as_time(seconds[0]), as_time(seconds[1]), as_time(seconds[best]), fmt::format("({})", grains[best]), seconds[1] / seconds[0], to_best);
      nlohmann::json line = {{"iterations", iterations}, {"body_ns", step * static_cast<double>(steps)}, {"serial", seconds[0]}, {"measured", seconds[1]}};
      for (std::size_t i = 2; i < grains.size(); ++i) line["fixed"].push_back({{"grain", grains[i]}, {"seconds", seconds[i]}});
      kept["cells"].push_back(line);
    }
  }
  fmt::print("worst: (measured - 2 us) / serial {:.2f} (bar 1.05); measured / best fixed grain {:.2f} where the loop takes 100 us or more (bar 1.05)\n",
             sum.worst_to_serial, sum.worst_to_best);
  if (!json_file.empty()) {
    std::ofstream out(json_file);
    out << kept.dump(1) << '\n';
    if (!out.flush()) {
      fmt::print(stderr, "sweep: cannot write {}\n", json_file);
      return 1;
    }
  }
}
