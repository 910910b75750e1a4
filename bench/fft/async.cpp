#include <bench/fft/entry.hpp>
#include <bench/harness/async_threads.hpp>

using namespace bench::fft;

int main(int argc, char** argv) {
  bench::contender me(argc, argv, as("async"));
  bench::async_threads threads(me.workers());
  measure(me, [&](const plan& how, const std::vector<number>& in, std::vector<number>& out) {
    how(in, out, bench::async_forked{threads.levels()});
  });
  return me.exit_status();
}
