#pragma once
#include <filch/base/language.hpp>

namespace filch::policy {

/// Whether the first thing that a look at a source runs is taken for all there is.
///
/// A reactor says that nothing more is there only when it is asked again, by a call of the kernel
/// that takes as long as what it has run. Where there was always one thing, looks end with that;
/// now and then one goes on to the end, to see whether it is still so.
class lone_arrivals {
 public:
  /// So many whole looks have found one each; then so many go by until the next whole one.
  static constexpr int in_a_row = 16;

  constexpr bool are_usual() const noexcept { return looks_ >= in_a_row; }
  /// What a look has run, together with the sleep before it. A look in vain says nothing.
  constexpr void came(int count) noexcept {
    if (count > 1) looks_ = 0;
    if (count == 1 && ++looks_ == 2 * in_a_row) looks_ = in_a_row - 1;
  }

 private:
  int looks_ = 0;  ///< In a row, of one each.
};

}  // namespace filch::policy
