#pragma once
// The heap of simulated threads: `operator new` and `delete` of every program that links the
// explorer.
#include <cstddef>

namespace filch::inline v0_2::testing {

/// While true, `operator new` allocates from the simulated heap. Executions that make the same
/// choices get the same addresses. No address is used twice, so that a use of a dead object is
/// seen.
extern bool allocates_simulated;

/// Leaves the simulated program for the checker, whose own memory is ordinary.
class checker_scope {
 public:
  checker_scope() noexcept : was_simulated_{allocates_simulated} { allocates_simulated = false; }
  ~checker_scope() { allocates_simulated = was_simulated_; }
  checker_scope(const checker_scope&) = delete;
  checker_scope& operator=(const checker_scope&) = delete;

 private:
  bool was_simulated_;
};

/// Empties the simulated heap.
void restart_heap() noexcept;
/// The thread whose part of the heap allocations come from.
void allocate_for(unsigned thread) noexcept;
/// Called before every simulated allocation; true makes it fail. Null: none fails.
extern bool (*allocation_fails)();
/// Called with a block that is freed twice.
extern void (*double_free_found)();

}  // namespace filch::testing
