#pragma once
// Who watches roots, the calls by which threads from outside every pool enter one (README.md,
// "Watched threads").
#include <filch/base/atomic.hpp>
#include <filch/base/simulation.hpp>
#include <filch/sched/edges.hpp>
#include <filch/sched/strands.hpp>

namespace filch::sched {

/// Is told of every root, on its own thread, and of every submitted job.
/// Lifetime: to the end of the process, as who has seen it may still call it.
class root_watcher {
 public:
  /// A root begins: who watches it from here on is to be `current_observer`.
  virtual void begin_root() noexcept = 0;
  /// The root that began last on this thread is over: nobody watches the thread any more.
  virtual void end_root() noexcept = 0;
  /// A thread that nobody watches submits a job.
  virtual void submit() noexcept = 0;

 protected:
  ~root_watcher() = default;
};

/// From now on, or from no more where `by` is null.
void watch_roots(root_watcher* by) noexcept;
/// Writers: who watches; the child of a fork(). Readers: any.
extern constinit base::atomic<root_watcher*> watcher_of_roots;
/// Null while nobody does, which is nearly always.
inline root_watcher* who_watches_roots() noexcept {
  // The deterministic scheduler takes every access for a place to switch threads: there nobody
  // records, and nobody looks.
  if constexpr (base::can_simulate) return nullptr;
  return watcher_of_roots.load(base::acquire<edge::enlist>);
}

/// Whether somebody wants to be told of what this thread submits.
inline bool is_submission_watched() noexcept {
  return current_observer != nullptr || who_watches_roots() != nullptr;
}

}  // namespace filch::sched
