#include <filch/span/sampling.hpp>

namespace filch::inline v0_2::span {
namespace {

std::vector<sampled_times> times_of_samples(const event::recording& from, std::uint32_t pool) {
  std::vector<sampled_times> of_worker(from.workers.size());
  for (const event::entry& each : from.entries) {
    if (each.what.what != event::kind::jobs_sampled || from.workers[each.worker].pool != pool)
      continue;
    of_worker[each.worker].see(each.at_ns, each.what.amount != 0);
  }
  return of_worker;
}

}  // namespace

void sampled_times::see(std::int64_t at_ns, bool samples) {
  // It recorded samples before this recording began
  if (!samples && all_.empty()) all_.push_back({0, 0});
  if (samples) {
    all_.push_back({at_ns, still});
  } else {
    all_.back().end_ns = at_ns;
  }
}

std::int64_t sampled_times::within(time_range when) {
  std::int64_t sum_ns = 0;
  while (next_ < all_.size() && all_[next_].begin_ns < when.end_ns) {
    sum_ns += overlap(all_[next_], when).length_ns();
    if (all_[next_].end_ns > when.end_ns) break;
    ++next_;
  }
  return sum_ns;
}

std::int64_t sampled_work_ns(const event::recording& from, std::uint32_t pool,
                             const timeline& laid_out) {
  std::vector<sampled_times> of_worker = times_of_samples(from, pool);
  std::int64_t sum_ns = 0;
  for (const interval& each : laid_out.intervals) {
    if (each.what == state::working) sum_ns += of_worker[each.worker].within(each.when);
  }
  return sum_ns;
}

std::vector<sampled_times> times_without_records(const event::recording& from, std::uint32_t pool) {
  std::vector<sampled_times> made = times_of_samples(from, pool);
  std::vector<bool> has_records(from.workers.size());
  for (const event::entry& each : from.entries) {
    using enum event::kind;
    if (each.what.what == jobs_sampled || each.what.what == job_changed)
      has_records[each.worker] = true;
  }
  for (std::size_t i = 0; i < made.size(); ++i) {
    if (!has_records[i]) made[i].always();
  }
  return made;
}

}  // namespace filch::span
