#include <bench/harness/fiber_threads.hpp>
#include <bench/integrate/entry.hpp>

using namespace bench::integrate;

namespace {

double on_fibers(const interval& whole, double epsilon) {
  const halves parts{whole, epsilon};
  if (parts.settled) return parts.area();
  double left = 0;
  boost::fibers::fiber other = bench::start_fiber([&] { left = on_fibers(parts.left, epsilon); });
  const double right = on_fibers(parts.right, epsilon);
  other.join();
  return left + right;
}

}  // namespace

int main(int argc, char** argv) {
  bench::contender me(argc, argv, as("fiber"));
  bench::fiber_threads threads(me.workers());
  measure(me, [&](const parameters& p) {
    return threads.run([&] { return on_fibers(whole_range(p), p.epsilon); });
  });
  return me.exit_status();
}
