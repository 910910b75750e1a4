#pragma once
#include <filch/span/timeline.hpp>

namespace filch::inline v0_2::span {

/// The idle time of slots that is no fault of the program, in ns, as a processor was lacking.
struct lacking_processors {
  std::int64_t for_slots_ns = 0;  ///< There were more slots than processors.
  /// Another worker of the pool waited for a processor in the middle of its job: by so much the
  /// wait for it would have been shorter.
  std::int64_t for_others_ns = 0;
  std::int64_t for_woken_ns = 0;  ///< A woken worker waited for a processor.

  std::int64_t total_ns() const noexcept { return for_slots_ns + for_others_ns + for_woken_ns; }
};

/// `processors`: as in `event::recording`; 0: not known.
///
/// Cost: as `for_each_moment`.
lacking_processors find_lack(const timeline& from, std::uint64_t processors);

}  // namespace filch::span
