#pragma once
#include <filch/base/sync.hpp>
#include <filch/co/edges.hpp>

#include <cstddef>

namespace filch::inline v0_2::co {

/// Counts the children that have not ended yet, and the parent that waits for them. Whichever
/// brings it to zero goes on, and sees what all others left. A template, so that the model checkers
/// read the text that ships.
template <class Sync>
class basic_countdown {
 public:
  /// Counts one more. Returns the count before, which is not 0, as the caller is counted.
  // Relaxed: the count cannot reach zero meanwhile
  std::size_t add() noexcept { return left_.fetch_add(1, base::relaxed); }
  /// Counts the caller again, after its `end_one`. Returns false if all have ended: the last one
  /// goes on.
  bool add_again() noexcept {
    // relaxed: its next `end_one` orders what it leaves, and what it sees of others
    std::size_t before = left_.load(base::relaxed);
    while (before != 0 && !left_.compare_exchange(before, before + 1, base::relaxed)) {
    }
    return before != 0;
  }
  /// How many are left: zero for the one that goes on.
  // Relaxed: all calls of `end_one` come before that
  std::size_t left() const noexcept { return left_.load(base::relaxed); }
  /// Counts the caller down, once. Returns true to the last.
  bool end_one() noexcept { return left_.fetch_sub(1, base::acq_rel<edge::last_one>) == 1; }

 private:
  /// Writers: parent and children. Only by RMW.
  typename Sync::template atomic<std::size_t> left_{1};
};

using countdown = basic_countdown<base::real_sync>;

}  // namespace filch::co
