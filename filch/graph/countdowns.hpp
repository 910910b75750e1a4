#pragma once
#include <filch/base/sync.hpp>
#include <filch/graph/edges.hpp>

#include <cstddef>
#include <cstdint>

namespace filch::inline v0_2::graph {

/// Counts the predecessors of a node that have not ended in this run. Ready for the next run as
/// soon as the last one has arrived. A template, so that the model checkers read the text that
/// ships.
template <class Sync>
class basic_arrivals {
 public:
  /// Before the first run, for `of` predecessors.
  // Relaxed: the run begins by an edge of a queue
  void arm(std::uint32_t of) noexcept { left_.store(of, base::relaxed); }
  /// One of `of` predecessors has ended. Returns true to the last: the node is ready.
  /// Cost: none for a node of one predecessor. The last one makes no read-modify-write.
  bool arrive(std::uint32_t of) noexcept {
    if (of == 1) return true;
    if (left_.load(base::acquire<edge::arrive>) != 1 &&
        left_.fetch_sub(1, base::acq_rel<edge::arrive>) != 1)
      return false;
    // Relaxed: predecessors arrive again only after the node, or the run, has ended
    left_.store(of, base::relaxed);
    return true;
  }

 private:
  /// Writers: the threads that end a predecessor, by RMW, but for the last.
  typename Sync::template atomic<std::uint32_t> left_{0};
};

/// Counts the nodes of a run that have not ended. A template, as above.
template <class Sync>
class basic_unended {
 public:
  // Relaxed, both: the thread that begins the run, or chooses to repeat a loop, counts before any
  // of these nodes can end
  void begin(std::size_t nodes) noexcept { left_.store(nodes, base::relaxed); }
  void add(std::size_t nodes) noexcept { left_.fetch_add(nodes, base::relaxed); }
  /// So many more have ended. Returns true to the last thread, which sees what all have left.
  bool end(std::size_t nodes) noexcept {
    return left_.fetch_sub(nodes, base::acq_rel<edge::end>) == nodes;
  }

 private:
  /// Writers: all threads of the run.
  typename Sync::template atomic<std::size_t> left_{0};
};

using arrivals = basic_arrivals<base::real_sync>;
using unended = basic_unended<base::real_sync>;

}  // namespace filch::graph
