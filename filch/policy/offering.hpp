#pragma once
#include <filch/base/language.hpp>

#include <cstdint>

namespace filch::policy {

/// Whether an owner offers its oldest private job before anybody has asked. A thief that comes back
/// finds it there; else it waits for an answer, which comes at the owner's next fork, or uses
/// force, which takes 50 us where processors are virtual and disturbs the owner.
///
/// It pays where jobs are long. Where they are short a thief is better off elsewhere, and an owner
/// alone.
class offering {
 public:
  /// Between two: they cost 100 ns each, half a percent.
  static constexpr std::uint64_t least_us = 20;
  /// In a row. A guess: what a tree of 256 leaves makes.
  static constexpr std::uint32_t most_in_vain = 8;

  /// A stolen job took, or has been away for, `us`. Returns whether to offer the next.
  constexpr bool thieves_came(std::uint64_t us) noexcept {
    if (us >= least_us) left_ = most_in_vain;
    return us >= least_us;
  }
  /// The owner has taken back what was public, for `us`. Returns whether to offer another.
  constexpr bool nobody_came(std::uint64_t us) noexcept {
    if (us < least_us || left_ == 0) return false;
    --left_;
    return true;
  }
  /// `nobody_came` says no.
  constexpr bool is_over() const noexcept { return left_ == 0; }

 private:
  std::uint32_t left_ = 0;
};

}  // namespace filch::policy
