#include <filch/span/forks.hpp>

#include <filch/span/fork_rate.hpp>
#include <filch/span/observation.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace filch::inline v0_2::span {
namespace {

constexpr std::int64_t ps_a_ns = 1000;

// A fork costs time before its job begins and after it ends, most of it in the interval that the
// job interrupts. What does not fit there is taken from the worker's next work.
void book_recorded(timeline& in, const event::recording& from) {
  std::vector<std::int64_t> owed_ps(from.workers.size());
  auto next = in.jobs.begin();
  for (interval& each : in.intervals) {
    for (; next != in.jobs.end() && next->when.begin_ns <= each.when.end_ns; ++next) {
      if (!next->in_place) continue;
      ++in.forks;
      owed_ps[next->worker] += in.fork_ps;
    }
    if (!each.is_work()) continue;
    each.forking_ns = std::min(each.left_ns(), owed_ps[each.worker] / ps_a_ns);
    owed_ps[each.worker] -= each.forking_ns * ps_a_ns;
  }
}

/// The pool's part of all work, from 0 to 1.
double share_of_work(const event::recording& from, std::uint32_t pool) {
  if (from.pools.size() == 1) return 1;
  const std::vector<double> work_ns = work_of_pools(from);
  const double all = std::accumulate(work_ns.begin(), work_ns.end(), 0.0);
  return all > 0 ? std::clamp(work_ns[pool] / all, 0.0, 1.0) : 0;
}

// A watched run has the number of its forks, not their times.
void book_analyzed(timeline& in, const event::recording& from, std::uint32_t pool) {
  const analysis::result& found = *from.analyzed;
  if (found.forks == 0) return;
  const double share = share_of_work(from, pool);
  in.forks = static_cast<std::uint64_t>(std::min(static_cast<double>(found.forks) * share, 1e18));
  in.fork_ps = std::llround(
      ps_a_ns * std::min(found.fork_overhead_ns / static_cast<double>(found.forks), 1e9));
  std::vector<std::size_t> worked;
  for (std::size_t i = 0; i < in.intervals.size(); ++i) {
    if (in.intervals[i].is_work()) worked.push_back(i);
  }
  carve(in.intervals, worked, std::llround(found.fork_overhead_ns * share), &interval::forking_ns);
}

}  // namespace

void book_forks(timeline& in, const event::recording& from, std::uint32_t pool) {
  if (from.analyzed) return book_analyzed(in, from, pool);
  in.fork_ps = static_cast<std::int64_t>(from.fork_ps);
  if (in.fork_ps != 0) book_recorded(in, from);
  book_sampled_forks(in, from, pool);
}

}  // namespace filch::span
