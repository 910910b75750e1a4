#pragma once
// Apart from `record.hpp`, as every program that forks includes it.
#include <cstdint>

namespace filch::event {

/// The job that a worker works on from `kind::job_changed` on.
struct job_place {
  std::uint32_t site = 0;   ///< As `record::amount`; 0: none, or not known.
  std::uint16_t depth = 0;  ///< How many jobs are under way on its stack, as `record::other`.

  /// Of a job that begins in the middle of this one.
  constexpr job_place within(std::uint32_t inner_site) const noexcept {
    return {inner_site, static_cast<std::uint16_t>(depth < deepest ? depth + 1 : deepest)};
  }
  static constexpr std::uint16_t deepest = 0xfffe;
};

}  // namespace filch::event
