#pragma once
#include <filch/event/recording.hpp>

#include <vector>

namespace filch::cli {

/// A job that changed hands, when it did.
struct steal {
  std::int64_t at_ns = 0;
  std::uint32_t thief = 0;  ///< Both are `worker_index()`.
  std::uint32_t victim = 0;
  std::uint32_t site = 0;  ///< Of the job, if its thief began it; else 0.
};

/// Those of one pool, in order of time: as many as `span::summary::matrix` counts.
std::vector<steal> steals_of(const event::recording& from, std::uint32_t pool);

}  // namespace filch::cli
