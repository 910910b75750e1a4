#include <bench/harness/omp_threads.hpp>
#include <bench/uts/entry.hpp>

#include <numeric>
#include <vector>

using namespace bench::uts;

namespace {

tally on_omp(const tree& t, const node& n) {
  const int children = child_count(t, n);
  const tally self{1, children == 0, n.depth};
  if (children == 0) return self;
  std::vector<tally> below(static_cast<std::size_t>(children));
  for (int i = 0; i + 1 < children; ++i) {
#pragma omp task shared(below, t, n)
    below[static_cast<std::size_t>(i)] = on_omp(t, child(n, i));
  }
  below.back() = on_omp(t, child(n, children - 1));
#pragma omp taskwait
  return std::accumulate(below.begin(), below.end(), self);
}

}  // namespace

int main(int argc, char** argv) {
  bench::contender me(argc, argv, as("omp"));
  bench::omp_threads threads(me.workers());
  measure(me, [&](const tree& t) { return threads.run([&] { return on_omp(t, root(t)); }); });
  return me.exit_status();
}
