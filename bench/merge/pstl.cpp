#include <bench/harness/tbb_threads.hpp>
#include <bench/merge/problem.hpp>

#include <execution>

namespace {

struct on_pstl {
  bench::tbb_threads threads;
  void merge(const auto& left, const auto& right, auto& out) {
    threads.run([&] {
      std::merge(std::execution::par, left.begin(), left.end(), right.begin(), right.end(),
                 out.begin());
    });
  }
};

}  // namespace

int main(int argc, char** argv) {
  bench::contender me(argc, argv, bench::merge::as("pstl"));
  on_pstl peer{.threads = bench::tbb_threads(me.workers())};
  bench::merge::measure(me, peer);
  return me.exit_status();
}
