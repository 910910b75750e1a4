#include <bench/harness/async_threads.hpp>
#include <bench/tree_sum/problem.hpp>

namespace {

using namespace bench::tree_sum;

std::uint64_t on_async(const node& root, unsigned levels) {
  if (levels == 0 || (root.left == nullptr && root.right == nullptr)) return serial(root);
  if (root.left == nullptr) return root.value + on_async(*root.right, levels);
  if (root.right == nullptr) return root.value + on_async(*root.left, levels);
  return root.value + bench::async_sum([&] { return on_async(*root.left, levels - 1); },
                                       [&] { return on_async(*root.right, levels - 1); });
}

}  // namespace

int main(int argc, char** argv) {
  bench::contender me(argc, argv, as("async"));
  bench::async_threads threads(me.workers());
  measure(me, [&](const node& root) { return on_async(root, threads.levels()); });
  return me.exit_status();
}
