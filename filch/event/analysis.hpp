#pragma once
// What watching a run finds: plain data. Made by span, whose README says how and how far to trust
// it; kept in files by trace.
#include <filch/event/call_site.hpp>
#include <filch/event/duration_histogram.hpp>

#include <cstdint>
#include <vector>

namespace filch {

/// One place in the program that forks, and what came of it. Its jobs are what a thief could take:
/// right sides of joins, jobs of groups.
struct analysed_site {
  event::call_site where{};
  std::uint64_t forks = 0;
  /// Time in its sides, without what belongs to forks inside them: over all sites this adds up to
  /// `analysis::work_ns`.
  double work_ns = 0;
  /// Its part of the longest chain. Over all sites this adds up to `analysis::span_ns`, unless
  /// there are more than a dozen on it.
  double span_ns = 0;
  double longest_job_ns = 0;  ///< With all that was forked inside.
  duration_histogram jobs{};  ///< Of the same durations.
  std::uint64_t leaves = 0;   ///< Sides that forked nothing, left ones too.
  double leaf_ns = 0;         ///< In these.
  double longest_leaf_ns = 0;
  /// The part of `work_ns` that is the cost of its joins, and of the jobs that it puts into groups.
  double fork_overhead_ns = 0;

  double mean_leaf_ns() const noexcept {
    return leaves == 0 ? 0 : leaf_ns / static_cast<double>(leaves);
  }
};

/// What watching and running in parallel cost on this machine. `measured_costs()` has measured
/// them.
struct analysis_costs {
  double tick_ns = 1;  ///< The length of a tick of the clock.
  /// What a watched side seems to take if it does nothing: taken off again.
  double watched_side_ns = 0;
  /// The same for the code before and behind the sides of a watched join.
  double watched_join_ns = 0;
  double stamp_ns = 0;  ///< Between two looks at the clock with nothing in between.
  /// How far the two may be off for another join than those they were measured with.
  double doubt_ns = 0;
  double fork_ns = 0;  ///< An ordinary fork that nobody steals. Counts as work.
  /// A group's job that does nothing and that nobody steals, from its making to the end of the
  /// wait.
  double spawn_ns = 0;
  /// From a fork to the beginning of its stolen right side: the burden, with `return_ns`.
  double steal_ns = 0;
  /// A call of `blocking` that does not sleep: giving the slot to another job and getting it back.
  double blocking_ns = 0;
  /// From the end of a stolen right side to behind the join that waits for it.
  double return_ns = 0;
  /// From a fork to the beginning of its stolen right side, where everybody was asleep before.
  double wake_ns = 0;

  double burden_ns() const noexcept { return steal_ns + return_ns; }
};

/// Work, span and sites of a run that was watched.
struct analysis {
  double work_ns = 0;  ///< T1: on one worker, with the cost of its forks.
  /// T-infinity: on as many workers as it can use, where stealing costs nothing.
  double span_ns = 0;
  /// The same with each steal at its price, where the forks to be stolen are well chosen.
  double burdened_span_ns = 0;
  /// Asleep in `blocking`, or without a slot: on the span, but no work.
  double blocked_ns = 0;
  /// Ready to run, and kept waiting by other programs: neither work nor span.
  double delayed_ns = 0;
  double fork_overhead_ns = 0;  ///< Over all sites.
  double doubt_ns = 0;          ///< How far `work_ns` may be off for what watching cost.
  double watched_ns = 0;        ///< What the watched run itself took.
  std::uint64_t forks = 0;      ///< Joins, and jobs of groups.
  std::uint64_t strands = 0;
  /// Inside forks: of `blocking`, and once more for each join that is made in one. What giving the
  /// slot away costs in them is work.
  std::uint64_t blocking_calls = 0;
  /// Jobs that went to other threads: nothing here knows of what they did.
  std::uint64_t submitted = 0;
  analysis_costs costs;
  /// By work. One of them, without address, is the code outside every fork.
  std::vector<analysed_site> sites;

  double parallelism() const noexcept { return span_ns > 0 ? work_ns / span_ns : 1; }
  double burdened_parallelism() const noexcept {
    return burdened_span_ns > 0 ? work_ns / burdened_span_ns : 1;
  }
};

}  // namespace filch
