#include <bench/harness/gnu_sum.hpp>
#include <bench/harness/indices.hpp>
#include <bench/skewed/problem.hpp>

#include <omp.h>

using namespace bench::skewed;

int main(int argc, char** argv) {
  bench::contender me(argc, argv, as("gnu"));
  omp_set_num_threads(static_cast<int>(me.workers()));
  const auto all = bench::indices(me.size<std::uint64_t>());
  std::vector<std::uint64_t> terms(all.size());
  measure(me, [&](const parameters& p) {
    return bench::gnu_sum(all, terms, [&](std::uint64_t i) { return element(p, i); });
  });
  return me.exit_status();
}
