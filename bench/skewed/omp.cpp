#include <bench/skewed/problem.hpp>

using namespace bench::skewed;

namespace {

/// Expensive iterations may lie anywhere, so the schedule is the one with small chunks from the
/// first on.
std::uint64_t on_omp(const parameters& p, unsigned workers) {
  std::uint64_t total = 0;
#pragma omp parallel for schedule(dynamic, 64) reduction(+ : total) num_threads(workers)
  for (std::uint64_t i = 0; i < p.rounds.size(); ++i) total += element(p, i);
  return total;
}

}  // namespace

int main(int argc, char** argv) {
  bench::contender me(argc, argv, as("omp"));
  on_omp(make("ramp", 100), me.workers());  // the team's threads are kept for the next
  measure(me, [&](const parameters& p) { return on_omp(p, me.workers()); });
  return me.exit_status();
}
