#include <bench/reduce/problem.hpp>

#include <numeric>

namespace {

struct serial {
  float sum(std::span<const float> a) { return std::reduce(a.begin(), a.end(), 0.0f); }
  float dot(std::span<const float> a, std::span<const float> b) {
    return std::transform_reduce(a.begin(), a.end(), b.begin(), 0.0f);
  }
  void square(std::span<float> a) {
    std::for_each(a.begin(), a.end(), [](float& x) { x *= x; });
  }
};

}  // namespace

int main(int argc, char** argv) {
  bench::contender me(argc, argv, bench::reduce::as("serial"));
  serial solver;
  bench::reduce::measure(me, solver);
  return me.exit_status();
}
