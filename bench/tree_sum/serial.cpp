#include <bench/tree_sum/problem.hpp>

namespace {

using bench::tree_sum::node;

std::uint64_t sum(const node& root) {
  if (root.left == nullptr || root.right == nullptr) {
    const node* only = root.left != nullptr ? root.left : root.right;
    return only == nullptr ? root.value : root.value + sum(*only);
  }
  return root.value + sum(*root.left) + sum(*root.right);
}

}  // namespace

int main(int argc, char** argv) {
  bench::contender me(argc, argv, bench::tree_sum::as("serial"));
  bench::tree_sum::measure(me, sum);
  return me.exit_status();
}
