#pragma once
// Not in `record.hpp`, as every program that forks includes this header.
#include <filch/base/language.hpp>

#include <cstdint>

namespace filch::inline v0_2::event {

/// The job that a worker is in after a `kind::job_changed`.
struct job_place {
  std::uint64_t word = 0;  ///< Site and depth, at their bits in the second word of a record.

  /// As `record::amount`; 0: none, or not known.
  constexpr std::uint32_t site() const noexcept {
    return static_cast<std::uint32_t>(word >> 24 & 0xff'ffff);
  }
  /// As `record::other`: how many jobs are under way on its stack.
  constexpr std::uint64_t depth() const noexcept { return word >> 48; }

  /// The place of a job that begins inside this one.
  constexpr job_place within(std::uint32_t inner_site) const noexcept {
    return {(depth() + (depth() < deepest ? 1 : 0)) << 48 | std::uint64_t{inner_site} << 24};
  }
  static constexpr std::uint64_t deepest = 0xfffe;
};

}  // namespace filch::event
