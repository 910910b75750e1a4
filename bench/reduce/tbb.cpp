#include <bench/harness/tbb_threads.hpp>
#include <bench/reduce/problem.hpp>

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_reduce.h>

#include <functional>
#include <numeric>

namespace {

using range = oneapi::tbb::blocked_range<std::size_t>;

struct with_tbb {
  bench::tbb_threads threads;

  float sum(std::span<const float> a) {
    return folded(a.size(), [a](const range& part, float total) {
      return std::reduce(&a[part.begin()], a.data() + part.end(), total);
    });
  }
  float dot(std::span<const float> a, std::span<const float> b) {
    return folded(a.size(), [a, b](const range& part, float total) {
      return std::transform_reduce(&a[part.begin()], a.data() + part.end(), &b[part.begin()],
                                   total);
    });
  }
  void square(std::span<float> a) {
    threads.run([&] {
      oneapi::tbb::parallel_for(range(0, a.size()), [a](const range& part) {
        for (std::size_t i = part.begin(); i != part.end(); ++i) a[i] *= a[i];
      });
    });
  }

 private:
  template <class Body>
  float folded(std::size_t count, Body body) {
    return threads.run(
        [&] { return oneapi::tbb::parallel_reduce(range(0, count), 0.0f, body, std::plus<>{}); });
  }
};

}  // namespace

int main(int argc, char** argv) {
  bench::contender me(argc, argv, bench::reduce::as("tbb"));
  with_tbb solver{bench::tbb_threads(me.workers())};
  bench::reduce::measure(me, solver);
  return me.exit_status();
}
