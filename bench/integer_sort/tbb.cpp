#include <bench/harness/tbb_threads.hpp>
#include <bench/integer_sort/problem.hpp>

#include <oneapi/tbb/parallel_sort.h>

namespace {

struct on_tbb {
  bench::tbb_threads threads;
  void sort(auto& values) {
    threads.run([&] { oneapi::tbb::parallel_sort(values.begin(), values.end()); });
  }
};

}  // namespace

int main(int argc, char** argv) {
  bench::contender me(argc, argv, bench::integer_sort::as("tbb"));
  on_tbb peer{.threads = bench::tbb_threads(me.workers())};
  bench::integer_sort::measure(me, peer);
  return me.exit_status();
}
