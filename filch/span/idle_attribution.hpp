#pragma once
#include <filch/span/timeline.hpp>

namespace filch::inline v0_2::span {

/// Idle time, attributed to the code that ran meanwhile: it could have been divided, or could have
/// made more work.
struct idle_attribution {
  std::vector<std::int64_t> of_site_ns;  ///< Indexed as `recording::sites`.
  std::int64_t nobodys_ns = 0;           ///< Nothing ran.

  std::int64_t total_ns() const noexcept;
};

/// Splits the time of every slot that is free, or whose holder has no job, evenly among the workers
/// in jobs at that moment, and books it on their sites. A remainder in nanoseconds goes to the
/// first of them, so none is lost.
///
/// Source: Tallent and Mellor-Crummey, PPoPP 2009. We differ: they sample; here every change of
/// state is known, so the split is exact.
idle_attribution attribute_idleness(const timeline& from, std::size_t site_count);

}  // namespace filch::span
