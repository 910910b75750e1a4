#pragma once
#include <filch/span/observation.hpp>

namespace filch::inline v0_2::span {

/// The code to which most of the idle time of slots belongs.
struct serial_part {
  std::uint32_t site = 0;  ///< 0: no site is known.
  /// What ran alone is no job of the site, but came before its jobs.
  bool is_before = false;
};

/// Cost: as `for_each_moment`.
serial_part find_serial_part(const observation& seen);

}  // namespace filch::span
