#pragma once
#include <filch/base/language.hpp>

#include <cstdint>

namespace filch::inline v0_2::policy {

/// What it costs to move work, in nanoseconds. Each figure stands here and nowhere else.
struct cost {
  /// A wake takes the waker and the woken thread so long together.
  static constexpr std::uint64_t wake = 40'000;
  /// A slot is given away and taken back.
  static constexpr std::uint64_t hand_over = 10'000;
  /// A fork is stolen: owner and thief together.
  static constexpr std::uint64_t steal_fork = 2'000;
  /// A job of a ready queue is stolen: some cache lines of owner and thief.
  static constexpr std::uint64_t steal_ready = 500;
};

}  // namespace filch::policy
