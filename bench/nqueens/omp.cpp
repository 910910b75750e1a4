#include <bench/harness/omp_threads.hpp>
#include <bench/nqueens/entry.hpp>

#include <numeric>

using namespace bench::nqueens;

namespace {

std::uint64_t on_omp(int n, const board& placed) {
  if (placed.columns == n) return 1;
  std::array<std::uint64_t, largest_n> solutions{};
  for (int row = 0; row < n; ++row) {
    const board next = placed.with(row);
    if (!next.is_safe()) continue;
#pragma omp task shared(solutions)
    solutions[static_cast<std::size_t>(row)] = on_omp(n, next);
  }
#pragma omp taskwait
  return std::accumulate(solutions.begin(), solutions.end(), std::uint64_t{0});
}

}  // namespace

int main(int argc, char** argv) {
  bench::contender me(argc, argv, as("omp"));
  bench::omp_threads threads(me.workers());
  measure(me, [&](const parameters& p) { return threads.run([&] { return on_omp(p.n, board{}); }); });
  return me.exit_status();
}
