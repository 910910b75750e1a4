#include <bench/harness/tbb_forked.hpp>
#include <bench/harness/tbb_threads.hpp>
#include <bench/heat/entry.hpp>

using namespace bench::heat;

int main(int argc, char** argv) {
  bench::contender me(argc, argv, as("tbb"));
  bench::tbb_threads threads(me.workers());
  measure(me, [&](const auto& work) { threads.run([&] { work(bench::tbb_forked{}); }); });
  return me.exit_status();
}
