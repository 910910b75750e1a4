#include <bench/harness/tbb_threads.hpp>
#include <bench/integer_sort/problem.hpp>

#include <execution>

namespace {

struct on_pstl {
  bench::tbb_threads threads;
  void sort(auto& values) {
    threads.run([&] { std::sort(std::execution::par, values.begin(), values.end()); });
  }
};

}  // namespace

int main(int argc, char** argv) {
  bench::contender me(argc, argv, bench::integer_sort::as("pstl"));
  on_pstl peer{.threads = bench::tbb_threads(me.workers())};
  bench::integer_sort::measure(me, peer);
  return me.exit_status();
}
