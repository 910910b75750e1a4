#include <filch/span/fork_rate.hpp>

#include <filch/span/sampling.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace filch::inline v0_2::span {
namespace {

// Of a common machine: what `bench/fork` measures there, and what a join that is counted takes
// beyond that. Wrong ones move the share of forks, not whether they are many.
constexpr std::int64_t usual_fork_ps = 2000;
constexpr double counting_ns = 6;

constexpr std::int64_t still = std::numeric_limits<std::int64_t>::max();

struct sample {
  time_range when;
  std::uint64_t forks = 0;
  std::int64_t work_ns = 0;

  /// Work from one fork to the next, forks included; infinite if there was none.
  double work_a_fork_ns(double fork_ns) const noexcept {
    if (forks == 0) return std::numeric_limits<double>::infinity();
    return std::max(static_cast<double>(work_ns) / static_cast<double>(forks) - counting_ns,
                    fork_ns);
  }
};

/// The samples of one worker, in the order of time. Of one whose begin is not in the recording
/// nothing is known.
class samples {
 public:
  void see(std::int64_t at_ns, const event::record& said) {
    if (is_open_) {
      all_.back().forks += said.amount;
      all_.back().when.end_ns = at_ns;
    }
    const bool goes_on = said.other == 1;
    if (goes_on && !is_open_) all_.push_back({{at_ns, still}});
    if (goes_on) all_.back().when.end_ns = still;
    is_open_ = goes_on;
  }
  bool empty() const noexcept { return all_.empty(); }
  /// Adds the work of an interval to the samples in it. Call in the order of time, as the next.
  void add_work(const interval& of) {
    while (seen_ < all_.size() && all_[seen_].when.end_ns <= of.when.begin_ns) ++seen_;
    for (std::size_t i = seen_; i < all_.size() && all_[i].when.begin_ns < of.when.end_ns; ++i)
      all_[i].work_ns += work_within(of, all_[i].when);
  }
  /// How many forks there were in an interval.
  double forks_in(const interval& of, double fork_ns) {
    while (next_ + 1 < all_.size() && all_[next_ + 1].when.begin_ns <= of.when.begin_ns) ++next_;
    double sum = 0;
    for (std::size_t i = next_; i < all_.size(); ++i) {
      const time_range stands_for{i == 0 ? 0 : all_[i].when.begin_ns,
                                  i + 1 == all_.size() ? still : all_[i + 1].when.begin_ns};
      if (stands_for.begin_ns >= of.when.end_ns) break;
      sum += static_cast<double>(work_within(of, stands_for)) / all_[i].work_a_fork_ns(fork_ns);
    }
    return sum;
  }

 private:
  static std::int64_t work_within(const interval& of, time_range when) {
    const interval part = cut(of, overlap(of.when, when));
    return part.left_ns() + part.forking_ns;
  }

  std::vector<sample> all_;
  bool is_open_ = false;
  std::size_t seen_ = 0, next_ = 0;
};

std::vector<samples> samples_of(const event::recording& from, std::uint32_t pool) {
  std::vector<samples> made(from.workers.size());
  for (const event::entry& each : from.entries) {
    if (each.what.what == event::kind::forks_counted && from.workers[each.worker].pool == pool)
      made[each.worker].see(each.at_ns, each.what);
  }
  return made;
}

}  // namespace

void book_sampled_forks(timeline& in, const event::recording& from, std::uint32_t pool) {
  std::vector<samples> of_worker = samples_of(from, pool);
  if (std::ranges::all_of(of_worker, &samples::empty)) return;
  if (in.fork_ps == 0) in.fork_ps = usual_fork_ps;
  const double fork_ns = static_cast<double>(in.fork_ps) / 1000;
  std::vector<sampled_times> untold = times_without_records(from, pool);
  for (const interval& each : in.intervals) {
    if (each.is_work()) of_worker[each.worker].add_work(each);
  }
  double all = 0;
  for (interval& each : in.intervals) {
    if (!each.is_work() || of_worker[each.worker].empty() || each.when.length_ns() == 0) continue;
    const double share = static_cast<double>(untold[each.worker].within(each.when)) /
                         static_cast<double>(each.when.length_ns());
    const double forks = share * of_worker[each.worker].forks_in(each, fork_ns);
    all += forks;
    each.forking_ns += std::min(each.left_ns(), static_cast<std::int64_t>(forks * fork_ns));
  }
  in.forks += static_cast<std::uint64_t>(std::min(all, 1e18));
}

}  // namespace filch::span
