#pragma once
// Unbalanced Tree Search: counts the nodes of a tree that exists only as a rule for making children
// out of hashes.
// Source: Olivier, Huan, Liu, Prins, Dinan, Sadayappan and Tseng, LCPC 2006; parameters and counts
// of the sample trees from the UTS distribution.
#include <bench/uts/sha1.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace bench::uts {

enum class kind { binomial, geometric, hybrid };
/// How a geometric tree's mean branching changes with depth.
enum class shape { linear, exponential, cyclic, fixed };

struct tree {
  kind type = kind::geometric;
  shape form = shape::fixed;
  /// B0: mean number of children at the root, exact for binomial trees.
  double root_branching = 4;
  int depth_limit = 10;       ///< Geometric: where the mean reaches zero (cyclic: the period).
  double nonleaf_chance = 0;  ///< Binomial: q.
  int nonleaf_children = 0;   ///< Binomial: m.
  /// Hybrid: geometric above this fraction of `depth_limit`, binomial below.
  double hybrid_shift = 0.5;
  std::uint32_t seed = 19;
};

struct node {
  sha1_words state;
  int depth = 0;
};

struct tally {
  std::uint64_t nodes = 0;
  std::uint64_t leaves = 0;
  int depth = 0;

  bool operator==(const tally&) const = default;
  friend tally operator+(const tally& a, const tally& b) noexcept {
    return {a.nodes + b.nodes, a.leaves + b.leaves, std::max(a.depth, b.depth)};
  }
};

struct sample_tree {
  std::string_view name;
  tree parameters;
  tally published;
};

inline constexpr std::array<sample_tree, 7> sample_trees = {{
    {"T1",
     {.form = shape::fixed, .root_branching = 4, .depth_limit = 10, .seed = 19},
     {4130071, 3305118, 10}},
    {"T2",
     {.form = shape::cyclic, .root_branching = 6, .depth_limit = 16, .seed = 502},
     {4117769, 2342762, 81}},
    {"T3",
     {.type = kind::binomial,
      .root_branching = 2000,
      .nonleaf_chance = 0.124875,
      .nonleaf_children = 8,
      .seed = 42},
     {4112897, 3599034, 1572}},
    {"T4",
     {.type = kind::hybrid,
      .form = shape::linear,
      .root_branching = 6,
      .depth_limit = 16,
      .nonleaf_chance = 0.234375,
      .nonleaf_children = 4,
      .seed = 1},
     {4132453, 3108986, 134}},
    {"T5",
     {.form = shape::linear, .root_branching = 4, .depth_limit = 20, .seed = 34},
     {4147582, 2181318, 20}},
    {"T1L",
     {.form = shape::fixed, .root_branching = 4, .depth_limit = 13, .seed = 29},
     {102181082, 81746377, 13}},
    {"T3L",
     {.type = kind::binomial,
      .root_branching = 2000,
      .nonleaf_chance = 0.200014,
      .nonleaf_children = 5,
      .seed = 7},
     {111345631, 89076904, 17844}},
}};

/// Finds a sample tree by its published name; throws std::invalid_argument listing the names when
/// there is none.
inline const sample_tree& sample(std::string_view name) {
  std::string names;
  for (const sample_tree& entry : sample_trees) {
    if (entry.name == name) return entry;
    names += (names.empty() ? "" : ", ") + std::string{entry.name};
  }
  throw std::invalid_argument("no sample tree '" + std::string{name} + "': choose one of " + names);
}

/// SHA-1 of sixteen zero bytes and the seed.
inline node root(const tree& t) noexcept {
  return {sha1_of_padded({0, 0, 0, 0, t.seed, 0x80000000, 0, 0, 0, 0, 0, 0, 0, 0, 0, 160}), 0};
}

/// SHA-1 of the parent's state and the child's number. Not inlined: what hashing needs must not lie
/// on every level of the stack.
[[gnu::noinline]] inline node child(const node& parent, int index) noexcept {
  const sha1_words& s = parent.state;
  const auto number = static_cast<std::uint32_t>(index);
  return {sha1_of_padded(
              {s[0], s[1], s[2], s[3], s[4], number, 0x80000000, 0, 0, 0, 0, 0, 0, 0, 0, 192}),
          parent.depth + 1};
}

/// A number in [0, 1) that belongs to the node: its last 31 bits.
inline double chance(const node& n) noexcept { return (n.state[4] & 0x7fffffff) / 2147483648.0; }

/// The mean number of children that a geometric tree's shape asks for at `depth`.
inline double mean_branching(const tree& t, int depth) noexcept {
  if (depth == 0) return t.root_branching;
  const double limit = t.depth_limit;
  switch (t.form) {
    case shape::exponential:
      return t.root_branching * std::pow(depth, -std::log(t.root_branching) / std::log(limit));
    case shape::cyclic:
      return depth > 5 * t.depth_limit
                 ? 0.0
                 : std::pow(t.root_branching, std::sin(2.0 * std::numbers::pi * depth / limit));
    case shape::fixed: return depth < t.depth_limit ? t.root_branching : 0.0;
    case shape::linear: break;
  }
  return t.root_branching * (1.0 - depth / limit);
}

inline int geometric_children(const tree& t, const node& n) noexcept {
  constexpr double most_children = 100;
  const double stop_chance = 1.0 / (1.0 + mean_branching(t, n.depth));
  return static_cast<int>(
      std::min(most_children, std::floor(std::log(1 - chance(n)) / std::log(1 - stop_chance))));
}

[[gnu::noinline]] inline int child_count(const tree& t, const node& n) noexcept {
  const bool binomial = t.type == kind::binomial ||
                        (t.type == kind::hybrid && n.depth >= t.hybrid_shift * t.depth_limit);
  if (!binomial) return geometric_children(t, n);
  if (n.depth == 0) return static_cast<int>(t.root_branching);
  return chance(n) < t.nonleaf_chance ? t.nonleaf_children : 0;
}

/// Counts the subtree below and with `n` by plain recursion.
inline tally serial(const tree& t, const node& n) {
  const int children = child_count(t, n);
  tally sum{1, children == 0, n.depth};
  for (int i = 0; i < children; ++i) sum = sum + serial(t, child(n, i));
  return sum;
}

inline tally serial(const tree& t) { return serial(t, root(t)); }

/// Says how `counted` differs from the published counts of `entry`; empty when it does not.
inline std::string check(const sample_tree& entry, const tally& counted) {
  const auto text = [](const tally& c) {
    return std::to_string(c.nodes) + " nodes, depth " + std::to_string(c.depth) + ", " +
           std::to_string(c.leaves) + " leaves";
  };
  if (counted == entry.published) return {};
  return std::string{entry.name} + ": counted " + text(counted) + ", published are " +
         text(entry.published);
}

}  // namespace bench::uts
