#include <bench/integer_sort/problem.hpp>

#include <omp.h>
#include <parallel/algorithm>

namespace {

struct in_parallel_mode {
  void sort(auto& values) { __gnu_parallel::sort(values.begin(), values.end()); }
};

}  // namespace

int main(int argc, char** argv) {
  bench::contender me(argc, argv, bench::integer_sort::as("gnu"));
  omp_set_num_threads(static_cast<int>(me.workers()));
  in_parallel_mode peer;
  bench::integer_sort::measure(me, peer);
  return me.exit_status();
}
