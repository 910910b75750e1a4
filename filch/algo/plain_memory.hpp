#pragma once
#include <filch/algo/settings.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <type_traits>

namespace filch::algo {

/// Elements that lie side by side and are copied as bytes: what one of them costs is known.
template <class It>
concept plain_memory =
    std::contiguous_iterator<It> && std::is_trivially_copyable_v<std::iter_value_t<It>>;

/// How much of plain memory a leaf goes through that does next to nothing with it: 4 to 16 us, from
/// the cache or not.
inline constexpr std::uint64_t plain_leaf_bytes = 64 * 1024;

/// `how` for a kernel that reads or writes each element once and calls nobody: where all is plain
/// memory, the grain is known and no clock is read, so that a short range costs what the plain loop
/// costs.
template <class... It>
settings at_known_cost(const settings& given, std::uint64_t leaf_bytes = plain_leaf_bytes) {
  settings how = given.for_part();
  if constexpr ((plain_memory<It> && ...)) {
    if (how.grain == 0)
      how.grain =
          std::max<std::uint64_t>(1, leaf_bytes / (std::max)({sizeof(std::iter_value_t<It>)...}));
  }
  return how;
}

/// Numbers side by side, in their usual order: what a comparison costs is known, too.
template <class It, class Comp, class Proj>
concept plainly_ordered =
    plain_memory<It> && std::is_arithmetic_v<std::iter_value_t<It>> &&
    !std::same_as<std::iter_value_t<It>, bool> &&
    sizeof(std::iter_value_t<It>) <= 8 && std::same_as<Proj, std::identity> &&
    (std::same_as<Comp, std::ranges::less> || std::same_as<Comp, std::less<>> ||
     std::same_as<Comp, std::less<std::iter_value_t<It>>>);

/// `how`, without a clock where numbers are compared.
template <class It, class Comp, class Proj>
settings for_comparing(const settings& how) {
  if constexpr (plainly_ordered<It, Comp, Proj>) {
    return at_known_cost<It>(how);
  } else {
    return how.for_part();
  }
}

}  // namespace filch::algo
