#include <bench/tree_sum/problem.hpp>

int main(int argc, char** argv) {
  bench::contender me(argc, argv, bench::tree_sum::as("serial"));
  bench::tree_sum::measure(me, [](const bench::tree_sum::node& root) { return bench::tree_sum::serial(root); });
  return me.exit_status();
}
