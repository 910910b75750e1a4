#pragma once
#include <filch/event/analysis.hpp>

#include <cstdint>
#include <memory>

namespace filch::trace {

/// What watches the program while a session at span level lives. How that is done is no business of
/// this room: it asks for one, and `span`, which stands above it, defines the function. As pools
/// call it by way of FILCH_TRACE, it is in every program that has one.
class span_level {
 public:
  virtual ~span_level() = default;
  /// Stops, and says what was found. Once.
  virtual analysis end() = 0;
};

/// Cost:   the first one of a process calibrates for 20 to 50 ms.
/// Throws: `std::bad_alloc`; `std::system_error` where the machine has no memory for a worker.
std::unique_ptr<span_level> begin_span_level();

/// What a fork that nobody steals takes on this machine, in picoseconds, as no record tells:
/// recordings that count forks carry it. Defined by `span`, as above.
///
/// Cost:   measured once in a process, by its first caller, in 2 to 5 ms.
/// Throws: `std::bad_alloc`; `std::system_error` where the machine has no memory for a worker.
std::uint64_t unstolen_fork_ps();

}  // namespace filch::trace
