#pragma once
// Counts and distributions: how often events happened, and how long things took.
#include <filch/event/duration_histogram.hpp>
#include <filch/span/idle_attribution.hpp>

#include <array>

namespace filch::inline v0_2::span {

/// A set of durations.
class durations {
 public:
  durations() = default;
  explicit durations(std::vector<std::int64_t> ns);

  std::uint64_t count() const noexcept { return sorted_.size(); }
  std::int64_t total_ns() const noexcept { return total_ns_; }  ///< Saturates at 64 bits.
  std::int64_t mean_ns() const noexcept {
    return sorted_.empty() ? 0 : total_ns_ / static_cast<std::int64_t>(sorted_.size());
  }
  /// The smallest duration such that at least `share` of all are no longer; 0 if there are none.
  /// Exact.
  std::int64_t quantile_ns(double share) const noexcept;
  std::int64_t median_ns() const noexcept { return quantile_ns(0.5); }
  std::int64_t longest_ns() const noexcept { return sorted_.empty() ? 0 : sorted_.back(); }
  duration_histogram histogram() const noexcept;

 private:
  std::vector<std::int64_t> sorted_;
  std::int64_t total_ns_ = 0;
};

struct site_summary {
  std::uint32_t site = 0;  ///< Index into `recording::sites`.
  /// As far as the level of the recording shows them: at steal level those that changed hands.
  std::uint64_t jobs = 0;
  std::uint64_t stolen = 0;  ///< Of these, taken from another worker.
  /// With the site innermost; without run delay, sleep and the cost of forks.
  std::int64_t work_ns = 0;
  std::int64_t attributed_idle_ns = 0;  ///< Idleness of others meanwhile.
  /// From begin to end, joins included; jobs that the recording cuts off are left out.
  durations lasted;
};

struct steals {
  std::uint32_t thief = 0;  ///< Both are `worker_index()`.
  std::uint32_t victim = 0;
  std::uint64_t count = 0;
};

struct summary {
  /// Of each kind; of those with a number, its sum.
  std::array<std::uint64_t, event::kind_count> counts{};
  /// By thief, then victim; only pairs with steals.
  std::vector<steals> matrix;
  /// Those that ran, by work and attributed idleness, the worst first.
  std::vector<site_summary> sites;
  /// Of all sites, without jobs run in place.
  durations jobs;
  /// From the probe to the begin of the job.
  durations taking;
  /// From `wake_sent` to the first record of the woken worker.
  durations waking;
  /// How often a worker looked for work before it slept.
  std::uint64_t looks = 0;
  std::uint64_t looks_in_vain = 0;

  std::uint64_t count(event::kind what) const noexcept {
    return counts[static_cast<std::size_t>(what)];
  }
};

/// The data quality of a recording.
struct data_quality {
  std::uint64_t lost_records = 0;
  std::uint32_t workers_with_losses = 0;
  std::int64_t complete_from_ns = 0;  ///< From here on no worker's records are lost.
  double observed = 1;                ///< Share of the slots' time whose use is known.
  double work_with_site = 1;          ///< Share of the work that is known to belong to a job.
  /// Share of the work of which only long folds and samples were recorded.
  double sampled_work = 0;
  /// Slots that two workers claimed at once, until the first one reported that it left. If there
  /// are many, clocks disagree.
  std::uint64_t double_claims = 0;
  /// Forks whose cost is not measured: their number times
  std::uint64_t forks_estimated = 0;
  double fork_ns = 0;  ///< this.
  /// Past workers of any pool of which no record is left (`event::recording::reused_rings`).
  std::uint64_t reused_rings = 0;
};

summary summarise(const event::recording& from, std::uint32_t pool, const timeline& laid_out,
                  const idle_attribution& idleness);
data_quality judge_trust(const event::recording& from, std::uint32_t pool,
                         const timeline& laid_out);

}  // namespace filch::span
