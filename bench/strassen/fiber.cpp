#include <bench/harness/fiber_threads.hpp>
#include <bench/strassen/entry.hpp>

using namespace bench::strassen;

int main(int argc, char** argv) {
  bench::contender me(argc, argv, as("fiber"));
  bench::fiber_threads threads(me.workers());
  measure(me, [&](const auto& work) { threads.run([&] { work(bench::fiber_forked{}); }); });
  return me.exit_status();
}
