#pragma once
// The seam between a computation and the scheduler that runs it. A computation is a tree: running a
// job may spawn more jobs, no job waits for another, and it is over when every job has run.
// All schedulers of this room meet here.
#include <filch/base/cache_line.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

namespace filch::compare {

class worker;

/// A unit of work as every scheduler carries it: what to call, for which computation, and a few
/// words about where in the tree.
struct job {
  using code = void (*)(const job&, worker&) noexcept;
  static constexpr std::size_t payload_bytes = 40;

  code run;
  void* computation;
  alignas(8) std::byte payload[payload_bytes];
  unsigned spawner;  ///< Index of the worker that spawned it.

  template <class Node>
  static job make(code run, void* computation, const Node& node, unsigned spawner) noexcept {
    static_assert(std::is_trivially_copyable_v<Node> && sizeof(Node) <= payload_bytes &&
                  alignof(Node) <= 8);
    job made;
    made.run = run;
    made.computation = computation;
    std::memcpy(made.payload, &node, sizeof(Node));
    made.spawner = spawner;
    return made;
  }
  template <class Node>
  Node node() const noexcept {
    static_assert(std::is_trivially_copyable_v<Node>);
    Node copy;
    std::memcpy(&copy, payload, sizeof(Node));
    return copy;
  }
};
static_assert(sizeof(job) == 64, "a job fills one cache line of most machines");

/// What one worker did in a round. Writer: that worker; read when the round is over.
struct alignas(base::cache_line_bytes) tally {
  std::uint64_t jobs_run = 0;
  std::uint64_t jobs_moved = 0;  ///< Of these, the ones that another worker spawned.
};

/// What a running job sees of its scheduler.
class worker {
 public:
  worker(unsigned index, tally& counts) noexcept : index_{index}, tally_{counts} {}
  virtual ~worker() = default;
  worker(const worker&) = delete;
  worker& operator=(const worker&) = delete;

  /// Makes `child` part of the computation; it runs some time later, on some worker.
  virtual void spawn(const job& child) = 0;

  /// Runs `next` on this worker and counts it.
  void run(const job& next) noexcept {
    ++tally_.jobs_run;
    tally_.jobs_moved += next.spawner != index_ ? 1 : 0;
    next.run(next, *this);
  }
  unsigned index() const noexcept { return index_; }

 private:
  const unsigned index_;
  tally& tally_;
};

/// A way to run trees of jobs on several workers.
class scheduler {
 public:
  virtual ~scheduler() = default;
  scheduler(const scheduler&) = delete;
  scheduler& operator=(const scheduler&) = delete;

  /// Runs `root` and all that it spawns.
  ///
  /// Blocks:  until every job has run.
  /// Threads: one caller at a time, from outside.
  /// Throws:  nothing; a job that throws, or no memory for another, ends the program.
  void run(const job& root) noexcept { run_tree(root); }

  /// What each worker has done since `clear_tallies`; a worker's `index()` is its place here.
  const std::vector<tally>& tallies() const noexcept { return tallies_; }
  void clear_tallies() noexcept { std::ranges::fill(tallies_, tally{}); }
  /// All workers' indices are below this. More than the width if a scheduler keeps spare
  /// threads.
  unsigned worker_capacity() const noexcept { return static_cast<unsigned>(tallies_.size()); }

 protected:
  explicit scheduler(unsigned worker_capacity) : tallies_(worker_capacity) {}
  tally& tally_of(unsigned index) noexcept { return tallies_[index]; }

 private:
  virtual void run_tree(const job& root) = 0;
  std::vector<tally> tallies_;
};

}  // namespace filch::compare
