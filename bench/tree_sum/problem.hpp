#pragma once
// Sums a binary tree in memory: so little work a node that the fork decides, and at 1,000 nodes
// also what the pool does at start, as a sum is over before another worker could be awake. Peers
// fork if a node has two children: at every second node of a balanced tree, whose visit takes less
// than a fork, and at every third of one grown by random insertion.
#include <bench/harness/contender.hpp>
#include <bench/harness/median.hpp>
#include <filch/base/rng.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

namespace bench::tree_sum {

struct node {
  std::uint64_t value = 0;
  const node* left = nullptr;
  const node* right = nullptr;
};

enum class shape { balanced, grown };

class tree {
 public:
  tree(shape form, std::size_t node_count) : nodes_(node_count) {
    filch::base::split_mix64 random{1};
    for (node& n : nodes_) n.value = random();
    if (form == shape::balanced) {
      link(0, node_count);
    } else {
      for (std::size_t i = 1; i < node_count; ++i) insert(nodes_[i]);
    }
  }
  const node& root() const { return nodes_.front(); }

  std::string check(std::uint64_t sum) const {
    std::uint64_t expected = 0;
    for (const node& n : nodes_) expected += n.value;
    return sum == expected
               ? ""
               : "the nodes sum to " + std::to_string(expected) + ", not " + std::to_string(sum);
  }

 private:
  /// Makes a tree as balanced as can be of the nodes [first, first + count), in the order of the
  /// walk, and returns its root.
  const node* link(std::size_t first, std::size_t count) {
    if (count == 0) return nullptr;
    const std::size_t left_count = count / 2;
    node& root = nodes_[first];
    root.left = link(first + 1, left_count);
    root.right = link(first + 1 + left_count, count - 1 - left_count);
    return &root;
  }

  /// Hangs `leaf` where a binary search tree has it.
  void insert(const node& leaf) {
    for (node* at = &nodes_.front();;) {
      const node*& side = leaf.value < at->value ? at->left : at->right;
      if (side == nullptr) {
        side = &leaf;
        return;
      }
      at = &nodes_[static_cast<std::size_t>(side - nodes_.data())];
    }
  }

  std::vector<node> nodes_;
};

inline constexpr identity as(const char* peer) {
  return {.problem = "tree_sum", .peer = peer, .size = 1000, .variant = "balanced"};
}

/// Sums by plain recursion. Not inlined: of a function in a header gcc unrolls several levels, of
/// one that only a program has it does not.
[[gnu::noinline]] inline std::uint64_t serial(const node& root) {
  if (root.left == nullptr || root.right == nullptr) {
    const node* only = root.left != nullptr ? root.left : root.right;
    return only == nullptr ? root.value : root.value + serial(*only);
  }
  return root.value + serial(*root.left) + serial(*root.right);
}

/// Seconds of one call of `sum`, on average over `calls` calls.
template <class Sum>
double seconds_of_one(Sum& sum, const tree& numbers, std::size_t calls, std::uint64_t& result) {
  const double seconds = seconds_of([&] {
    for (std::size_t k = 0; k != calls; ++k) {
      const node* root = &numbers.root();
      launder_value(root);
      result = sum(*root);
      launder_value(result);
    }
  });
  return seconds / static_cast<double>(calls);
}

/// Times one sum: on average over sums back to back, or with "-spaced" the median of sums after a
/// millisecond of sleep each.
/// Cases: "balanced", "grown", "balanced-spaced", "grown-spaced". For peers with a pool, call it
/// inside the pool.
template <class Sum>
void measure(contender& me, Sum sum) {
  const std::string& name = me.variant();
  const bool grown = name.starts_with("grown"), spaced = name.ends_with("-spaced");
  me.require(name == std::string(grown ? "grown" : "balanced") + (spaced ? "-spaced" : ""),
             "--case must be balanced or grown, or one of them with -spaced appended");
  me.require(me.size() > 0, "--size counts the nodes: it must be at least 1");
  const tree numbers(grown ? shape::grown : shape::balanced, me.size<std::size_t>());
  const std::size_t calls = spaced ? 1 : 1 + 2'000'000 / me.size<std::size_t>();
  for (unsigned i = 0; i != me.repeat(); ++i) {
    std::uint64_t result = 0;
    std::vector<double> seconds;
    for (int clock = 0; clock != (spaced ? 100 : 3); ++clock) {
      if (spaced) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      seconds.push_back(seconds_of_one(sum, numbers, calls, result));
    }
    me.report({{"seconds", median(seconds)}}, numbers.check(result));
  }
}

}  // namespace bench::tree_sum
