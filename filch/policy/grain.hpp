#pragma once
#include <filch/base/language.hpp>

#include <algorithm>
#include <cstdint>

namespace filch::inline v0_2::policy {

/// Chooses how many items of a loop run between two forks, from what the last ones cost.
///
/// A loop is halved down to `items()`, and the first leaf has one item. Each right sibling of a
/// leaf is as big as all before it. So doubling after each cheap leaf follows the tree, and no
/// range is split that need not be.
class grain {
 public:
  /// A leaf shorter than this doubles the next: the fork and the clock around it (12 to 20 ns) then
  /// cost below 1 %.
  static constexpr std::uint64_t short_leaf_us = 4;
  /// A leaf longer than this halves the next, so that skewed loops keep chunks to share.
  static constexpr std::uint64_t long_leaf_us = 16;

  constexpr grain() noexcept = default;
  /// For a caller that knows how many items make a leaf neither short nor long.
  constexpr explicit grain(std::uint64_t items) noexcept : items_{items} {}

  constexpr std::uint64_t items() const noexcept { return items_; }
  /// Whether a leaf that takes so many ticks is too long.
  static constexpr bool is_long(std::uint64_t ticks, std::uint64_t ticks_per_us) noexcept {
    return ticks > long_leaf_us * ticks_per_us;
  }
  /// `ran` items took so many ticks.
  constexpr void observe(std::uint64_t ran, std::uint64_t ticks,
                         std::uint64_t ticks_per_us) noexcept {
    if (ticks < short_leaf_us * ticks_per_us) {
      // Halves of a range are rarely exactly as long as allowed
      if (2 * ran >= items_) items_ *= 2;
    } else if (is_long(ticks, ticks_per_us) && items_ > 1) {
      items_ /= 2;
    }
  }

 private:
  std::uint64_t items_ = 1;
};

static_assert(grain::short_leaf_us * 2 < grain::long_leaf_us,
              "doubling a short leaf must not make a long one");

/// How many items a chunk has if that must follow from the number of items alone, not from their
/// cost: `longest`, but fewer if a dozen workers would not find enough chunks of expensive items.
constexpr std::uint64_t fixed_chunk(std::uint64_t items, std::uint64_t longest) noexcept {
  constexpr std::uint64_t fewest_chunks = 128;
  return std::clamp<std::uint64_t>(items / fewest_chunks, 1, longest);
}

}  // namespace filch::policy
