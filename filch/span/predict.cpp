#include <filch/span/predict.hpp>

#include <filch/base/panic.hpp>

#include <algorithm>

namespace filch {
namespace {

/// Forks that take more of a site's work than this are too fine.
constexpr double most_overhead = 0.05;
/// So many leaves a worker at least, so that the last ones end at about the same time.
constexpr double leaves_a_worker = 8;

}  // namespace

predicted_time predict(const analysis& of, unsigned workers) noexcept {
  FILCH_ASSERT(workers != 0, "predict: nothing runs on no workers", workers);
  const double share = of.work_ns / workers;
  return {.workers = workers,
          .bound_ns = std::max(share, of.span_ns),
          .estimate_ns = std::max(share + (1 - 1.0 / workers) * (of.burdened_span_ns + of.costs.wake_ns), of.span_ns)};
}

analysis what_if(analysis of, std::size_t site, double times) {
  FILCH_ASSERT(site < of.sites.size() && times > 0, "what_if: no such site, or not a speed", site, of.sites.size());
  analysed_site& changed = of.sites[site];
  const double left = 1 / times;
  const double fork_overhead_ns = std::min(changed.work_ns, static_cast<double>(changed.forks) * of.costs.fork_ns);
  const double saved_work_ns = (changed.work_ns - fork_overhead_ns) * (1 - left);
  const double saved_span_ns = changed.span_ns * (1 - left);
  changed.work_ns -= saved_work_ns;
  changed.span_ns -= saved_span_ns;
  of.work_ns -= saved_work_ns;
  of.span_ns -= saved_span_ns;
  of.burdened_span_ns = std::max(of.span_ns, of.burdened_span_ns - saved_span_ns);
  return of;
}

double suggested_grain(const analysis& of, const analysed_site& site, unsigned workers) noexcept {
  if (site.forks == 0 || site.leaves == 0 || site.work_ns <= 0) return 1;
  const double overhead = static_cast<double>(site.forks) * of.costs.fork_ns / site.work_ns;
  if (overhead > most_overhead) return overhead / most_overhead;
  const double fair_ns = std::max(of.work_ns / (leaves_a_worker * workers), of.costs.burden_ns());
  return site.longest_leaf_ns > fair_ns ? fair_ns / site.longest_leaf_ns : 1;
}

}  // namespace filch
