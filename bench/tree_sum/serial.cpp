#include <bench/tree_sum/problem.hpp>

int main(int argc, char** argv) {
  bench::contender me(argc, argv, bench::tree_sum::as("serial"));
  bench::tree_sum::measure(me, bench::tree_sum::serial);
  return me.exit_status();
}
