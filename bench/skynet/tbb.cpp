#include <bench/harness/contender.hpp>
#include <bench/harness/tbb_threads.hpp>
#include <bench/skynet/problem.hpp>

#include <oneapi/tbb/task_group.h>

#include <array>
#include <numeric>

namespace {

using namespace bench::skynet;

std::uint64_t skynet(std::uint64_t first, std::uint64_t leaves) {
  if (leaves == 1) return first;
  const std::uint64_t share = leaves / children;
  std::array<std::uint64_t, children> sums{};
  oneapi::tbb::task_group group;
  for (std::uint64_t k = 1; k != children; ++k) {
    group.run([&sums, k, first, share] { sums[k] = skynet(first + k * share, share); });
  }
  sums[0] = skynet(first, share);
  group.wait();
  return std::accumulate(sums.begin(), sums.end(), std::uint64_t{0});
}

}  // namespace

int main(int argc, char** argv) {
  bench::contender me(argc, argv,
                      {.problem = "skynet", .peer = "tbb", .size = parameters{}.leaves});
  const parameters given{.leaves = me.size<std::uint64_t>()};
  me.require(is_full_tree(given), size_rule);
  bench::tbb_threads threads(me.workers());
  me.measure(
      given, [&](const parameters& p) { return threads.run([&] { return skynet(0, p.leaves); }); },
      check);
  return me.exit_status();
}
