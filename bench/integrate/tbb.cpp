#include <bench/harness/tbb_threads.hpp>
#include <bench/integrate/entry.hpp>

#include <oneapi/tbb/task_group.h>

using namespace bench::integrate;

namespace {

double on_tbb(const interval& whole, double epsilon) {
  const halves parts{whole, epsilon};
  if (parts.settled) return parts.area();
  double left = 0;
  oneapi::tbb::task_group group;
  group.run([&] { left = on_tbb(parts.left, epsilon); });
  const double right = on_tbb(parts.right, epsilon);
  group.wait();
  return left + right;
}

}  // namespace

int main(int argc, char** argv) {
  bench::contender me(argc, argv, as("tbb"));
  bench::tbb_threads threads(me.workers());
  measure(me, [&](const parameters& p) {
    return threads.run([&] { return on_tbb(whole_range(p), p.epsilon); });
  });
  return me.exit_status();
}
