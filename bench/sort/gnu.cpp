#include <bench/sort/problem.hpp>

#include <omp.h>
#include <parallel/algorithm>

namespace {

struct in_parallel_mode {
  void sort(auto& values) { __gnu_parallel::sort(values.begin(), values.end()); }
  void stable_sort(auto& values) { __gnu_parallel::stable_sort(values.begin(), values.end()); }
};

}  // namespace

int main(int argc, char** argv) {
  bench::contender me(argc, argv, bench::sort::as("gnu"));
  omp_set_num_threads(static_cast<int>(me.workers()));
  in_parallel_mode peer;
  bench::sort::measure(me, peer);
  return me.exit_status();
}
