#include <bench/reduce/problem.hpp>

#include <omp.h>
#include <parallel/algorithm>
#include <parallel/numeric>

namespace {

struct with_parallel_mode {
  float sum(std::span<const float> a) {
    return __gnu_parallel::accumulate(a.begin(), a.end(), 0.0f);
  }
  float dot(std::span<const float> a, std::span<const float> b) {
    return __gnu_parallel::inner_product(a.begin(), a.end(), b.begin(), 0.0f);
  }
  void square(std::span<float> a) {
    __gnu_parallel::for_each(a.begin(), a.end(), [](float& x) { x *= x; });
  }
};

}  // namespace

int main(int argc, char** argv) {
  bench::contender me(argc, argv, bench::reduce::as("gnu"));
  omp_set_num_threads(static_cast<int>(me.workers()));
  with_parallel_mode solver;
  bench::reduce::measure(me, solver);
  return me.exit_status();
}
