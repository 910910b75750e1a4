#pragma once
// How much of the work was recorded in samples. The recorder tells each change
// (`event::kind::jobs_sampled`).
#include <filch/span/timeline.hpp>

namespace filch::span {

/// Work of `pool` of which only long jobs and samples of the others were told; the rest of it
/// counts as part of the job around it.
std::int64_t sampled_work_ns(const event::recording& from, std::uint32_t pool,
                             const timeline& laid_out);

}  // namespace filch::span
