#pragma once
#include <bench/declared_work.hpp>
#include <bench/uts/problem.hpp>
#include <filch/analyze.hpp>
#include <filch/filch.hpp>

namespace bench::uts {

// Sums are built in place: what is not a result of a join does not lie on the stack once per level,
// and T3L has 17,844 levels.
inline void count_subtree(const tree& t, const node& n, tally& sum);

/// Counts the children of `parent` from `next` on. A thief that comes by takes all that are left;
/// if none does, the right side of the join has nothing to do and this loop goes on. So a level
/// costs one join on the stack, however many children.
inline void count_children(const tree& t, const node& parent, int next, int count, tally& sum) {
  for (; next < count - 1; ++next) {
    const unsigned me = filch::worker_index();
    tally stolen;
    filch::join([&] { count_subtree(t, child(parent, next), sum); },
                [&] {
                  if (filch::worker_index() != me || filch::analysis::is_running())
                    count_children(t, parent, next + 1, count, stolen);
                });
    if (stolen.nodes > 0) {
      sum = sum + stolen;
      return;
    }
  }
  if (next < count) count_subtree(t, child(parent, next), sum);
}

/// Adds the subtree below and with `n` to `sum`.
inline void count_subtree(const tree& t, const node& n, tally& sum) {
  declare_work();
  const int children = child_count(t, n);
  sum = sum + tally{1, children == 0, n.depth};
  count_children(t, n, 0, children, sum);
}

inline tally on_filch(const tree& t) {
  tally sum;
  count_subtree(t, root(t), sum);
  return sum;
}

}  // namespace bench::uts
