#pragma once
#include <filch/graph/core.hpp>
#include <filch/sched/worker/worker.hpp>

namespace filch::inline v0_2::graph {

/// Runs ready nodes on one thread: a node, the best of those that it makes ready, and so on. The
/// others it forks, so that thieves can take them; it takes back the youngest when it has no other.
/// No join waits for them: a run counts its nodes.
/// Threads: one, on which it lies on the stack.
class loop {
 public:
  /// To run nodes of `of`.
  explicit loop(const core& of) noexcept;
  loop(const loop&) = delete;
  loop& operator=(const loop&) = delete;

  /// Begins a run, in its floating-point mode. Runs what that makes ready, as long as no thief has
  /// it. The run may be gone when this returns, unless the caller has yet to `leave` it.
  void begin(core& of) noexcept;
  /// Goes on from `queued`, which was made ready by another loop.
  void run(step& queued) noexcept;
  /// `ready` may run, on this thread or another.
  void make_ready(step& ready) noexcept;
  /// Ends `of`, and makes its successors ready but for the best, which it returns, or null.
  step* end(step& of, node_outcome how) noexcept;

  /// The same; queues the best, too.
  void end_and_queue(step& of, node_outcome how) noexcept;
  /// The same for a node that has ended later, on a thread that now does something else: its
  /// successors are queued. The run may be gone when this returns.
  void end_elsewhere(step& of, node_outcome how) noexcept;
  /// The job of a node that waits for a thread or another pool.
  static void run_placed(sched::detached_job* self, sched::detached_job::fate end);

 private:
  void run_from(step* next) noexcept;
  static step* chosen_by(step& queued) noexcept;
  static step& step_of(const node_info& of) noexcept;
  static std::uint32_t index_of(const step& of) noexcept {
    return static_cast<std::uint32_t>(&of - of.home->plan_.steps.get());
  }
  step* execute(step& ready) noexcept;
  step* go_on_with(step& best) noexcept;
  step* take() noexcept;
  step* take_put_aside() noexcept;
  bool fork(step& ready) noexcept;
  void queue(step& ready) noexcept;
  static void submit(step& ready) noexcept;
  void begin_special(step& ready) noexcept;
  void place(step& ready) noexcept;
  void return_limits_of(const step& ended) noexcept;
  void enter(core& of) noexcept;
  void leave() noexcept;

  sched::worker* const me_;  ///< Null on a thread that runs alone.
  queue::fork_entry* const base_;
  core* in_ = nullptr;              ///< The run whose nodes it counts.
  std::size_t ended_nodes_ = 0;     ///< Of that, not told yet.
  std::uint64_t since_ticks_;       ///< The end of the last node.
  bool submits_;                    ///< It does not run what it makes ready.
  node_info* put_aside_ = nullptr;  ///< Ready nodes that found no room on the fork stack.
};

}  // namespace filch::graph
