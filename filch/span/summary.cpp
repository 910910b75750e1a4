#include <filch/span/summary.hpp>

#include <filch/base/sort_stably.hpp>
#include <filch/span/budget.hpp>
#include <filch/span/sampling.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace filch::inline v0_2::span {
namespace {

using event::kind;

constexpr bool has_number(kind what) noexcept {
  return what == kind::fork_exposed || what == kind::run_delayed || what == kind::slept_in_job;
}

/// Reads one pool's records in order and notes what spans two of them: a probe and its job, a wake
/// and the first record of the woken worker.
class reader {
 public:
  reader(const event::recording& from, std::uint32_t pool, summary& into)
      : from_{from}, pool_{pool}, into_{into}, probed_at_(from.workers.size(), never) {}

  void run() {
    for (const event::entry& each : from_.entries) {
      if (from_.workers[each.worker].pool == pool_) see(each);
    }
    into_.taking = durations{std::move(taking_)};
    into_.waking = durations{std::move(waking_)};
    for (const auto& [pair, count] : matrix_)
      into_.matrix.push_back({pair.first, pair.second, count});
  }

 private:
  static constexpr std::int64_t never = -1;

  void see(const event::entry& each) {
    const event::record& said = each.what;
    const auto what = static_cast<std::size_t>(said.what);
    if (what < event::kind_count) into_.counts[what] += has_number(said.what) ? said.amount : 1;
    if (said.ready != event::ready_work::not_looked) {
      ++into_.looks;
      into_.looks_in_vain += said.ready == event::ready_work::none;
    }
    note_answer(each);
    note_steal(each);
  }

  void note_answer(const event::entry& each) {
    const std::uint32_t index = from_.workers[each.worker].index;
    if (const auto woken = woken_at_.find(index); woken != woken_at_.end()) {
      waking_.push_back(each.at_ns - woken->second);
      woken_at_.erase(woken);
    }
    if (each.what.what == kind::wake_sent && each.what.other != event::record::nobody)
      woken_at_.emplace(each.what.other, each.at_ns);
  }

  void note_steal(const event::entry& each) {
    std::int64_t& probed_at = probed_at_[each.worker];
    switch (each.what.what) {
      case kind::steal_tried: probed_at = each.at_ns; break;
      case kind::steal_lost: probed_at = never; break;
      case kind::steal_won:
        if (probed_at == never) probed_at = each.at_ns;
        if (each.what.other != event::record::nobody)
          ++matrix_[{from_.workers[each.worker].index, each.what.other}];
        break;
      case kind::job_run:
        if (probed_at != never) taking_.push_back(each.at_ns - probed_at);
        probed_at = never;
        break;
      default: break;
    }
  }

  const event::recording& from_;
  std::uint32_t pool_;
  summary& into_;
  std::vector<std::int64_t> probed_at_;
  std::vector<std::int64_t> taking_, waking_;
  std::map<std::uint32_t, std::int64_t> woken_at_;  ///< By `worker_index()`.
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> matrix_;
};

std::vector<site_summary> summarise_sites(const timeline& laid_out,
                                          const idle_attribution& idleness) {
  std::vector<site_summary> all(idleness.of_site_ns.size());
  std::vector<std::vector<std::int64_t>> lasted(all.size());
  for (std::uint32_t i = 0; i < all.size(); ++i) {
    all[i].site = i;
    all[i].attributed_idle_ns = idleness.of_site_ns[i];
  }
  for (const interval& s : laid_out.intervals) {
    if (s.what == state::working && s.holds_slot()) all[s.site].work_ns += s.left_ns();
  }
  for (const job& j : laid_out.jobs) {
    ++all[j.site].jobs;
    all[j.site].stolen += event::is_worker(j.from);
    if (j.has_ended) lasted[j.site].push_back(j.when.length_ns());
  }
  for (site_summary& s : all) s.lasted = durations{std::move(lasted[s.site])};
  std::erase_if(all, [](const site_summary& s) {
    return s.jobs == 0 && s.work_ns == 0 && s.attributed_idle_ns == 0;
  });
  base::sort_stably(all, std::greater{},
                    [](const site_summary& s) { return s.work_ns + s.attributed_idle_ns; });
  return all;
}

}  // namespace

durations::durations(std::vector<std::int64_t> ns) : sorted_{std::move(ns)} {
  std::ranges::sort(sorted_);
  // Jobs nest, so the sum of their lengths may overflow.
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  for (const std::int64_t each : sorted_)
    total_ns_ = each < most - total_ns_ ? total_ns_ + each : most;
}

std::int64_t durations::quantile_ns(double share) const noexcept {
  if (sorted_.empty()) return 0;
  const double rank = std::ceil(share * static_cast<double>(sorted_.size()));
  return sorted_[std::min(sorted_.size() - 1, static_cast<std::size_t>(std::max(rank, 1.0)) - 1)];
}

duration_histogram durations::histogram() const noexcept {
  duration_histogram made;
  for (const std::int64_t ns : sorted_) made.add(static_cast<double>(ns));
  return made;
}

summary summarise(const event::recording& from, std::uint32_t pool, const timeline& laid_out,
                  const idle_attribution& idleness) {
  summary made;
  reader{from, pool, made}.run();
  made.sites = summarise_sites(laid_out, idleness);
  std::vector<std::int64_t> lasted;
  for (const job& j : laid_out.jobs) {
    if (j.has_ended && !j.in_place) lasted.push_back(j.when.length_ns());
  }
  made.jobs = durations{std::move(lasted)};
  return made;
}

data_quality judge_trust(const event::recording& from, std::uint32_t pool,
                         const timeline& laid_out) {
  data_quality made;
  for (const event::recorded_worker& who : from.workers) {
    if (who.pool != pool) continue;
    made.lost_records += who.lost;
    made.workers_with_losses += who.lost != 0;
    made.complete_from_ns = std::max(made.complete_from_ns, who.complete_from_ns);
  }
  double work = 0, with_site = 0;  // also of workers without a slot, of which there may be many
  for (const interval& s : laid_out.intervals) {
    if (s.what != state::working) continue;
    const auto length = static_cast<double>(s.when.length_ns());
    work += length;
    with_site += s.site != 0 ? length : 0;
  }
  if (work != 0) made.work_with_site = with_site / work;
  if (work != 0)
    made.sampled_work = static_cast<double>(sampled_work_ns(from, pool, laid_out)) / work;
  made.observed = 1 - account_of(laid_out).share(use::unknown);
  made.double_claims = laid_out.double_claims;
  made.forks_estimated = laid_out.forks;
  made.fork_ns = static_cast<double>(laid_out.fork_ps) / 1000;
  made.reused_rings = from.reused_rings;
  return made;
}

}  // namespace filch::span
