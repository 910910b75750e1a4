#pragma once
// How much of the work was recorded in samples. The recorder marks each change
// (`event::kind::jobs_sampled`).
#include <filch/span/timeline.hpp>

#include <limits>
#include <vector>

namespace filch::inline v0_2::span {

/// The times in which one worker recorded samples of its jobs, or no job.
class sampled_times {
 public:
  void see(std::int64_t at_ns, bool samples);
  void always() { all_ = {{0, still}}; }
  /// The part of `when` in these times; call in the order of time.
  std::int64_t within(time_range when);

 private:
  static constexpr std::int64_t still = (std::numeric_limits<std::int64_t>::max)();

  std::vector<time_range> all_;
  std::size_t next_ = 0;
};

/// The work of `pool` while only long folds and samples were recorded; shorter folds count as part
/// of the job around them.
std::int64_t sampled_work_ns(const event::recording& from, std::uint32_t pool,
                             const timeline& laid_out);

/// Of each worker, the times in which its unstolen jobs were not each recorded: all of its time if
/// none was.
std::vector<sampled_times> times_without_records(const event::recording& from, std::uint32_t pool);

}  // namespace filch::span
