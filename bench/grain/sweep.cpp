// Loops of 10 to a million iterations with bodies of a nanosecond to a millisecond: does the
// measured grain ever lose against a plain loop, or against the best grain that a patient user
// could have found? Prints a table and a verdict; `--json` keeps the figures for plot.py.
#include <bench/grain/judging.hpp>
#include <bench/harness/contender.hpp>
#include <bench/harness/foreign_load.hpp>
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
using namespace bench::grain;

/// The bar for the time over that of the best fixed grain. The bar for the time over what is
/// allowed beside the plain loop is 1.
constexpr double best_bar = 1.05;

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

enum class way { serial, automatic, fixed };

struct contender {
  way how;
  std::int64_t grain = 0;  ///< Iterations of a leaf, if that is fixed.
};

void run_once(const cell& what, contender by) {
  const body each{what.body_steps};
  switch (by.how) {
    case way::serial:
      for (std::int64_t i = 0; i < what.iterations; ++i) each(i);
      return;
    case way::automatic: return filch::parallel_for(std::int64_t{0}, what.iterations, each);
    case way::fixed:
      return filch::parallel_for(
          filch::with(filch::grain_items{static_cast<std::uint64_t>(by.grain)}), std::int64_t{0},
          what.iterations, each);
  }
}

/// The plain loop, ours, and then each fixed grain.
std::vector<contender> contenders_for(const cell& what) {
  std::vector<contender> all{{way::serial}, {way::automatic}};
  for (std::int64_t grain = 1; grain < what.iterations; grain *= 4) {
    if (what.iterations / grain <= 100'000) all.push_back({way::fixed, grain});
  }
  return all;
}

struct request {
  double budget = 0.5;  ///< Seconds for a cell, and four times that while it is open.
  double slow_by = 0;   ///< Percent by which ours is made slower.
  unsigned workers = 2;
  std::int64_t iterations = 0;  ///< Of the cells to measure, or 0 for all.
  std::uint64_t steps = 0;      ///< Likewise.
};

/// A cell with what was measured of it.
class measurement {
 public:
  measurement(const cell& what, double nanoseconds_a_step, double slow_by)
      : what_{what},
        contenders_{contenders_for(what)},
        seconds_(contenders_.size()),
        expected_{1e-9 * nanoseconds_a_step * static_cast<double>(what.body_steps) *
                  static_cast<double>(what.iterations)},
        // So that reading the clock counts for nothing
        batch_{static_cast<int>(1 + 20e-6 / expected_)},
        slow_by_{slow_by} {}

  /// Rounds for as long as `budget` says, then more while a verdict is open. Those during which
  /// others used the machine do not count, unless there is no end of them.
  void take(double budget) {
    one_round();  // warms up
    forget(0);
    for (double spent = 0, wasted = 0; !is_enough(spent, budget);) {
      const bench::foreign_load::watch others;
      const std::size_t before = rounds();
      const double begin = now_seconds();
      do one_round();
      while (rounds() < most_rounds && now_seconds() - begin < least_watched_seconds);
      const double seconds = now_seconds() - begin;
      const bool is_wasted = bench::foreign_load::disturbs(others.foreign_seconds(), seconds) &&
                             wasted < longest_wait * budget;
      if (is_wasted) forget(before);
      (is_wasted ? wasted : spent) += seconds;
    }
  }

  double expected_seconds() const { return expected_; }
  // By what it took: short bodies overlap in the processor, and take as little as a third of what
  // is expected.
  bool is_long() const { return serial() >= 100e-6; }
  std::size_t rounds() const { return seconds_[0].size(); }
  double serial() const { return bench::median(seconds_[0]); }
  double ours() const { return bench::median(seconds_[1]); }
  double fixed(std::size_t which) const { return bench::median(seconds_[2 + which]); }
  std::int64_t grain(std::size_t which) const { return contenders_[2 + which].grain; }
  std::size_t fixed_count() const { return contenders_.size() - 2; }
  std::size_t best() const {
    const std::vector<std::size_t> all = numbers(fixed_count());
    return *std::ranges::min_element(all, {}, [this](std::size_t which) { return fixed(which); });
  }
  interval to_serial() const {
    return median_interval(ratios_to_allowed(seconds_[1], seconds_[0]));
  }
  interval to_best() const {
    return median_interval(ratios_to_fastest(seconds_[1], std::span(seconds_).subspan(2)));
  }

 private:
  // With fewer there are no bounds
  static constexpr std::size_t least_rounds = 11, most_rounds = 1000;
  // The kernel's books are kept in hundredths of a second
  static constexpr double least_watched_seconds = 0.25;
  // For a quiet moment, and while a verdict is open, in budgets
  static constexpr double longest_wait = 8;

  static std::vector<std::size_t> numbers(std::size_t count) {
    std::vector<std::size_t> all(count);
    std::iota(all.begin(), all.end(), 0);
    return all;
  }

  bool is_open() const {
    return judge(to_serial(), 1) == verdict::open ||
           (is_long() && judge(to_best(), best_bar) == verdict::open);
  }
  bool is_enough(double spent, double budget) const {
    if (rounds() >= most_rounds) return true;
    return rounds() >= least_rounds &&
           (spent >= longest_wait * budget || (spent >= budget && !is_open()));
  }

  /// All take their turn, in a random order, because the contender that follows the plain loop
  /// finds the other workers asleep.
  void one_round() {
    std::vector<std::size_t> order = numbers(contenders_.size());
    std::ranges::shuffle(order, random_);
    for (const std::size_t which : order)
      seconds_[which].push_back(batch_seconds(contenders_[which]) / batch_);
  }
  double batch_seconds(contender by) const {
    const double begin = now_seconds();
    for (int i = 0; i < batch_; ++i) run_once(what_, by);
    const double end = now_seconds();
    if (by.how != way::automatic || slow_by_ == 0) return end - begin;
    while (now_seconds() < end + (end - begin) * slow_by_ / 100) continue;
    return now_seconds() - begin;
  }
  void forget(std::size_t from) {
    for (samples& each : seconds_) each.resize(from);
  }

  cell what_;
  std::vector<contender> contenders_;
  std::vector<samples> seconds_;
  double expected_;
  int batch_;
  double slow_by_;
  std::minstd_rand random_{1};
};

double nanoseconds_a_step() {
  std::vector<double> samples;
  for (int i = 0; i < 50; ++i)
    samples.push_back(1e9 * bench::seconds_of([] { body{100'000}(1); }) / 100'000);
  return bench::median(samples);
}

std::string as_time(double seconds) {
  if (seconds < 1e-6) return fmt::format("{:.0f} ns", 1e9 * seconds);
  if (seconds < 1e-3) return fmt::format("{:.3g} us", 1e6 * seconds);
  return fmt::format("{:.3g} ms", 1e3 * seconds);
}

std::string as_text(const interval& found, double bar) {
  const char* const mark[] = {"", "?", "missed"};
  return fmt::format("{:.2f} ({:.2f} to {:.2f}) {:6}", found.middle, found.low, found.high,
                     mark[static_cast<int>(judge(found, bar))]);
}

nlohmann::json as_json(const interval& found) {
  return {{"low", found.low}, {"median", found.middle}, {"high", found.high}};
}

/// What is kept of a cell.
nlohmann::json as_json(const cell& what, const measurement& measured) {
  nlohmann::json line = {
      {"iterations", what.iterations},
      {"body_ns", 1e9 * measured.expected_seconds() / static_cast<double>(what.iterations)},
      {"rounds", measured.rounds()},
      {"serial", measured.serial()},
      {"measured", measured.ours()},
      {"to_serial", as_json(measured.to_serial())},
      {"to_best", as_json(measured.to_best())}};
  for (std::size_t i = 0; i < measured.fixed_count(); ++i)
    line["fixed"].push_back({{"grain", measured.grain(i)}, {"seconds", measured.fixed(i)}});
  return line;
}

/// All verdicts on one bar.
class tally {
 public:
  explicit tally(double bar) : bar_{bar} {}
  void count(const interval& found) {
    ++counts_[static_cast<int>(judge(found, bar_))];
    worst_ = std::max(worst_, found.middle);
  }
  std::string text() const {
    return fmt::format("held {}, open {}, missed {}; {:.2f} at worst", counts_[0], counts_[1],
                       counts_[2], worst_);
  }

 private:
  double bar_;
  int counts_[3] = {};
  double worst_ = 0;
};

void print_header() {
  fmt::print("{:>10} {:>8} {:>10} {:>10} {:>18} {:>6}  {:30} {}\n", "iterations", "body", "serial",
             "measured", "best fixed grain", "rounds", "to 1.05 x serial + 2 us",
             "to best, from 100 us on");
}
void print_line(const cell& what, const measurement& measured) {
  const std::size_t best = measured.best();
  fmt::print("{:>10} {:>8} {:>10} {:>10} {:>10} {:>7} {:>6}  {:30} {}\n", what.iterations,
             as_time(measured.expected_seconds() / static_cast<double>(what.iterations)),
             as_time(measured.serial()), as_time(measured.ours()), as_time(measured.fixed(best)),
             fmt::format("({})", measured.grain(best)), measured.rounds(),
             as_text(measured.to_serial(), 1),
             measured.is_long() ? as_text(measured.to_best(), best_bar) : "");
}

/// Measures and prints all cells; returns what is kept of them.
nlohmann::json sweep(filch::thread_pool& pool, const request& asked) {
  const bool shows_progress = isatty(STDERR_FILENO) != 0;
  const double step = nanoseconds_a_step();
  nlohmann::json cells = nlohmann::json::array();
  tally to_serial(1), to_best(best_bar);
  print_header();
  for (const std::uint64_t steps : {1, 10, 100, 1'000, 10'000, 100'000, 1'000'000}) {
    for (const std::int64_t iterations : {10, 100, 1'000, 10'000, 100'000, 1'000'000}) {
      if ((asked.steps != 0 && asked.steps != steps) ||
          (asked.iterations != 0 && asked.iterations != iterations))
        continue;
      const cell what{iterations, steps};
      measurement measured(what, step, asked.slow_by);
      if (measured.expected_seconds() > 0.2) continue;
      if (shows_progress)
        fmt::print(stderr, "\r\x1b[K{} iterations of {}", iterations,
                   as_time(1e-9 * step * static_cast<double>(steps)));
      pool.run([&] { measured.take(asked.budget); });
      if (shows_progress) fmt::print(stderr, "\r\x1b[K");
      print_line(what, measured);
      to_serial.count(measured.to_serial());
      if (measured.is_long()) to_best.count(measured.to_best());
      cells.push_back(as_json(what, measured));
    }
  }
  fmt::print(
      "measured / (1.05 x serial + 2 us), bar 1: {}\nmeasured / best fixed grain, bar {}: {}\n",
      to_serial.text(), best_bar, to_best.text());
  return cells;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{
      "Loops of all lengths with bodies of all costs: the measured grain against a plain loop and "
      "against every fixed grain."};
  request asked;
  std::string json_file;
  app.add_option("--workers", asked.workers, "of the pool (2)")->check(CLI::Range(1u, 1024u));
  app.add_option(
         "--seconds", asked.budget,
         "for each line of the table, and up to eight times that while its verdict is open (0.5)")
      ->check(CLI::Range(0.001, 3600.0));
  app.add_option("--iterations", asked.iterations, "only loops of so many");
  app.add_option("--steps", asked.steps, "only bodies of so many steps of about a nanosecond");
  app.add_option("--slow-by", asked.slow_by,
                 "make the measured grain slower by so many percent, to see it caught (0)")
      ->check(CLI::Range(0.0, 1000.0));
  app.add_option("--json", json_file, "write all figures there, for plot.py");
  CLI11_PARSE(app, argc, argv);

  filch::thread_pool pool({.workers = asked.workers});
  const nlohmann::json kept = {
      {"workers", asked.workers}, {"slow_by", asked.slow_by}, {"cells", sweep(pool, asked)}};
  if (!json_file.empty()) {
    std::ofstream out(json_file);
    out << kept.dump(1) << '\n';
    if (!out.flush()) {
      fmt::print(stderr, "sweep: cannot write {}\n", json_file);
      return 1;
    }
  }
}
