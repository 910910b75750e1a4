#include <bench/harness/rival.hpp>
#include <bench/nqueens/entry.hpp>
#include <compare/trees.hpp>

using namespace bench::nqueens;

int main(int argc, char** argv) {
  bench::contender me(argc, argv, as(BENCH_RIVAL));
  const auto rival = bench::make_rival(me.workers());
  measure(me, [&](const parameters& p) {
    return run_on(*rival, filch::compare::nqueens_tree{p.n, 0});
  });
  return me.exit_status();
}
