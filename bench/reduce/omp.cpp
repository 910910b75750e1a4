#include <bench/reduce/problem.hpp>

namespace {

/// Loops in equal parts, with `simd`, by which the compiler may add up in lanes; and over pointers,
/// as gcc does not for a span that a team shares.
struct with_omp {
  int threads;

  float sum(std::span<const float> a) {
    const float* x = a.data();
    float total = 0;
#pragma omp parallel for simd schedule(static) reduction(+ : total) num_threads(threads)
    for (std::size_t i = 0; i < a.size(); ++i) total += x[i];
    return total;
  }
  float dot(std::span<const float> a, std::span<const float> b) {
    const float *x = a.data(), *y = b.data();
    float total = 0;
#pragma omp parallel for simd schedule(static) reduction(+ : total) num_threads(threads)
    for (std::size_t i = 0; i < a.size(); ++i) total += x[i] * y[i];
    return total;
  }
  void square(std::span<float> a) {
    float* x = a.data();
#pragma omp parallel for simd schedule(static) num_threads(threads)
    for (std::size_t i = 0; i < a.size(); ++i) x[i] *= x[i];
  }
};

}  // namespace

int main(int argc, char** argv) {
  bench::contender me(argc, argv, bench::reduce::as("omp"));
  with_omp solver{static_cast<int>(me.workers())};
  solver.sum({});  // the team's threads are kept for the next
  bench::reduce::measure(me, solver);
  return me.exit_status();
}
