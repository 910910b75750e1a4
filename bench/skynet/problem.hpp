#pragma once
// Skynet: a tree of ten children a node; every leaf returns its number, every node the sum of its
// children.
#include <cstdint>
#include <string>

namespace bench::skynet {

inline constexpr std::uint64_t children = 10;

struct parameters {
  std::uint64_t leaves = 100'000'000;
};

/// True if a full tree has that many leaves.
constexpr bool is_full_tree(const parameters& p) {
  std::uint64_t leaves = p.leaves;
  while (leaves != 0 && leaves % children == 0) leaves /= children;
  return leaves == 1;
}

inline constexpr const char* size_rule =
    "--size counts the leaves of a full tree: it must be a power of ten";

/// Sums the leaves from `first` on by plain recursion.
inline std::uint64_t serial(std::uint64_t first, std::uint64_t leaves) {
  if (leaves == 1) return first;
  const std::uint64_t share = leaves / children;
  std::uint64_t sum = 0;
  for (std::uint64_t k = 0; k != children; ++k) sum += serial(first + k * share, share);
  return sum;
}

/// Says what is wrong with `sum`; empty when nothing.
inline std::string check(const parameters& p, std::uint64_t sum) {
  const std::uint64_t expected = p.leaves * (p.leaves - 1) / 2;
  if (sum == expected) return {};
  return "the leaves sum to " + std::to_string(expected) + ", not " + std::to_string(sum);
}

}  // namespace bench::skynet
