#include <bench/harness/contender.hpp>
#include <bench/skynet/problem.hpp>

using namespace bench::skynet;

int main(int argc, char** argv) {
  bench::contender me(argc, argv,
                      {.problem = "skynet", .peer = "serial", .size = parameters{}.leaves});
  const parameters given{.leaves = me.size<std::uint64_t>()};
  me.require(is_full_tree(given), size_rule);
  me.measure(
      given, [](const parameters& p) { return serial(0, p.leaves); }, check);
  return me.exit_status();
}
