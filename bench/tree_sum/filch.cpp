#include <bench/tree_sum/problem.hpp>
#include <filch/filch.hpp>

namespace {

using bench::tree_sum::node;

std::uint64_t sum(const node& root) {
  if (root.left == nullptr && root.right == nullptr) return root.value;
  if (root.left == nullptr) return root.value + sum(*root.right);
  if (root.right == nullptr) return root.value + sum(*root.left);
  const auto [left, right] =
      filch::join([&] { return sum(*root.left); }, [&] { return sum(*root.right); });
  return root.value + left + right;
}

}  // namespace

int main(int argc, char** argv) {
  bench::contender me(argc, argv, bench::tree_sum::as("filch"));
  filch::thread_pool pool(filch::pool_options{.workers = me.workers()});
  pool.run([&] { bench::tree_sum::measure(me, sum); });
  return me.exit_status();
}
