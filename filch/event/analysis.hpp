#pragma once
// The result of watching a run: plain data. `span` makes it, and its README says how exact it is;
// `trace` keeps it in files.
#include <filch/event/call_site.hpp>
#include <filch/event/duration_histogram.hpp>

#include <cstdint>
#include <vector>

namespace filch::inline v0_2::analysis {

/// One place in the program that forks, and its figures. Its jobs are what a thief could take:
/// right sides of joins, jobs of groups.
struct site {
  event::call_site where{};  ///< Without an address: the code outside every fork.
  std::uint64_t forks = 0;   ///< Joins, and jobs of groups.
  /// Time in its sides, without the time of forks inside them. Over all sites this adds up to
  /// `result::work_ns`.
  double work_ns = 0;
  /// Its part of the longest chain. Over all sites this adds up to `result::span_ns`, unless
  /// there are more than 16 on it.
  double span_ns = 0;
  double longest_job_ns = 0;  ///< With all that was forked inside.
  duration_histogram jobs{};  ///< Of the same durations.
  std::uint64_t leaves = 0;   ///< Sides that forked nothing, left ones too.
  double leaf_ns = 0;         ///< In these.
  double longest_leaf_ns = 0;
  /// The part of `work_ns` that is the cost of its joins, and of the jobs that it puts into groups.
  double fork_overhead_ns = 0;

  /// `leaf_ns` for each leaf; 0 without leaves.
  double mean_leaf_ns() const noexcept {
    return leaves == 0 ? 0 : leaf_ns / static_cast<double>(leaves);
  }
};

/// The costs of watching and of running in parallel on this machine, as `measured_costs()` measures
/// them.
struct costs {
  double tick_ns = 1;  ///< The length of a tick of the clock.
  /// The apparent time of a watched side that does nothing, which is subtracted.
  double watched_side_ns = 0;
  /// The same for the code before and after the sides of a watched join.
  double watched_join_ns = 0;
  double stamp_ns = 0;  ///< Between two looks at the clock with nothing in between.
  /// The possible error of the two for a join other than those that were measured.
  double doubt_ns = 0;
  double fork_ns = 0;  ///< An ordinary unstolen fork. Counts as work.
  /// An unstolen job of a group that does nothing, from its making to the end of the wait.
  double spawn_ns = 0;
  /// From a fork to the begin of its stolen right side. With `return_ns` it is the burden.
  double steal_ns = 0;
  /// A call of `blocking` that does not sleep: giving the slot to another job and getting it back.
  double blocking_ns = 0;
  /// From the end of a stolen right side to the code after the join that waits for it.
  double return_ns = 0;
  /// From a fork to the begin of its stolen right side, if all other workers were asleep.
  double wake_ns = 0;

  /// What a steal adds to the span.
  double burden_ns() const noexcept { return steal_ns + return_ns; }
};

/// Work, span and sites of a watched run.
struct result {
  double work_ns = 0;  ///< T1: on one worker, with the cost of its forks.
  /// T-infinity: on as many workers as it can use, if steals cost nothing.
  double span_ns = 0;
  /// The same with the cost of each steal, if the forks to be stolen are well chosen.
  double burdened_span_ns = 0;
  /// Asleep in `blocking`, or without a slot: on the span, but no work.
  double blocked_ns = 0;
  /// Run delay, while the processor ran other programs: neither work nor span.
  double delayed_ns = 0;
  double fork_overhead_ns = 0;  ///< Over all sites.
  double doubt_ns = 0;          ///< The possible error of `work_ns` because of watching.
  double watched_ns = 0;        ///< The time of the watched run itself.
  std::uint64_t forks = 0;      ///< Joins, and jobs of groups.
  std::uint64_t strands = 0;
  /// Calls of `blocking` inside forks, and one more for each join made in such a call. The cost of
  /// giving the slot away in them is work.
  std::uint64_t blocking_calls = 0;
  /// Jobs that went to other threads: their work is not in these figures.
  std::uint64_t submitted = 0;
  analysis::costs costs;  ///< With which this was computed.
  /// By work. One of them, without address, is the code outside every fork.
  std::vector<site> sites;

  /// Work for each span: about so many workers can be busy all the time. 1 without a span.
  double parallelism() const noexcept { return span_ns > 0 ? work_ns / span_ns : 1; }
  /// The same with the cost of steals.
  double burdened_parallelism() const noexcept {
    return burdened_span_ns > 0 ? work_ns / burdened_span_ns : 1;
  }
};

}  // namespace filch::analysis

namespace filch::inline v0_2 {

/// As they were called in 0.1.
using analysed_site [[deprecated("use analysis::site; gone with 0.3")]] = analysis::site;
using analysis_costs [[deprecated("use analysis::costs; gone with 0.3")]] = analysis::costs;

}  // namespace filch
