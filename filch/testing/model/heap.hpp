#pragma once
// The heap of simulated threads: `operator new` and `delete` of every program that links the
// explorer.
#include <cstddef>

namespace filch::testing {

/// While true, `operator new` takes from the simulated heap: memory there is given out at the same
/// addresses in every execution that goes the same way, and is never used twice, so that a use of a
/// dead object is seen and not overwritten.
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
/// Whose share of the heap allocations come from.
void allocate_for(unsigned thread) noexcept;
/// Asked before every simulated allocation; true makes it fail. Null: none fails.
extern bool (*allocation_fails)();
/// Told of a block that is freed twice.
extern void (*double_free_found)();

}  // namespace filch::testing
