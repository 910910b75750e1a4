#pragma once
#include <filch/event/analysis.hpp>

#include <optional>
#include <vector>

namespace filch {

/// What watching, forking and stealing cost here. Measured once in a process, by its first caller,
/// in 20 to 50 ms.
///
/// Steals need a second processor; where the CPU budget is one, or nobody came to steal, they are
/// taken to cost what they do on a common machine.
/// Throws: `std::bad_alloc`, `std::system_error` where the machine has no memory for a worker.
const analysis_costs& measured_costs();

namespace span {

/// Measures anew.
analysis_costs measure_costs();

/// What one steal took.
struct steal_times {
  double steal_ns = 0;
  double return_ns = 0;
};
/// Of tries to have a job stolen, of which some may have failed, what a steal usually takes;
/// `usual` where all failed.
steal_times typical(const std::vector<std::optional<steal_times>>& tries, const steal_times& usual);

}  // namespace span
}  // namespace filch
