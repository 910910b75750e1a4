#include <bench/fib/entry.hpp>
#include <bench/harness/rival.hpp>
#include <compare/trees.hpp>

using namespace bench::fib;

int main(int argc, char** argv) {
  bench::contender me(argc, argv, as(BENCH_RIVAL));
  const auto rival = bench::make_rival(me.workers());
  measure(me, [&](const parameters& p) {
    return run_on(*rival, filch::compare::fib_tree{p.n, 0});
  });
  return me.exit_status();
}
