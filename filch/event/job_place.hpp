#pragma once
// Apart from `record.hpp`, as every program that forks includes it.
#include <filch/base/language.hpp>

#include <cstdint>

namespace filch::event {

/// The job that a worker works on from `kind::job_changed` on.
struct job_place {
  std::uint64_t word = 0;  ///< Both, where they stand in the second word of a record.

  /// As `record::amount`; 0: none, or not known.
  constexpr std::uint32_t site() const noexcept {
    return static_cast<std::uint32_t>(word >> 24 & 0xff'ffff);
  }
  /// As `record::other`: how many jobs are under way on its stack.
  constexpr std::uint64_t depth() const noexcept { return word >> 48; }

  /// Of a job that begins in the middle of this one.
  constexpr job_place within(std::uint32_t inner_site) const noexcept {
    return {(depth() + (depth() < deepest ? 1 : 0)) << 48 | std::uint64_t{inner_site} << 24};
  }
  static constexpr std::uint64_t deepest = 0xfffe;
};

}  // namespace filch::event
