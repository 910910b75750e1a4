#pragma once
// The Chase-Lev deque as numbered lines that can be run one at a time, each with at most one access
// to shared memory.
#include <filch/sim/chase_lev/memory.hpp>

#include <span>

namespace filch::inline v0_2::sim::chase_lev {

/// The parts of the algorithm that can be left out, to see what happens.
struct rules {
  /// The owner claims the last item by compare-and-swap, as a thief does.
  bool last_item_is_claimed = true;
  bool push_releases = true;   ///< A push makes its item visible before the new bottom.
  bool pop_is_ordered = true;  ///< A pop makes the new bottom visible before it looks at top.
  bool steal_acquires = true;  ///< A steal looks at bottom before it reads the item.
};

enum class operation : std::uint8_t { push, pop, steal };

struct call {
  operation what;
  int item = 0;  ///< The item of a push.
  auto operator<=>(const call&) const = default;
};

/// The result of a call; items are positive.
enum outcome : int { nothing = 0, was_empty = -1, lost_race = -2 };

struct registers {
  int b = 0, t = 0, item = 0;
  bool won = false;
  bool has_read_early = false;  ///< `item`, by a line that another one was to precede.
  auto operator<=>(const registers&) const = default;
};

/// Where a line leads: to the one after it, or out of the call.
struct effect {
  bool returns = false;
  int result = nothing;
  std::string sentence = {};  ///< What happened, without the thread: "reads top: 2".
};

struct line {
  const char* text;
  effect (*run)(view shared, registers& mine, const rules& how);
  /// A line further down whose load may take effect before this one, as nothing orders the two; 0:
  /// none.
  std::size_t may_be_late_for = 0;
};

/// The lines of an operation under `how`.
std::span<const line> listing_of(operation what, const rules& how);
/// "pop"
const char* name_of(operation what);
/// "A" for 1, and so on; also a text for each `outcome`.
std::string item_name(int item);

}  // namespace filch::sim::chase_lev
