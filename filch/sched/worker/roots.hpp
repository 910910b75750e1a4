#pragma once
// The observer of roots, which are the calls by which external threads enter a pool (README.md,
// "Watched threads").
#include <filch/base/atomic.hpp>
#include <filch/base/simulation.hpp>
#include <filch/sched/edges.hpp>
#include <filch/sched/strands.hpp>

namespace filch::inline v0_2::sched {

/// Observes every root, on the root's thread, and every submitted job.
/// Lifetime: to the end of the process, as a thread that has seen it may still call it.
class root_watcher {
 public:
  /// A root begins: sets `current_observer` to the observer of the root.
  virtual void begin_root() noexcept = 0;
  /// The root that began last on this thread has ended: the thread is no longer watched.
  virtual void end_root() noexcept = 0;
  /// A thread that is not watched submits a job.
  virtual void submit() noexcept = 0;

 protected:
  ~root_watcher() = default;
};

/// Begins to watch roots, or ends that if `by` is null.
void watch_roots(root_watcher* by) noexcept;
/// Writers: `watch_roots`; the child of a fork(). Readers: any.
FILCH_EXPORT extern constinit base::atomic<root_watcher*> watcher_of_roots;
/// Null while roots are not watched, which is nearly always.
inline root_watcher* who_watches_roots() noexcept {
  // The deterministic scheduler may switch threads at each access, and records nothing: no access
  // there.
  if constexpr (base::can_simulate) return nullptr;
  return watcher_of_roots.load(base::acquire<edge::enlist>);
}

/// Whether an observer must be told of jobs that this thread submits.
inline bool is_submission_watched() noexcept {
  return current_observer != nullptr || who_watches_roots() != nullptr;
}

}  // namespace filch::sched
