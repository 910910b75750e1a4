#include <bench/harness/fiber_threads.hpp>
#include <bench/tree_sum/problem.hpp>

namespace {

using bench::tree_sum::node;

std::uint64_t sum(const node& root) {
  if (root.left == nullptr && root.right == nullptr) return root.value;
  if (root.left == nullptr) return root.value + sum(*root.right);
  if (root.right == nullptr) return root.value + sum(*root.left);
  std::uint64_t left = 0;
  boost::fibers::fiber other = bench::start_fiber([&] { left = sum(*root.left); });
  const std::uint64_t right = sum(*root.right);
  other.join();
  return root.value + left + right;
}

}  // namespace

int main(int argc, char** argv) {
  bench::contender me(argc, argv, bench::tree_sum::as("fiber"));
  bench::fiber_threads threads(me.workers());
  threads.run([&] { bench::tree_sum::measure(me, sum); });
  return me.exit_status();
}
