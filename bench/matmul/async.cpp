#include <bench/harness/async_threads.hpp>
#include <bench/matmul/entry.hpp>

using namespace bench::matmul;

int main(int argc, char** argv) {
  bench::contender me(argc, argv, as("async"));
  bench::async_threads threads(me.workers());
  measure(me, [&](operand a, operand b, output c) {
    add_product(a, b, c, bench::async_forked{threads.levels()});
  });
  return me.exit_status();
}
