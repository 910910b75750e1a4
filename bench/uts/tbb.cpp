#include <bench/harness/tbb_threads.hpp>
#include <bench/uts/child_tallies.hpp>
#include <bench/uts/entry.hpp>

#include <oneapi/tbb/task_group.h>

using namespace bench::uts;

namespace {

/// One task for every child but the last, which is counted here.
tally on_tbb(const tree& t, const node& n) {
  const int children = child_count(t, n);
  const tally self{1, children == 0, n.depth};
  if (children == 0) return self;
  child_tallies below(children);
  oneapi::tbb::task_group group;
  for (int i = 0; i + 1 < children; ++i) {
    group.run([&t, &n, i, &sum = below[i]] { sum = on_tbb(t, child(n, i)); });
  }
  below[children - 1] = on_tbb(t, child(n, children - 1));
  group.wait();
  return below.sum(self);
}

}  // namespace

int main(int argc, char** argv) {
  bench::contender me(argc, argv, as("tbb"));
  bench::tbb_threads threads(me.workers());
  measure(me, [&](const tree& t) { return threads.run([&] { return on_tbb(t, root(t)); }); });
  return me.exit_status();
}
