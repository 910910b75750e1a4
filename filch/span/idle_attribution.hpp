#pragma once
#include <filch/span/timeline.hpp>

namespace filch::span {

/// Whose fault idleness is: what ran meanwhile could have been divided, or could have made more to
/// do.
struct idle_attribution {
  std::vector<std::int64_t> of_site_ns;  ///< Indexed as `recording::sites`.
  std::int64_t nobodys_ns = 0;           ///< Nothing ran.

  std::int64_t total_ns() const noexcept;
};

/// Splits the time of every slot that is free, or whose holder has no job, evenly among those that
/// work at that moment, and books it on their sites. Nanoseconds that do not divide go to the first
/// of them, so nothing gets lost.
///
/// Source: Tallent and Mellor-Crummey, PPoPP 2009. We differ: they sample; here every change of
/// state is known, so the split is exact.
idle_attribution blame_idleness(const timeline& from, std::size_t site_count);

}  // namespace filch::span
