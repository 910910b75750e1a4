#include <bench/reduce/problem.hpp>
#include <filch/algo.hpp>

namespace {

struct with_filch {
  filch::algo::settings how;

  float sum(std::span<const float> a) { return filch::reduce(how, a); }
  float dot(std::span<const float> a, std::span<const float> b) {
    return filch::transform_reduce(how, a, b, 0.0f);
  }
  void square(std::span<float> a) {
    filch::for_each(how, a, [](float& x) { x *= x; });
  }
};

}  // namespace

int main(int argc, char** argv) {
  bench::contender me(argc, argv, bench::reduce::as("filch"));
  filch::thread_pool pool({.workers = me.workers()});
  pool.warm_up();
  with_filch solver{filch::with(pool)};
  if (me.variant() == "sum-deterministic") solver.how.set(filch::deterministic);
  bench::reduce::measure(me, solver);
  return me.exit_status();
}
