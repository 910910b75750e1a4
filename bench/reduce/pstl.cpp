#include <bench/harness/tbb_threads.hpp>
#include <bench/reduce/problem.hpp>

#include <execution>
#include <numeric>

namespace {

struct with_pstl {
  bench::tbb_threads threads;

  float sum(std::span<const float> a) {
    return threads.run([&] { return std::reduce(std::execution::par, a.begin(), a.end(), 0.0f); });
  }
  float dot(std::span<const float> a, std::span<const float> b) {
    return threads.run([&] {
      return std::transform_reduce(std::execution::par, a.begin(), a.end(), b.begin(), 0.0f);
    });
  }
  void square(std::span<float> a) {
    threads.run(
        [&] { std::for_each(std::execution::par, a.begin(), a.end(), [](float& x) { x *= x; }); });
  }
};

}  // namespace

int main(int argc, char** argv) {
  bench::contender me(argc, argv, bench::reduce::as("pstl"));
  with_pstl solver{bench::tbb_threads(me.workers())};
  bench::reduce::measure(me, solver);
  return me.exit_status();
}
