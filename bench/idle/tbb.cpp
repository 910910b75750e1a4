#include <bench/harness/tbb_threads.hpp>
#include <bench/idle/problem.hpp>

namespace {

struct tbb_pool {
  bench::tbb_threads threads;

  void work() {
    threads.run(
        [] { oneapi::tbb::parallel_for(0, bench::idle::iterations, bench::idle::iteration); });
  }
  void submit(auto f) { threads.submit(f); }
  void run(auto f) { threads.run(f); }
};

}  // namespace

int main(int argc, char** argv) {
  bench::contender me(argc, argv, bench::idle::as("tbb"));
  bench::idle::measure(me, tbb_pool{bench::tbb_threads(me.workers())});
  return me.exit_status();
}
