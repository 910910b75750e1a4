#include <bench/harness/async_threads.hpp>
#include <bench/integrate/entry.hpp>

using namespace bench::integrate;

namespace {

double on_async(const interval& whole, double epsilon, unsigned levels) {
  if (levels == 0) return serial(whole, epsilon);
  const halves parts{whole, epsilon};
  if (parts.settled) return parts.area();
  return bench::async_sum([&] { return on_async(parts.left, epsilon, levels - 1); },
                          [&] { return on_async(parts.right, epsilon, levels - 1); });
}

}  // namespace

int main(int argc, char** argv) {
  bench::contender me(argc, argv, as("async"));
  bench::async_threads threads(me.workers());
  measure(me, [&](const parameters& p) {
    return on_async(whole_range(p), p.epsilon, threads.levels());
  });
  return me.exit_status();
}
