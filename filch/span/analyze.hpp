#pragma once
#include <filch/event/analysis.hpp>
#include <filch/sched/pool.hpp>
#include <filch/sched/strands.hpp>
#include <filch/span/calibration.hpp>

#include <optional>
#include <utility>

namespace filch {

struct analysis_options {
  /// Where the run takes place: algorithms that divide their work by the number of workers ask this
  /// pool. Null: `pool_here()`.
  thread_pool* pool = nullptr;
  /// What is taken off for watching, and taken for steals. Empty: `measured_costs()`.
  std::optional<analysis_costs> costs = {};
  /// Another clock, as tests use. It has the ticks of `costs`. Null: the processor's.
  std::uint64_t (*clock)() noexcept = nullptr;
};

/// True where an analysis watches the calling thread. There nobody steals, so code that does
/// otherwise when it was stolen takes this for a theft; bench/uts/filch.hpp does.
inline bool is_analysed() noexcept { return sched::current_observer != nullptr; }

namespace span {

/// As `filch::analyze`, of `run(environment)`.
analysis analyze_call(void (*run)(void*), void* environment, const analysis_options& options);

}  // namespace span

/// Runs `f` serially on this thread and says how much of it could have run in parallel: work, span,
/// and from which code they come.
///
/// Joins, groups of tasks, loops and algorithms that `f` runs are seen; what it submits, or does in
/// threads of its own, is not.
/// Cost: about 0.15 us for each fork, which is taken off again; the first call of a process
/// calibrates for 20 to 50 ms.
/// Blocks:  until the pool has a free slot, and as `f` does.
/// Threads: any; `f` runs on the calling thread.
/// Throws:  what `f` throws; `std::bad_alloc`.
/// Source: He, Leiserson and Leiserson, "The Cilkview Scalability Analyzer", SPAA 2010. We differ:
/// a fork that does not pay for its
///          steal counts as not stolen (README.md).
/// Example: examples/how_parallel.cpp
template <class F>
analysis analyze(F&& f, const analysis_options& options = {}) {
  auto call = [&f] { std::forward<F>(f)(); };
  return span::analyze_call([](void* self) { (*static_cast<decltype(call)*>(self))(); }, &call,
                            options);
}

}  // namespace filch
