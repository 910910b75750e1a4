#include <bench/harness/omp_threads.hpp>
#include <bench/integrate/entry.hpp>

using namespace bench::integrate;

namespace {

double on_omp(const interval& whole, double epsilon) {
  const halves parts{whole, epsilon};
  if (parts.settled) return parts.area();
  double left = 0;
#pragma omp task shared(left, parts)
  left = on_omp(parts.left, epsilon);
  const double right = on_omp(parts.right, epsilon);
#pragma omp taskwait
  return left + right;
}

}  // namespace

int main(int argc, char** argv) {
  bench::contender me(argc, argv, as("omp"));
  bench::omp_threads threads(me.workers());
  measure(me, [&](const parameters& p) {
    return threads.run([&] { return on_omp(whole_range(p), p.epsilon); });
  });
  return me.exit_status();
}
