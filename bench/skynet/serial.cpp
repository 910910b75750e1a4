#include <bench/harness/contender.hpp>
#include <bench/skynet/problem.hpp>

namespace {

using namespace bench::skynet;

std::uint64_t skynet(std::uint64_t first, std::uint64_t leaves) {
  if (leaves == 1) return first;
  const std::uint64_t share = leaves / children;
  std::uint64_t sum = 0;
  for (std::uint64_t k = 0; k != children; ++k) sum += skynet(first + k * share, share);
  return sum;
}

}  // namespace

int main(int argc, char** argv) {
  bench::contender me(argc, argv, {.problem = "skynet", .peer = "serial", .size = parameters{}.leaves});
  const parameters given{.leaves = me.size<std::uint64_t>()};
  me.require(is_full_tree(given), size_rule);
  me.measure(
      given, [](const parameters& p) { return skynet(0, p.leaves); }, check);
  return me.exit_status();
}
