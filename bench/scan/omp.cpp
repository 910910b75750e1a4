#include <bench/scan/problem.hpp>

#if defined __GNUC__ && !defined __clang__
#pragma GCC diagnostic ignored \
    "-Wmaybe-uninitialized"  // gcc 12 means the room for partial sums that it makes itself
#endif

namespace {

struct with_omp {
  int threads;

  void sum(const auto& in, auto& out) {
    std::remove_cvref_t<decltype(in[0])> total{};
#pragma omp parallel for reduction(inscan, + : total) num_threads(threads)
    for (std::size_t i = 0; i < in.size(); ++i) {
      total += in[i];
#pragma omp scan inclusive(total)
      out[i] = total;
    }
  }
  void copy_odd(const auto& in, auto& out) {
    // Clang 19 scans no plain type in a template
    typename std::remove_cvref_t<decltype(out)>::size_type chosen = 0;
#pragma omp parallel for reduction(inscan, + : chosen) num_threads(threads)
    for (std::size_t i = 0; i < in.size(); ++i) {
      chosen += bench::scan::is_odd(in[i]) ? 1 : 0;
#pragma omp scan inclusive(chosen)
      if (bench::scan::is_odd(in[i])) out[chosen - 1] = in[i];
    }
  }
};

}  // namespace

int main(int argc, char** argv) {
  bench::contender me(argc, argv, bench::scan::as("omp"));
  with_omp solver{static_cast<int>(me.workers())};
  std::vector<std::uint64_t> one(1), other(1);
  solver.sum(one, other);  // the team's threads are kept for the next
  bench::scan::measure(me, solver);
  return me.exit_status();
}
