#pragma once
#include <filch/algo/settings.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <type_traits>

namespace filch::algo {

/// Elements that lie side by side and are copied as bytes: what one of them costs is known.
template <class It>
concept plain_memory = std::contiguous_iterator<It> && std::is_trivially_copyable_v<std::iter_value_t<It>>;

/// How much of plain memory a leaf goes through that does next to nothing with it: 4 to 16 us, from the cache or not.
inline constexpr std::uint64_t plain_leaf_bytes = 64 * 1024;

/// `how` for a kernel that reads or writes each element once and calls nobody: where all is plain memory, the grain is known and no clock
/// is read, so that a short range costs what the plain loop costs.
template <class... It>
settings at_known_cost(settings how, std::uint64_t leaf_bytes = plain_leaf_bytes) {
  if constexpr ((plain_memory<It> && ...)) {
    if (how.grain == 0) how.grain = std::max<std::uint64_t>(1, leaf_bytes / std::max({sizeof(std::iter_value_t<It>)...}));
  }
  return how;
}

}  // namespace filch::algo
