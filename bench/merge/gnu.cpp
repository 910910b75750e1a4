#include <bench/merge/problem.hpp>

#include <omp.h>
#include <parallel/algorithm>

namespace {

struct in_parallel_mode {
  // It takes no constant ranges.
  void merge(auto& left, auto& right, auto& out) {
    __gnu_parallel::merge(left.begin(), left.end(), right.begin(), right.end(), out.begin());
  }
};

}  // namespace

int main(int argc, char** argv) {
  bench::contender me(argc, argv, bench::merge::as("gnu"));
  omp_set_num_threads(static_cast<int>(me.workers()));
  in_parallel_mode peer;
  bench::merge::measure(me, peer);
  return me.exit_status();
}
