#include <bench/harness/omp_threads.hpp>
#include <bench/uts/child_tallies.hpp>
#include <bench/uts/entry.hpp>

using namespace bench::uts;

namespace {

tally on_omp(const tree& t, const node& n) {
  const int children = child_count(t, n);
  const tally self{1, children == 0, n.depth};
  if (children == 0) return self;
  child_tallies below(children);
  for (int i = 0; i + 1 < children; ++i) {
#pragma omp task shared(below, t, n)
    below[i] = on_omp(t, child(n, i));
  }
  below[children - 1] = on_omp(t, child(n, children - 1));
#pragma omp taskwait
  return below.sum(self);
}

}  // namespace

int main(int argc, char** argv) {
  bench::contender me(argc, argv, as("omp"));
  bench::omp_threads threads(me.workers());
  measure(me, [&](const tree& t) { return threads.run([&] { return on_omp(t, root(t)); }); });
  return me.exit_status();
}
