#pragma once
#include <filch/event/analysis.hpp>
#include <filch/sched/pool/pool.hpp>
#include <filch/sched/strands.hpp>
#include <filch/span/calibration.hpp>

#include <optional>
#include <utility>

namespace filch::inline v0_2::analysis {

/// The options of `filch::analyze`.
struct options {
  /// The pool that the run belongs to: algorithms that divide their work by the number of workers
  /// ask it. Its workers need not be started, so it may have 1,024. Null: `pool_here()`.
  thread_pool* pool = nullptr;
  /// The costs of watching, which are subtracted, and of steals. Empty: `measured_costs()`.
  std::optional<analysis::costs> costs = {};
  /// Another clock, for tests, with the ticks of `costs`. Null: the processor's.
  std::uint64_t (*clock)() noexcept = nullptr;
};

/// Whether an analysis watches the calling thread. No thief steals there, so code that behaves
/// differently after a steal should treat this as one; bench/uts/filch.hpp does.
inline bool is_running() noexcept { return sched::current_observer != nullptr; }

}  // namespace filch::analysis

namespace filch::inline v0_2::span {

/// As `filch::analyze`, of `run(environment)`.
FILCH_EXPORT analysis::result analyze_call(void (*run)(void*), void* environment,
                                           const analysis::options& options);

}  // namespace filch::span

namespace filch::inline v0_2 {

/// Runs `f` serially on this thread and returns how much of it could have run in parallel: work,
/// span, and the code that they come from.
///
/// It sees the joins, task groups, loops and algorithms of `f`. It does not see what `f` submits,
/// or runs in its own threads.
/// Cost:    about 0.15 us for each fork, which is subtracted again; the first call of a process
///          calibrates for 20 to 50 ms.
/// Blocks:  until the pool has a free slot, and as `f` does.
/// Threads: any; `f` runs on the calling thread.
/// Throws:  what `f` throws; `std::bad_alloc`.
/// Source:  He, Leiserson and Leiserson, "The Cilkview Scalability Analyzer", SPAA 2010. We differ:
///          a fork that does not pay for its steal counts as not stolen (README.md).
/// Example: examples/how_parallel.cpp
template <class F>
analysis::result analyze(F&& f, const analysis::options& options = {}) {
  auto call = [&f] { std::forward<F>(f)(); };
  return span::analyze_call([](void* self) { (*static_cast<decltype(call)*>(self))(); }, &call,
                            options);
}

/// As they were called in 0.1.
using analysis_options [[deprecated("use analysis::options; gone with 0.3")]] = analysis::options;
[[deprecated("use analysis::is_running; gone with 0.3")]] inline constexpr auto& is_analysed =
    analysis::is_running;

}  // namespace filch
