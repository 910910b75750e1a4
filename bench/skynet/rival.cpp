#include <bench/harness/contender.hpp>
#include <bench/harness/rival.hpp>
#include <bench/skynet/problem.hpp>

using namespace bench::skynet;

namespace {

struct skynet_tree {
  struct node {
    std::uint64_t first, leaves;
  };
  using result = std::uint64_t;
  std::uint64_t leaves;

  node root() const { return {0, leaves}; }
  void expand(const node& n, result& sum, const auto& spawn) const {
    if (n.leaves == 1) {
      sum += n.first;
      return;
    }
    const std::uint64_t share = n.leaves / children;
    for (std::uint64_t k = 0; k != children; ++k) spawn(node{n.first + k * share, share});
  }
};

}  // namespace

int main(int argc, char** argv) {
  bench::contender me(argc, argv,
                      {.problem = "skynet", .peer = BENCH_RIVAL, .size = parameters{}.leaves});
  const parameters given{.leaves = me.size<std::uint64_t>()};
  me.require(is_full_tree(given), size_rule);
  const auto rival = bench::make_rival(me.workers());
  me.measure(
      given, [&](const parameters& p) { return run_on(*rival, skynet_tree{p.leaves}); }, check);
  return me.exit_status();
}
