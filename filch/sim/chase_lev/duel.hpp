#pragma once
// An owner and a thief at the same deque, one access at a time, and the search through all orders
// of their accesses.
#include <filch/sim/chase_lev/listing.hpp>

#include <functional>
#include <optional>

namespace filch::inline v0_2::sim::chase_lev {

enum sim_thread : std::uint8_t { owner, thief };
inline constexpr int sim_thread_count = 2;
/// "The owner".
const char* name_of(sim_thread who);

/// How far one of the two is.
struct progress {
  std::size_t call_index = 0, line_index = 0;
  registers local;
  store_buffer stores;
  std::vector<int> results;  ///< Of pops and steals, in order.

  auto operator<=>(const progress&) const = default;
};

struct moment {
  shared_words words{};
  std::array<progress, sim_thread_count> threads;

  auto operator<=>(const moment&) const = default;
};

/// One thing that can happen next to a thread: it runs its next line, or one of its stores reaches
/// memory, or a load of a later line takes effect.
struct event {
  sim_thread who;
  std::optional<std::size_t> store = std::nullopt;  ///< Position in the buffer, or none for a line.
  /// Of the line for which the next one may be late.
  bool is_early_load = false;
};

/// The calls of both threads, the deque, and the rules.
struct duel {
  rules how;
  int first_index = 0;         ///< Where top and bottom begin.
  std::vector<int> items;      ///< In the deque at the start, oldest first.
  std::vector<int> leftovers;  ///< Older values in the ring, from slot 0 on.
  std::array<std::vector<call>, sim_thread_count> calls;
  bool stores_are_late = false;  ///< Whether a store may wait in a buffer, or all see it at once.

  moment beginning() const;
  std::vector<event> possible_after(const moment& now) const;
  /// The line of its call that the thread of `next` runs, or would have run next; for an early
  /// load, the line of that load.
  std::size_t line_of(const progress& at, event next) const;
  bool is_over(const moment& now) const { return possible_after(now).empty(); }
  /// Lets `next` happen and returns one sentence about it, which begins with the thread.
  std::string let_happen(moment& now, event next) const;
  /// The fault at the end: an item taken twice, or one that was not in the deque. Empty if there is
  /// none.
  std::string fault_at(const moment& end) const;
};

/// All that can happen, in any order, found by breadth-first search.
struct exploration {
  std::size_t moment_count = 0;  ///< Different ones.
  std::size_t end_count = 0;     ///< Those after which nothing can happen.
  std::size_t fault_count = 0;   ///< Ends at which `fault_at` finds something.
};
exploration explore(const duel& of);
/// A shortest way to an end that `wanted` accepts; empty if there is none.
std::vector<event> shortest_way(const duel& of, const std::function<bool(const moment&)>& wanted);

}  // namespace filch::sim::chase_lev
