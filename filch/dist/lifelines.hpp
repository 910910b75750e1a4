#pragma once
// Which ranks a rank knows: its lifelines, its neighbors in the tree, its random victims. Pure.
#include <filch/base/rng.hpp>

#include <cstdint>
#include <vector>

namespace filch::inline v0_2::dist {

/// The ranks that `rank` of `size` asks by lifeline: its neighbors in a cyclic hypercube. A rank's
/// number has digits of base `base`; a neighbor has one digit more, cyclically, and is below
/// `size`. So all ranks reach each other, in O(log `size`) steps.
/// Source: Saraswat, Kambadur, Kodali, Grove and Krishnamoorthy, PPoPP 2011.
inline std::vector<int> lifelines(int rank, int size, int base) {
  std::vector<int> neighbors;
  for (std::int64_t weight = 1; weight < size; weight *= base) {
    const std::int64_t digit = rank / weight % base;
    for (std::int64_t step = 1; step < base; ++step) {
      const std::int64_t other = rank + ((digit + step) % base - digit) * weight;
      if (other >= size) continue;
      neighbors.push_back(static_cast<int>(other));
      break;
    }
  }
  return neighbors;
}

/// A rank other than `rank`, by the random word `random`; there must be one.
constexpr int random_victim(std::uint64_t random, int rank, int size) noexcept {
  const int other = static_cast<int>(base::below(random, static_cast<std::uint32_t>(size - 1)));
  return other + (other >= rank);
}

/// The binary tree over the ranks whose root is rank 0.
struct tree_neighbors {
  int parent;       ///< -1 for the root.
  int first_child;  ///< Children are `first_child` up to, without, `end_of_children`.
  int end_of_children;
  constexpr int child_count() const noexcept { return end_of_children - first_child; }
};
constexpr tree_neighbors tree_of(int rank, int size) noexcept {
  const std::int64_t first = 2 * std::int64_t{rank} + 1;
  const auto capped = [size](std::int64_t at) { return static_cast<int>(at < size ? at : size); };
  return {rank == 0 ? -1 : (rank - 1) / 2, capped(first), capped(first + 2)};
}

}  // namespace filch::dist
