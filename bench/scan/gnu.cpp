#include <bench/scan/problem.hpp>

#include <omp.h>
#include <parallel/numeric>

namespace {

struct with_parallel_mode {
  void sum(const auto& in, auto& out) {
    __gnu_parallel::partial_sum(in.begin(), in.end(), out.begin());
  }
};

}  // namespace

int main(int argc, char** argv) {
  bench::contender me(argc, argv, bench::scan::as("gnu"));
  omp_set_num_threads(static_cast<int>(me.workers()));
  with_parallel_mode solver;
  bench::scan::measure(me, solver);
  return me.exit_status();
}
