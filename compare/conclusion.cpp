#include <compare/contest.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace filch::compare {
namespace {

/// Nearer than this, two times are called level. A guess at the noise.
constexpr double level_percent = 2;
constexpr double lopsided = 1.2;         ///< From here on a row's imbalance explains its time.
constexpr double restless_share = 0.05;  ///< As `lopsided`, for the share of its jobs that moved.

double percent_over(double longer, double shorter) { return 100 * (longer / shorter - 1); }

std::string with_commas(std::uint64_t count) {
  const std::string digits = std::to_string(count);
  std::string grouped;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) grouped += ',';
    grouped += digits[i];
  }
  return grouped;
}

/// How far `mine` is from the fastest other.
std::string lead(const standing& mine, const standing& other) {
  const double gap = percent_over(other.typical.seconds, mine.typical.seconds);
  if (gap < level_percent) return fmt::format("level with {}", other.name);
  if (gap < 100) return fmt::format("{:.0f} % ahead of {}", gap, other.name);
  return fmt::format("{:.1f} times as fast as {}", other.typical.seconds / mine.typical.seconds,
                     other.name);
}

/// Filch's place, when it is not among the first two anyway.
std::string place_of_filch(const standings& result) {
  const standing& fastest = result.schedulers.front();
  const auto filch = std::ranges::find(result.schedulers, "filch", &standing::name);
  if (filch == result.schedulers.end() || filch - result.schedulers.begin() < 2) return {};
  return fmt::format(", with filch {:.0f} % behind the first",
                     percent_over(filch->typical.seconds, fastest.typical.seconds));
}

double price_ns(const standing& row, const standing& serial) {
  const auto jobs = static_cast<double>(std::max<std::uint64_t>(1, row.typical.jobs_run));
  return (row.typical.seconds - serial.typical.seconds) / jobs * 1e9;
}

/// How much of the time a row's workers, if `workers` is their number, had a processor.
double processor_share(const sample& s, unsigned workers) {
  return s.cpu_seconds / (s.seconds * workers);
}

std::string short_time(double seconds) {
  return seconds < 1e-6 ? fmt::format("{:.0f} ns", seconds * 1e9)
                        : fmt::format("{:.1f} us", seconds * 1e6);
}

/// Why a slow row is slow, as far as its own figures tell.
std::string reason(const standing& slow, const standing& fastest, unsigned workers) {
  const auto jobs = static_cast<double>(std::max<std::uint64_t>(1, slow.typical.jobs_run));
  const double moved_share = static_cast<double>(slow.typical.jobs_moved) / jobs;
  if (slow.typical.busiest_over_mean >= lopsided) {
    return fmt::format("its busiest worker ran {:.2f} times the mean",
                       slow.typical.busiest_over_mean);
  }
  if (moved_share >= restless_share)
    return fmt::format("it moved {:.0f} % of its jobs between workers", 100 * moved_share);
  const double extra_cpu = slow.typical.cpu_seconds - fastest.typical.cpu_seconds;
  if (extra_cpu < (slow.typical.seconds - fastest.typical.seconds) * workers / 2) {
    return fmt::format("its workers had a processor for {:.0f} % of the time",
                       100 * processor_share(slow.typical, workers));
  }
  return fmt::format("each job cost it {} more", short_time(extra_cpu / jobs));
}

std::string on_one_worker(const standings& result) {
  std::string prices;
  for (const standing& row : result.schedulers) {
    prices += fmt::format("{}{} {:.1f}", prices.empty() ? "" : ", ", row.name,
                          price_ns(row, result.serial));
  }
  return fmt::format(
      "With one worker nothing can be balanced, so the times show what a job costs beyond plain "
      "calls, in ns: {}.",
      prices);
}

}  // namespace

std::string conclusion(const standings& result, unsigned workers) {
  if (workers == 1) return on_one_worker(result);
  const standing& fastest = result.schedulers.front();
  const standing& second = result.schedulers[1];
  const standing& slowest = result.schedulers.back();
  return fmt::format(
      "{} came first with {:.2f} times the serial speed, {}{}, moving {} of {} jobs; {} came last "
      "and took {:.1f} times as "
      "long: {}.",
      fastest.name, result.serial.typical.seconds / fastest.typical.seconds, lead(fastest, second),
      place_of_filch(result), with_commas(fastest.typical.jobs_moved),
      with_commas(fastest.typical.jobs_run), slowest.name,
      slowest.typical.seconds / fastest.typical.seconds, reason(slowest, fastest, workers));
}

}  // namespace filch::compare
