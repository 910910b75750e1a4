#include <bench/dispatch/problem.hpp>

int main(int argc, char** argv) {
  bench::contender me(argc, argv, bench::dispatch::as("omp"));
  me.require(
      !me.variant().ends_with("-inside"),
      "OpenMP has no inside: a parallel region is always started by a thread of the program");
  const int threads = static_cast<int>(me.workers());
  bench::dispatch::measure(me, me.variant(), [threads](auto body) {
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int half = 0; half < 2; ++half) body(half);
  });
  return me.exit_status();
}
