#include <bench/harness/async_threads.hpp>
#include <bench/harness/contender.hpp>
#include <bench/skynet/problem.hpp>

namespace {

using namespace bench::skynet;

std::uint64_t on_async(std::uint64_t first, std::uint64_t leaves, unsigned levels);

/// Sums the children [begin, end) of a node, each with `share` leaves.
std::uint64_t sum_children(std::uint64_t first, std::uint64_t share, std::uint64_t begin,
                           std::uint64_t end, unsigned levels) {
  if (end - begin > 1 && levels > 0) {
    const std::uint64_t middle = begin + (end - begin) / 2;
    return bench::async_sum([=] { return sum_children(first, share, begin, middle, levels - 1); },
                            [=] { return sum_children(first, share, middle, end, levels - 1); });
  }
  std::uint64_t sum = 0;
  for (std::uint64_t k = begin; k != end; ++k) sum += on_async(first + k * share, share, levels);
  return sum;
}

std::uint64_t on_async(std::uint64_t first, std::uint64_t leaves, unsigned levels) {
  return levels == 0   ? serial(first, leaves)
         : leaves == 1 ? first
                       : sum_children(first, leaves / children, 0, children, levels);
}

}  // namespace

int main(int argc, char** argv) {
  bench::contender me(argc, argv,
                      {.problem = "skynet", .peer = "async", .size = parameters{}.leaves});
  const parameters given{.leaves = me.size<std::uint64_t>()};
  me.require(is_full_tree(given), size_rule);
  bench::async_threads threads(me.workers());
  me.measure(
      given, [&](const parameters& p) { return on_async(0, p.leaves, threads.levels()); }, check);
  return me.exit_status();
}
