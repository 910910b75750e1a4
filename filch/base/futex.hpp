#pragma once
// The kernel's wait-on-address call, and what stands in for it where there is none.
#include <filch/base/atomic.hpp>

#include <cstdint>

namespace filch::base {

/// Sleeps while `word` holds `expected`. May return early for no reason: the caller looks at `word` again.
void futex_wait(atomic<std::uint32_t>& word, std::uint32_t expected) noexcept;

/// As `futex_wait`, for at most `nanoseconds`. Returns false when the time ran out.
bool futex_wait_for(atomic<std::uint32_t>& word, std::uint32_t expected, std::uint64_t nanoseconds) noexcept;

/// Wakes one sleeper on `word`, if any. `word` may already be freed: the address alone is used.
void futex_wake_one(atomic<std::uint32_t>& word) noexcept;

}  // namespace filch::base
