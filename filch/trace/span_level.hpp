#pragma once
#include <filch/event/analysis.hpp>

#include <cstdint>
#include <memory>

namespace filch::inline v0_2::trace {

/// Watches the program while a session at span level lives. This room only asks for one; `span`,
/// which stands above it, defines `begin_span_level`. As pools call it because of FILCH_TRACE, it
/// is in every program that has a pool.
class FILCH_EXPORT span_level {
 public:
  virtual ~span_level() = default;
  /// Stops watching and returns the analysis. Call at most once.
  virtual analysis::result end() = 0;
};

/// Cost:   the first one of a process calibrates for 20 to 50 ms.
/// Throws: `std::bad_alloc`; `std::system_error` if the machine has no memory for a worker.
std::unique_ptr<span_level> begin_span_level();

/// The cost of an unstolen fork on this machine in picoseconds. No record has it, so recordings
/// that count forks carry it. Defined by `span`, as above.
///
/// Cost:   measured once in a process, by its first caller, in 2 to 5 ms.
/// Throws: `std::bad_alloc`; `std::system_error` if the machine has no memory for a worker.
std::uint64_t unstolen_fork_ps();

}  // namespace filch::trace
