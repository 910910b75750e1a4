#pragma once
// How many edges each vertex of a random graph is from one of them, level by level: loops of very
// unequal length over vertices of very unequal degree. From above only: the first worker that finds
// a vertex writes its level.
// Source: the loop and the queue of each thread are those of the GAP benchmark suite (Beamer,
// Asanović and Patterson, 2015), without its steps from below.
#include <bench/rmat/graph.hpp>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace bench::bfs {

using rmat::graph, rmat::vertex;

inline constexpr std::uint32_t unseen = std::numeric_limits<std::uint32_t>::max();

/// Where searches begin: the vertex with the most neighbors, as an isolated one would end at once.
inline vertex source_of(const graph& g) noexcept {
  vertex best = 0;
  for (vertex v = 1; v < g.size(); ++v) {
    if (g.neighbours(v).size() > g.neighbours(best).size()) best = v;
  }
  return best;
}

/// Distances by the textbook's queue, without any atomic operation.
inline std::vector<std::uint32_t> serial(const graph& g, vertex source) {
  std::vector<std::uint32_t> distance(g.size(), unseen);
  std::vector<vertex> queue{source};
  queue.reserve(g.size());
  distance[source] = 0;
  for (std::size_t next = 0; next < queue.size(); ++next) {
    for (const vertex to : g.neighbours(queue[next])) {
      if (distance[to] != unseen) continue;
      distance[to] = distance[queue[next]] + 1;
      queue.push_back(to);
    }
  }
  return distance;
}

/// The vertices of one level, to which many workers add at once. Relaxed throughout: the loop that
/// fills it ends before any thread reads it.
class frontier {
 public:
  explicit frontier(std::size_t capacity) : vertices_(capacity) {}

  void append(const vertex* first, std::size_t count) noexcept {
    std::copy_n(first, count, vertices_.data() + size_.fetch_add(count, std::memory_order_relaxed));
  }
  void clear() noexcept { size_.store(0, std::memory_order_relaxed); }
  std::size_t size() const noexcept { return size_.load(std::memory_order_relaxed); }
  vertex operator[](std::size_t i) const noexcept { return vertices_[i]; }

 private:
  std::vector<vertex> vertices_;
  /// Writers: all in the loop of a level. Readers: between loops.
  std::atomic<std::size_t> size_{0};
};

/// What one chunk of a loop has found and not yet handed on.
class found_here {
 public:
  explicit found_here(frontier& next) : next_{next} {}
  found_here(const found_here&) = delete;
  found_here& operator=(const found_here&) = delete;
  ~found_here() { flush(); }

  void add(vertex v) noexcept {
    if (count_ == capacity) flush();
    some_[count_++] = v;
  }

 private:
  static constexpr std::size_t capacity = 256;
  void flush() noexcept {
    if (count_ > 0) next_.append(some_, count_);
    count_ = 0;
  }

  frontier& next_;
  std::size_t count_ = 0;
  vertex some_[capacity];
};

/// Gives `level` to the neighbors of `v` that have none. Relaxed: all workers that race for a mark
/// write the same value.
inline void visit(const graph& g, vertex v, std::uint32_t level,
                  std::vector<std::uint32_t>& distance, found_here& found) noexcept {
  for (const vertex to : g.neighbours(v)) {
    const std::atomic_ref<std::uint32_t> mark{distance[to]};
    std::uint32_t expected = unseen;
    if (mark.load(std::memory_order_relaxed) == unseen &&
        mark.compare_exchange_strong(expected, level, std::memory_order_relaxed))
      found.add(to);
  }
}

/// Distances by `loop(count, body)`, which must call `body(first, last)` for chunks that cover [0,
/// count), possibly in parallel.
/// Cost: work O(vertices + edges); as many loops as the graph has levels.
template <class Loop>
std::vector<std::uint32_t> by_levels(const graph& g, vertex source, const Loop& loop) {
  std::vector<std::uint32_t> distance(g.size(), unseen);
  frontier now{g.size()}, next{g.size()};
  frontier *here = &now, *there = &next;
  distance[source] = 0;
  here->append(&source, 1);
  for (std::uint32_t level = 1; here->size() > 0; ++level) {
    there->clear();
    loop(here->size(), [&, here, there](std::size_t first, std::size_t last) {
      found_here found{*there};
      for (std::size_t i = first; i < last; ++i) visit(g, (*here)[i], level, distance, found);
    });
    std::swap(here, there);
  }
  return distance;
}

/// Says which distance is not the serial one; empty when all are.
inline std::string check(const std::vector<std::uint32_t>& expected,
                         const std::vector<std::uint32_t>& distance) {
  if (distance.size() != expected.size())
    return "there are " + std::to_string(distance.size()) + " distances, not " +
           std::to_string(expected.size());
  const auto wrong = std::ranges::mismatch(distance, expected);
  if (wrong.in1 == distance.end()) return {};
  return "vertex " + std::to_string(wrong.in1 - distance.begin()) + " is " +
         std::to_string(*wrong.in2) + " edges away, not " + std::to_string(*wrong.in1);
}

}  // namespace bench::bfs
