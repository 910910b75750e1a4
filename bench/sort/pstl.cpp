#include <bench/harness/tbb_threads.hpp>
#include <bench/sort/problem.hpp>

#include <execution>

namespace {

struct on_pstl {
  bench::tbb_threads threads;
  void sort(auto& values) {
    threads.run([&] { std::sort(std::execution::par, values.begin(), values.end()); });
  }
  void stable_sort(auto& values) {
    threads.run([&] { std::stable_sort(std::execution::par, values.begin(), values.end()); });
  }
};

}  // namespace

int main(int argc, char** argv) {
  bench::contender me(argc, argv, bench::sort::as("pstl"));
  on_pstl peer{.threads = bench::tbb_threads(me.workers())};
  bench::sort::measure(me, peer);
  return me.exit_status();
}
