#include <filch/span/add_analyses.hpp>

#include <algorithm>

namespace filch::inline v0_2::span {
namespace {

analysis::site& site_like(std::vector<analysis::site>& sites, const analysis::site& wanted) {
  const auto same = [&](const analysis::site& each) {
    return each.where.address == wanted.where.address;
  };
  const auto found = std::ranges::find_if(sites, same);
  if (found != sites.end()) return *found;
  sites.emplace_back().where = wanted.where;
  return sites.back();
}

/// Adds all except the span.
void add_work(analysis::site& to, const analysis::site& what) {
  to.forks += what.forks;
  to.work_ns += what.work_ns;
  to.longest_job_ns = std::max(to.longest_job_ns, what.longest_job_ns);
  to.jobs += what.jobs;
  to.leaves += what.leaves;
  to.leaf_ns += what.leaf_ns;
  to.longest_leaf_ns = std::max(to.longest_leaf_ns, what.longest_leaf_ns);
  to.fork_overhead_ns += what.fork_overhead_ns;
}

void add_work(analysis::result& to, const analysis::result& what) {
  to.work_ns += what.work_ns;
  to.blocked_ns += what.blocked_ns;
  to.delayed_ns += what.delayed_ns;
  to.fork_overhead_ns += what.fork_overhead_ns;
  to.doubt_ns += what.doubt_ns;
  to.watched_ns += what.watched_ns;
  to.forks += what.forks;
  to.strands += what.strands;
  to.blocking_calls += what.blocking_calls;
  to.submitted += what.submitted;
  for (const analysis::site& each : what.sites) add_work(site_like(to.sites, each), each);
}

}  // namespace

void add_behind(analysis::result& to, const analysis::result& what) {
  add_work(to, what);
  to.span_ns += what.span_ns;
  to.burdened_span_ns += what.burdened_span_ns;
  for (const analysis::site& each : what.sites) site_like(to.sites, each).span_ns += each.span_ns;
}

void add_beside(analysis::result& to, const analysis::result& what) {
  add_work(to, what);
  to.burdened_span_ns = std::max(to.burdened_span_ns, what.burdened_span_ns);
  if (what.span_ns <= to.span_ns) return;
  to.span_ns = what.span_ns;
  for (analysis::site& each : to.sites) each.span_ns = 0;
  for (const analysis::site& each : what.sites) site_like(to.sites, each).span_ns = each.span_ns;
}

}  // namespace filch::span
