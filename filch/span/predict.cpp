#include <filch/span/predict.hpp>

#include <filch/base/panic.hpp>

#include <algorithm>

namespace filch::inline v0_2::analysis {
namespace {

/// Forks that take more of a site's work than this are too fine.
constexpr double most_overhead = 0.05;
/// At least so many leaves a worker, so that the last ones end at about the same time.
constexpr double leaves_a_worker = 8;

}  // namespace

predicted_time predict(const result& of, unsigned workers) noexcept {
  FILCH_ASSERT(workers != 0, "predict: nothing runs on no workers", workers);
  const double share = of.work_ns / workers;
  const double bound = std::max(share, of.span_ns);
  const double stolen = share + (1 - 1.0 / workers) * (of.burdened_span_ns + of.costs.wake_ns);
  const double unstolen = std::max(of.work_ns, bound);
  return {
      .workers = workers, .bound_ns = bound, .estimate_ns = std::clamp(stolen, bound, unstolen)};
}

result with_work(result of, double work_ns) {
  if (of.work_ns <= 0) return of;
  const double scale = work_ns / of.work_ns;
  of.work_ns = work_ns;
  of.span_ns *= scale;
  of.burdened_span_ns *= scale;
  of.doubt_ns = 0;
  return of;
}

result what_if(result of, std::size_t site, double times) {
  FILCH_ASSERT(site < of.sites.size() && times > 0, "what_if: no such site, or not a speed", site,
               of.sites.size());
  analysis::site& changed = of.sites[site];
  const double left = 1 / times;
  const double saved_work_ns =
      std::max(0.0, changed.work_ns - changed.fork_overhead_ns) * (1 - left);
  const double saved_span_ns = changed.span_ns * (1 - left);
  changed.work_ns -= saved_work_ns;
  changed.span_ns -= saved_span_ns;
  of.work_ns -= saved_work_ns;
  of.span_ns -= saved_span_ns;
  of.burdened_span_ns = std::max(of.span_ns, of.burdened_span_ns - saved_span_ns);
  return of;
}

double suggested_grain(const result& of, const site& leaves_of, unsigned workers) noexcept {
  if (leaves_of.forks == 0 || leaves_of.leaves == 0 || leaves_of.work_ns <= 0) return 1;
  const double overhead = leaves_of.fork_overhead_ns / leaves_of.work_ns;
  if (overhead > most_overhead) return overhead / most_overhead;
  const double fair_ns = std::max(of.work_ns / (leaves_a_worker * workers), of.costs.burden_ns());
  return leaves_of.longest_leaf_ns > fair_ns ? fair_ns / leaves_of.longest_leaf_ns : 1;
}

}  // namespace filch::analysis
