#pragma once
// For tests that refuse allocations: `replaced_new_test.cpp` replaces every operator new of a
// program that defines these two. Not under the thread sanitizer, whose own cannot be replaced.

namespace filch::inline v0_2::testing {

/// Before each allocation. Throws: `std::bad_alloc`, which refuses it.
void will_allocate();
/// Before each release of a block.
void will_release() noexcept;

}  // namespace filch::testing
