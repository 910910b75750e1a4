#pragma once
// How many jobs others could take from a worker, at the moments when a worker looked.
#include <tools/cli/recordings/page/grid.hpp>

namespace filch::cli {

/// A look at the queues of a worker.
struct depth {
  std::int64_t at_ns = 0;
  std::uint32_t jobs = 0;
};

/// In order of time. Between two looks the depth is unknown: the owner takes its jobs back without
/// recording it.
using depths = std::vector<depth>;

/// Those of the workers of one pool, by themselves and by their thieves. Indexed as
/// `recording::workers`; empty for the other pools.
std::vector<depths> depths_of(const event::recording& from, std::uint32_t pool);

/// The most that was seen in each part, and one more; 0 without a look.
std::vector<std::uint32_t> most_by_part(const depths& seen, const grid& by);

}  // namespace filch::cli
