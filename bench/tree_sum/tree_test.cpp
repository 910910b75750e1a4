#include <bench/tree_sum/problem.hpp>
#include <gtest/gtest.h>

#include <algorithm>

namespace {

using namespace bench::tree_sum;

struct facts {
  std::uint64_t sum = 0;
  std::size_t nodes = 0;
  std::size_t depth = 0;
};

facts walk(const node* root) {
  if (root == nullptr) return {};
  const facts left = walk(root->left), right = walk(root->right);
  return {root->value + left.sum + right.sum, 1 + left.nodes + right.nodes,
          1 + std::max(left.depth, right.depth)};
}

TEST(tree_sum_trees, hold_every_node_once_whatever_their_shape_and_size) {
  for (const shape form : {shape::balanced, shape::grown}) {
    for (const std::size_t size : {1u, 2u, 3u, 1000u, 1023u}) {
      const tree numbers(form, size);
      const facts found = walk(&numbers.root());
      EXPECT_EQ(found.nodes, size);
      EXPECT_EQ(numbers.check(found.sum), "");
      EXPECT_NE(numbers.check(found.sum + 1), "");
    }
  }
}

TEST(tree_sum_trees, are_as_deep_as_their_shape_says) {
  const tree balanced(shape::balanced, 1000), grown(shape::grown, 1000);
  EXPECT_EQ(walk(&balanced.root()).depth, 10u);
  EXPECT_GT(walk(&grown.root()).depth, 10u);
}

}  // namespace
