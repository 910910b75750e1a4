#include <bench/harness/fiber_threads.hpp>
#include <bench/uts/child_tallies.hpp>
#include <bench/uts/entry.hpp>

#include <vector>

using namespace bench::uts;

namespace {

/// A fiber for every child: a direct call for the last would put a deep tree on one small stack.
tally on_fibers(const tree& t, const node& n) {
  const int children = child_count(t, n);
  const tally self{1, children == 0, n.depth};
  child_tallies below(children);
  std::vector<boost::fibers::fiber> running;
  running.reserve(static_cast<std::size_t>(children));
  for (int i = 0; i < children; ++i) {
    running.push_back(
        bench::start_fiber([&t, &n, i, &sum = below[i]] { sum = on_fibers(t, child(n, i)); }));
  }
  for (boost::fibers::fiber& each : running) each.join();
  return below.sum(self);
}

}  // namespace

int main(int argc, char** argv) {
  bench::contender me(argc, argv, as("fiber"));
  bench::fiber_threads threads(me.workers());
  measure(me, [&](const tree& t) { return threads.run([&] { return on_fibers(t, root(t)); }); });
  return me.exit_status();
}
