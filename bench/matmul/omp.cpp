#include <bench/harness/omp_threads.hpp>
#include <bench/matmul/entry.hpp>

using namespace bench::matmul;

int main(int argc, char** argv) {
  bench::contender me(argc, argv, as("omp"));
  bench::omp_threads threads(me.workers());
  measure(me, [&](operand a, operand b, output c) {
    threads.run([&] { add_product(a, b, c, bench::omp_forked{}); });
  });
  return me.exit_status();
}
