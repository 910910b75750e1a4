#include <bench/harness/tbb_threads.hpp>
#include <bench/scan/problem.hpp>

#include <execution>

namespace {

struct with_pstl {
  bench::tbb_threads threads;

  void sum(const auto& in, auto& out) {
    threads.run(
        [&] { std::inclusive_scan(std::execution::par, in.begin(), in.end(), out.begin()); });
  }
  void sum_before(const auto& in, auto& out) {
    threads.run([&] {
      std::exclusive_scan(std::execution::par, in.begin(), in.end(), out.begin(), std::uint64_t{0});
    });
  }
  void copy_odd(const auto& in, auto& out) {
    threads.run([&] {
      std::copy_if(std::execution::par, in.begin(), in.end(), out.begin(), bench::scan::is_odd);
    });
  }
};

}  // namespace

int main(int argc, char** argv) {
  bench::contender me(argc, argv, bench::scan::as("pstl"));
  with_pstl solver{bench::tbb_threads(me.workers())};
  bench::scan::measure(me, solver);
  return me.exit_status();
}
