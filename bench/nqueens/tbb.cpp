#include <bench/harness/tbb_threads.hpp>
#include <bench/nqueens/entry.hpp>

#include <oneapi/tbb/task_group.h>

#include <numeric>

using namespace bench::nqueens;

namespace {

/// One task for every row that is not under attack but the last of them, which is tried here.
std::uint64_t on_tbb(int n, const board& placed) {
  if (placed.columns == n) return 1;
  std::array<std::uint64_t, largest_n> solutions{};
  oneapi::tbb::task_group group;
  int last = -1;
  for (int row = 0; row < n; ++row) {
    if (!placed.can_add(row)) continue;
    if (last >= 0) group.run([&, last] { solutions[static_cast<std::size_t>(last)] = on_tbb(n, placed.with(last)); });
    last = row;
  }
  if (last < 0) return 0;
  solutions[static_cast<std::size_t>(last)] = on_tbb(n, placed.with(last));
  group.wait();
  return std::accumulate(solutions.begin(), solutions.end(), std::uint64_t{0});
}

}  // namespace

int main(int argc, char** argv) {
  bench::contender me(argc, argv, as("tbb"));
  bench::tbb_threads threads(me.workers());
  measure(me, [&](const parameters& p) { return threads.run([&] { return on_tbb(p.n, board{}); }); });
  return me.exit_status();
}
