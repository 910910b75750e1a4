#pragma once
#include <filch/policy/priority.hpp>

namespace filch::policy {

/// Who is next where jobs of several priorities wait: so that none starves, every so many that went
/// before are followed by one that waited behind them. Both figures are guesses.
class turns {
 public:
  static constexpr unsigned high_in_a_row = 16;
  static constexpr unsigned before_background = 64;

  constexpr void begins(priority which) noexcept {
    high_ = which == priority::high ? high_ + 1 : 0;
    others_ = which == priority::background ? 0 : others_ + 1;
  }
  /// True: look for one of normal priority first. Where none waited, the high ones have as many
  /// turns again.
  constexpr bool is_normals() noexcept { return take_turn(high_, high_in_a_row); }
  /// True: look for a background one first; else as above.
  constexpr bool is_backgrounds() noexcept { return take_turn(others_, before_background); }

 private:
  static constexpr bool take_turn(unsigned& passed, unsigned most) noexcept {
    if (passed < most) return false;
    passed = 0;
    return true;
  }
  unsigned high_ = 0;    ///< Begun since the last one of another priority.
  unsigned others_ = 0;  ///< Begun since the last background one.
};

}  // namespace filch::policy
