#include <bench/harness/fiber_threads.hpp>
#include <bench/matmul/entry.hpp>

using namespace bench::matmul;

int main(int argc, char** argv) {
  bench::contender me(argc, argv, as("fiber"));
  bench::fiber_threads threads(me.workers());
  measure(me, [&](operand a, operand b, output c) {
    threads.run([&] { add_product(a, b, c, bench::fiber_forked{}); });
  });
  return me.exit_status();
}
