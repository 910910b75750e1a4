#pragma once
#include <filch/base/sync.hpp>
#include <filch/co/edges.hpp>

#include <cstddef>

namespace filch::co {

/// Counts those that have not ended yet, the one who waits for them included. Whoever brings it to zero goes on, and sees what all others left.
/// A template, so that the model checkers read the text that ships.
template <class Sync>
class basic_countdown {
 public:
  /// One more. By somebody who is counted: returns how many were, which is not 0.
  std::size_t add() noexcept { return left_.fetch_add(1, base::relaxed); }  // relaxed: it cannot come to zero meanwhile
  /// One less, once for each. Returns true to the last.
  bool end_one() noexcept { return left_.fetch_sub(1, base::acq_rel<edge::last_one>) == 1; }

 private:
  typename Sync::template atomic<std::size_t> left_{1};  ///< Writers: all that are counted. Only by RMW.
};

using countdown = basic_countdown<base::real_sync>;

}  // namespace filch::co
