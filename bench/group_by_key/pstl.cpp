#include <bench/group_by_key/problem.hpp>
#include <bench/harness/tbb_threads.hpp>

#include <execution>

namespace {

struct on_pstl {
  bench::tbb_threads threads;
  auto group(const std::vector<bench::group_by_key::record>& values) {
    return bench::group_by_key::by_sorting(values, [&](auto first, auto last, auto less) {
      threads.run([&] { std::stable_sort(std::execution::par, first, last, less); });
    });
  }
};

}  // namespace

int main(int argc, char** argv) {
  bench::contender me(argc, argv, bench::group_by_key::as("pstl"));
  on_pstl peer{.threads = bench::tbb_threads(me.workers())};
  bench::group_by_key::measure(me, peer);
  return me.exit_status();
}
