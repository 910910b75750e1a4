#pragma once
#include <cstdint>

namespace filch::policy {

/// What a producer sees when it has published a job.
struct idle_view {
  std::uint32_t searching;   ///< Workers that are looking for work right now.
  std::uint32_t free_slots;  ///< Slots that nobody holds.
};

/// Whether a producer wakes somebody: not if a searcher will find the job, not if everybody runs already.
constexpr bool wakes_somebody(idle_view idle) noexcept { return idle.searching == 0 && idle.free_slots > 0; }

/// Whether one more worker may search: at most half of those that are busy, and always one.
constexpr bool may_search(std::uint32_t searching, std::uint32_t busy) noexcept { return searching == 0 || 2 * searching < busy; }

static_assert(!wakes_somebody({.searching = 1, .free_slots = 3}));
static_assert(wakes_somebody({.searching = 0, .free_slots = 1}));
static_assert(may_search(0, 0) && may_search(1, 3) && !may_search(2, 4));

}  // namespace filch::policy
