#include <bench/fft/entry.hpp>
#include <bench/harness/fiber_threads.hpp>

using namespace bench::fft;

int main(int argc, char** argv) {
  bench::contender me(argc, argv, as("fiber"));
  bench::fiber_threads threads(me.workers());
  measure(me, [&](const plan& how, const std::vector<number>& in, std::vector<number>& out) {
    threads.run([&] { how(in, out, bench::fiber_forked{}); });
  });
  return me.exit_status();
}
