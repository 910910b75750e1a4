#include <bench/harness/fiber_threads.hpp>
#include <bench/nqueens/entry.hpp>

#include <numeric>

using namespace bench::nqueens;

namespace {

std::uint64_t on_fibers(int n, const board& placed) {
  if (placed.columns == n) return 1;
  std::array<std::uint64_t, largest_n> solutions{};
  std::array<boost::fibers::fiber, largest_n> running;
  for (int row = 0; row < n; ++row) {
    const board next = placed.with(row);
    const auto at = static_cast<std::size_t>(row);
    if (next.is_safe())
      running[at] =
          bench::start_fiber([&solutions, n, next, at] { solutions[at] = on_fibers(n, next); });
  }
  for (boost::fibers::fiber& each : running) {
    if (each.joinable()) each.join();
  }
  return std::accumulate(solutions.begin(), solutions.end(), std::uint64_t{0});
}

}  // namespace

int main(int argc, char** argv) {
  bench::contender me(argc, argv, as("fiber"));
  bench::fiber_threads threads(me.workers());
  measure(me, [&](const parameters& p) {
    return threads.run([&] { return on_fibers(p.n, board{}); });
  });
  return me.exit_status();
}
