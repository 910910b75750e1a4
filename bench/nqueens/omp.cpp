#include <bench/harness/omp_threads.hpp>
#include <bench/nqueens/entry.hpp>

#include <numeric>

using namespace bench::nqueens;

namespace {

/// One task for every safe row but the last, which is a call.
std::uint64_t on_omp(int n, const board& placed) {
  if (placed.columns == n) return 1;
  int row = find_safe(n, placed, 0);
  if (row == n) return 0;
  std::array<std::uint64_t, largest_n> solutions{};
  for (int after; (after = find_safe(n, placed, row + 1)) < n; row = after) {
    const board next = placed.with(row);
#pragma omp task shared(solutions) firstprivate(next, row)
    solutions[static_cast<std::size_t>(row)] = on_omp(n, next);
  }
  solutions[static_cast<std::size_t>(row)] = on_omp(n, placed.with(row));
#pragma omp taskwait
  return std::accumulate(solutions.begin(), solutions.end(), std::uint64_t{0});
}

}  // namespace

int main(int argc, char** argv) {
  bench::contender me(argc, argv, as("omp"));
  bench::omp_threads threads(me.workers());
  measure(me,
          [&](const parameters& p) { return threads.run([&] { return on_omp(p.n, board{}); }); });
  return me.exit_status();
}
