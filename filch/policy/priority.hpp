#pragma once
#include <filch/policy/adaptive.hpp>

namespace filch::inline v0_2 {

/// In which order a pool's workers begin what was submitted or spawned, and go on with tasks that
/// waited: first in first out among those of one priority.
///
/// A running job is never interrupted. Forks have no priority: they belong to the job that forked
/// them. So `high` waits until a worker ends its job, which takes long if all workers run long
/// jobs. A sleep that has ended goes before ready jobs, unless its task is `background`.
enum class priority : unsigned char {
  high,    ///< Before all others, except one of `normal` after every 16 in a row.
  normal,  ///< Not delayed by forks: workers look here before they steal forks.
  /// When there is no other work, forks included, or after every 64 jobs that went before.
  background,
};

}  // namespace filch

namespace filch::inline v0_2::policy {

/// Which job is next if jobs of several priorities wait. None starves: after so many jobs that went
/// before, one that waited behind them has its turn. Both numbers are guesses.
class priority_rotation {
 public:
  using high_in_a_row = streak<16>;
  using before_background = streak<64>;

  constexpr void begins(priority which) noexcept {
    which == priority::high ? static_cast<void>(high_.extend()) : high_.end();
    which == priority::background ? others_.end() : static_cast<void>(others_.extend());
  }
  /// True: look for a job of normal priority first. If none waits, the high ones have as many turns
  /// again.
  constexpr bool is_normals() noexcept { return take_turn(high_); }
  /// True: look for a background job first; else as above.
  constexpr bool is_backgrounds() noexcept { return take_turn(others_); }

 private:
  template <class Streak>
  static constexpr bool take_turn(Streak& passed) noexcept {
    if (!passed.is_full()) return false;
    passed.end();
    return true;
  }
  high_in_a_row high_;        ///< Jobs begun since the last one of another priority.
  before_background others_;  ///< Jobs begun since the last background one.
};

}  // namespace filch::policy
