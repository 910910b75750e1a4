#pragma once
#include <filch/base/sync.hpp>
#include <filch/co/edges.hpp>

#include <cstddef>

namespace filch::co {

/// Counts those that have not ended yet, the one who waits for them included. Whoever brings it to
/// zero goes on, and sees what all others left. A template, so that the model checkers read the
/// text that ships.
template <class Sync>
class basic_countdown {
 public:
  /// One more. By somebody who is counted: returns how many were, which is not 0.
  // Relaxed: it cannot come to zero meanwhile
  std::size_t add() noexcept { return left_.fetch_add(1, base::relaxed); }
  /// One more, by somebody who was counted and has ended. Returns false when all have: the last of
  /// them goes on.
  bool add_again() noexcept {
    // relaxed: what it leaves to others, and they to it, is a matter of its next end
    std::size_t before = left_.load(base::relaxed);
    while (before != 0 && !left_.compare_exchange(before, before + 1, base::relaxed)) {
    }
    return before != 0;
  }
  /// Zero to who went on.
  // Relaxed: all ends come before that
  std::size_t left() const noexcept { return left_.load(base::relaxed); }
  /// One less, once for each. Returns true to the last.
  bool end_one() noexcept { return left_.fetch_sub(1, base::acq_rel<edge::last_one>) == 1; }

 private:
  /// Writers: all that are counted. Only by RMW.
  typename Sync::template atomic<std::size_t> left_{1};
};

using countdown = basic_countdown<base::real_sync>;

}  // namespace filch::co
