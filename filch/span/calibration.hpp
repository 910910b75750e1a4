#pragma once
#include <filch/event/analysis.hpp>

#include <optional>
#include <vector>

namespace filch::inline v0_2::analysis {

/// The costs of watching, forking and stealing on this machine. Measured once in a process, by the
/// first caller, in 20 to 50 ms.
///
/// Steals need a second processor. If the CPU budget is one, or no thief came, their cost is that
/// of a common machine.
/// Throws: `std::bad_alloc`, `std::system_error` if the machine has no memory for a worker.
FILCH_EXPORT const costs& measured_costs();

}  // namespace filch::analysis

namespace filch::inline v0_2::span {

/// Measures anew.
analysis::costs measure_costs();

/// The times of one steal.
struct steal_times {
  double steal_ns = 0;
  double return_ns = 0;
};
/// The typical times of a steal, from tries of which some may have failed; `usual` if all failed.
steal_times typical(const std::vector<std::optional<steal_times>>& tries, const steal_times& usual);

}  // namespace filch::span

namespace filch::inline v0_2 {

/// As it was called in 0.1.
[[deprecated(
    "use analysis::measured_costs; gone with 0.3")]] inline constexpr auto& measured_costs =
    analysis::measured_costs;

}  // namespace filch
