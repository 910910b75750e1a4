#include <bench/harness/tbb_threads.hpp>
#include <bench/nqueens/entry.hpp>

#include <oneapi/tbb/task_group.h>

#include <numeric>

using namespace bench::nqueens;

namespace {

/// One task for every safe row but the last, which is a call.
std::uint64_t on_tbb(int n, const board& placed) {
  if (placed.columns == n) return 1;
  int row = find_safe(n, placed, 0);
  if (row == n) return 0;
  std::array<std::uint64_t, largest_n> solutions{};
  oneapi::tbb::task_group group;
  for (int after; (after = find_safe(n, placed, row + 1)) < n; row = after) {
    group.run([&sum = solutions[static_cast<std::size_t>(row)], n, next = placed.with(row)] {
      sum = on_tbb(n, next);
    });
  }
  solutions[static_cast<std::size_t>(row)] = on_tbb(n, placed.with(row));
  group.wait();
  return std::accumulate(solutions.begin(), solutions.end(), std::uint64_t{0});
}

}  // namespace

int main(int argc, char** argv) {
  bench::contender me(argc, argv, as("tbb"));
  bench::tbb_threads threads(me.workers());
  measure(me,
          [&](const parameters& p) { return threads.run([&] { return on_tbb(p.n, board{}); }); });
  return me.exit_status();
}
