#pragma once
// What `filch-scale` runs: problems that do their work and say what it costs.
#include <cstdint>
#include <functional>
#include <span>
#include <string>

namespace filch::scaling {

/// A workload with its input, ready to run several times.
struct prepared {
  /// Runs it once on `default_pool()`, from a thread outside of the pool.
  std::function<void()> body;
  /// Says what is wrong with the last run; empty if nothing.
  std::function<std::string()> check = [] { return std::string{}; };
  /// Does the same work without the scheduler; null if there is no such thing.
  std::function<void()> serial = nullptr;
  /// Restores the input before a run. Not timed.
  std::function<void()> reset = [] {};
  /// How long the part of the last run took that matters; null: all of it.
  std::function<std::uint64_t()> timed_ns = nullptr;
};

struct workload {
  const char* name;
  const char* purpose;
  const char* size_is;       ///< What the size counts.
  std::uint64_t size;        ///< Of the curves.
  std::uint64_t small_size;  ///< Of the comparison with real runs, and of tests.
  /// What a node takes without the scheduler, unless a run says otherwise. Measured by
  /// `filch-scale-real WORKLOAD --serial` (docs/notes/019).
  double node_ns;
  prepared (*make)(std::uint64_t size);
};

/// All there are, in the order in which they are listed.
std::span<const workload> all_workloads();
/// The one of that name. Throws: `std::invalid_argument` that names the nearest, or all.
const workload& find_workload(const std::string& name);

// Forks
prepared make_fib(std::uint64_t n);
prepared make_uts(std::uint64_t depth);
prepared make_nqueens(std::uint64_t n);
prepared make_skynet(std::uint64_t leaves);
prepared make_integrate(std::uint64_t upper);
prepared make_heat(std::uint64_t side);
// Loops
prepared make_sum(std::uint64_t count);
prepared make_cheap(std::uint64_t count);
prepared make_skewed(std::uint64_t count);
prepared make_sort(std::uint64_t count);
prepared make_scan(std::uint64_t count);
// Tasks
prepared make_spawn(std::uint64_t tasks);
prepared make_channel(std::uint64_t values);
prepared make_mutex(std::uint64_t turns);
// Pools
template <unsigned Threads>
prepared make_submit(std::uint64_t jobs);
prepared make_bursts(std::uint64_t count);
prepared make_few(std::uint64_t jobs);
prepared make_many(std::uint64_t jobs);
prepared make_idle(std::uint64_t milliseconds);
// Small work
prepared make_tree_asleep(std::uint64_t nodes);
prepared make_tree_searching(std::uint64_t nodes);
prepared make_tree_busy(std::uint64_t nodes);
prepared make_loop_asleep(std::uint64_t items);
prepared make_loop_searching(std::uint64_t items);
prepared make_loop_busy(std::uint64_t items);

}  // namespace filch::scaling
