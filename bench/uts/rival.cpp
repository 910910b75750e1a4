#include <bench/harness/rival.hpp>
#include <bench/uts/entry.hpp>
#include <compare/trees.hpp>

using namespace bench::uts;

int main(int argc, char** argv) {
  bench::contender me(argc, argv, as(BENCH_RIVAL));
  const auto rival = bench::make_rival(me.workers());
  measure(me, [&](const tree& t) { return run_on(*rival, filch::compare::uts_tree{t}); });
  return me.exit_status();
}
