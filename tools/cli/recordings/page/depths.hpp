#pragma once
// How many jobs others could take from a worker, where somebody looked.
#include <tools/cli/recordings/page/grid.hpp>

namespace filch::cli {

/// A look at the queues of a worker.
struct depth {
  std::int64_t at_ns = 0;
  std::uint32_t jobs = 0;
};

/// In order of time. What lies between two looks nobody knows: the owner takes its jobs back
/// without a word.
using depths = std::vector<depth>;

/// Those of the workers of one pool, by themselves and by their thieves. Indexed as
/// `recording::workers`; empty for the other pools.
std::vector<depths> depths_of(const event::recording& from, std::uint32_t pool);

/// The most that was seen in each part, and one more; 0 where nobody looked.
std::vector<std::uint32_t> most_by_part(const depths& seen, const grid& by);

}  // namespace filch::cli
