#include <bench/group_by_key/problem.hpp>

#include <omp.h>
#include <parallel/algorithm>

namespace {

struct in_parallel_mode {
  auto group(const std::vector<bench::group_by_key::record>& values) {
    return bench::group_by_key::by_sorting(values, [](auto first, auto last, auto less) {
      __gnu_parallel::stable_sort(first, last, less);
    });
  }
};

}  // namespace

int main(int argc, char** argv) {
  bench::contender me(argc, argv, bench::group_by_key::as("gnu"));
  omp_set_num_threads(static_cast<int>(me.workers()));
  in_parallel_mode peer;
  bench::group_by_key::measure(me, peer);
  return me.exit_status();
}
