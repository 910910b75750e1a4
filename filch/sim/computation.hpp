#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace filch::inline v0_2::sim {

using task_id = std::uint32_t;
inline constexpr task_id no_task = ~task_id{0};

/// A part of a program that one worker runs from begin to end.
struct task {
  std::string name;
  std::uint32_t ticks = 1;
  task_id parent = no_task;       ///< The task that forks it, or precedes it in its function.
  std::vector<task_id> children;  ///< Forked when it ends.
  task_id next = no_task;         ///< What follows it in the same function.
  std::uint32_t awaited = 0;      ///< How many tasks must end before it may run.

  /// Whether it follows a join: then it waits for forked tasks as well as for the one before it.
  bool is_join() const noexcept { return awaited > 1; }
};

/// The tasks of one run of a program and what each waits for. A task has a higher number than all
/// tasks that it waits for.
class computation {
 public:
  explicit computation(std::vector<task> tasks);

  const std::vector<task>& tasks() const noexcept { return tasks_; }
  const task& operator[](task_id id) const noexcept { return tasks_[id]; }
  std::uint32_t task_count() const noexcept { return static_cast<std::uint32_t>(tasks_.size()); }
  /// Whether a fork here leaves a continuation, so that it matters whether a thief takes that or
  /// the child.
  bool has_continuations() const noexcept;
  /// Ticks on one worker that loses none, and on infinitely many.
  std::uint64_t work() const noexcept;
  std::uint64_t span() const;

 private:
  std::vector<task> tasks_;
};

/// A binary tree of `levels` levels: 2^levels - 1 equal tasks.
computation balanced_tree(std::uint32_t levels, std::uint32_t ticks);
/// A tree as a quicksort with bad pivots makes it: a task of n > 1 items forks one of 3n/4 and one
/// of n/4, at least one.
computation skewed_tree(std::uint32_t items, std::uint32_t ticks);
/// A loop over `iterations`, a power of two, halved down to single ones; iteration i takes i + 1
/// ticks, a halving one.
computation growing_loop(std::uint32_t iterations);
/// The function f forks g1, g2 and g3, calls h, and joins.
computation fork_join_function();

/// The worker of each task in a plan made in advance. The tree is cut into at least as many
/// subtrees as there are workers, without measuring them, and each worker gets the same number of
/// subtrees.
std::vector<std::uint32_t> static_plan(const computation& what, std::uint32_t worker_count);

}  // namespace filch::sim
