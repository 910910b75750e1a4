#include <filch/span/sampling.hpp>

#include <limits>
#include <vector>

namespace filch::inline v0_2::span {
namespace {

/// The times in which one worker recorded samples.
class sampled_times {
 public:
  void see(std::int64_t at_ns, bool samples) {
    // It recorded samples before this recording began
    if (!samples && all_.empty()) all_.push_back({0, 0});
    if (samples) {
      all_.push_back({at_ns, still});
    } else {
      all_.back().end_ns = at_ns;
    }
  }
  /// The part of `when` in these times; call in the order of time.
  std::int64_t within(time_range when) {
    std::int64_t sum_ns = 0;
    while (next_ < all_.size() && all_[next_].begin_ns < when.end_ns) {
      sum_ns += overlap(all_[next_], when).length_ns();
      if (all_[next_].end_ns > when.end_ns) break;
      ++next_;
    }
    return sum_ns;
  }

 private:
  static constexpr std::int64_t still = std::numeric_limits<std::int64_t>::max();

  std::vector<time_range> all_;
  std::size_t next_ = 0;
};

}  // namespace

std::int64_t sampled_work_ns(const event::recording& from, std::uint32_t pool,
                             const timeline& laid_out) {
  std::vector<sampled_times> of_worker(from.workers.size());
  for (const event::entry& each : from.entries) {
    if (each.what.what != event::kind::jobs_sampled || from.workers[each.worker].pool != pool)
      continue;
    of_worker[each.worker].see(each.at_ns, each.what.amount != 0);
  }
  std::int64_t sum_ns = 0;
  for (const interval& each : laid_out.intervals) {
    if (each.what == state::working) sum_ns += of_worker[each.worker].within(each.when);
  }
  return sum_ns;
}

}  // namespace filch::span
