#pragma once
// How much of the work was recorded in samples. The recorder marks each change
// (`event::kind::jobs_sampled`).
#include <filch/span/timeline.hpp>

namespace filch::inline v0_2::span {

/// The work of `pool` while only long folds and samples were recorded; shorter folds count as part
/// of the job around them.
std::int64_t sampled_work_ns(const event::recording& from, std::uint32_t pool,
                             const timeline& laid_out);

}  // namespace filch::span
