#pragma once
#include <filch/event/analysis.hpp>

namespace filch {

/// What watching, forking and stealing cost here. Measured once in a process, by its first caller, in 20 to 50 ms.
///
/// Steals need a second processor; where the CPU budget is one, they are taken to cost what they do on a common machine.
/// Throws: `std::bad_alloc`, `std::system_error` where the machine has no memory for a worker.
const analysis_costs& measured_costs();

namespace span {

/// Measures anew.
analysis_costs measure_costs();

}  // namespace span
}  // namespace filch
