#include <bench/harness/async_threads.hpp>
#include <bench/nqueens/entry.hpp>

using namespace bench::nqueens;

namespace {

std::uint64_t on_async(int n, const board& placed, unsigned levels);

/// Counts what follows from the rows [first, last) of the next column.
std::uint64_t try_rows(int n, const board& placed, int first, int last, unsigned levels) {
  if (last - first > 1 && levels > 0) {
    const int middle = first + (last - first) / 2;
    return bench::async_sum([&, middle] { return try_rows(n, placed, first, middle, levels - 1); },
                            [&, middle] { return try_rows(n, placed, middle, last, levels - 1); });
  }
  std::uint64_t solutions = 0;
  for (int row = first; row < last; ++row) {
    const board next = placed.with(row);
    if (next.is_safe()) solutions += on_async(n, next, levels);
  }
  return solutions;
}

std::uint64_t on_async(int n, const board& placed, unsigned levels) {
  return levels == 0 || placed.columns == n ? serial(n, placed) : try_rows(n, placed, 0, n, levels);
}

}  // namespace

int main(int argc, char** argv) {
  bench::contender me(argc, argv, as("async"));
  bench::async_threads threads(me.workers());
  measure(me, [&](const parameters& p) { return on_async(p.n, board{}, threads.levels()); });
  return me.exit_status();
}
