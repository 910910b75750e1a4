#include <bench/harness/async_threads.hpp>
#include <bench/uts/entry.hpp>

using namespace bench::uts;

namespace {

tally on_async(const tree& t, const node& n, unsigned levels);

/// Counts the children [first, last) of `parent`.
tally count_children(const tree& t, const node& parent, int first, int last, unsigned levels) {
  if (last - first > 1 && levels > 0) {
    const int middle = first + (last - first) / 2;
    return bench::async_sum(
        [&, middle] { return count_children(t, parent, first, middle, levels - 1); },
        [&, middle] { return count_children(t, parent, middle, last, levels - 1); });
  }
  tally sum;
  for (int i = first; i < last; ++i) sum = sum + on_async(t, child(parent, i), levels);
  return sum;
}

tally on_async(const tree& t, const node& n, unsigned levels) {
  if (levels == 0) return serial(t, n);
  const int children = child_count(t, n);
  return tally{1, children == 0, n.depth} + count_children(t, n, 0, children, levels);
}

}  // namespace

int main(int argc, char** argv) {
  bench::contender me(argc, argv, as("async"));
  bench::async_threads threads(me.workers());
  measure(me, [&](const tree& t) { return on_async(t, root(t), threads.levels()); });
  return me.exit_status();
}
