#pragma once
#include <filch/algo/settings.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <type_traits>

namespace filch::inline v0_2::algo {

/// Contiguous elements that are copied as bytes: the cost of one is known.
template <class It>
concept plain_memory =
    std::contiguous_iterator<It> && std::is_trivially_copyable_v<std::iter_value_t<It>>;

/// How much plain memory a leaf covers that does almost nothing with it: 4 to 16 us, with or
/// without the cache.
inline constexpr std::uint64_t plain_leaf_bytes = 64 * 1024;

/// Returns `how` for a kernel that reads or writes each element once and calls no user code. If all
/// memory is plain, the grain is known and no clock is read, so a short range costs the plain loop.
template <class... It>
settings at_known_cost(const settings& given, std::uint64_t leaf_bytes = plain_leaf_bytes) {
  settings how = given.with_same_limit();
  if constexpr ((plain_memory<It> && ...)) {
    if (how.grain == 0)
      how.grain =
          std::max<std::uint64_t>(1, leaf_bytes / (std::max)({sizeof(std::iter_value_t<It>)...}));
  }
  return how;
}

/// Contiguous numbers in their usual order: the cost of a comparison is known, too.
template <class It, class Comp, class Proj>
concept plainly_ordered =
    plain_memory<It> && std::is_arithmetic_v<std::iter_value_t<It>> &&
    !std::same_as<std::iter_value_t<It>, bool> &&
    sizeof(std::iter_value_t<It>) <= 8 && std::same_as<Proj, std::identity> &&
    (std::same_as<Comp, std::ranges::less> || std::same_as<Comp, std::less<>> ||
     std::same_as<Comp, std::less<std::iter_value_t<It>>>);

/// Returns `how`, without a clock if numbers are compared.
template <class It, class Comp, class Proj>
settings for_comparing(const settings& how) {
  if constexpr (plainly_ordered<It, Comp, Proj>) {
    return at_known_cost<It>(how);
  } else {
    return how.with_same_limit();
  }
}

}  // namespace filch::algo
