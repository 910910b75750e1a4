#pragma once
// A machine with caches, as figures: what `testing::scale` charges for.
#include <filch/base/language.hpp>

#include <cstdint>
#include <iosfwd>
#include <string>

namespace filch::inline v0_2::testing {

/// A machine of equal cores, and what its memory and its kernel cost. Times are nanoseconds.
///
/// A file has one `key = value` a line, in TOML; each key is the name of a member, and a comment
/// behind the value names the source of the figure. Installed ones are in share/filch/machines.
/// Example: examples/scale.cpp
struct machine {
  std::string name = "machine";
  /// One line: where the figures come from, and how well they fit.
  std::string note;

  // Layout. A core has one hardware thread.
  unsigned nodes = 1;            ///< Memory nodes.
  unsigned caches_per_node = 1;  ///< Groups of cores that share a last-level cache.
  unsigned cores_per_cache = 2;

  // Memory
  double access = 0.4;        ///< An access that hits the core's own cache, and the code around it.
  double modify = 5;          ///< What a read-modify-write of an own line costs in addition.
  double same_cache = 40;     ///< To fetch a line from a core of the same last-level cache.
  double same_node = 90;      ///< From a core of another cache of the node.
  double other_node = 200;    ///< From a core of another node.
  double memory = 90;         ///< From memory.
  double bytes_per_ns = 20;   ///< What the memory of a node delivers.
  double lines_at_once = 10;  ///< Lines that a core fetches at a time from data it walks through.
  double pause = 25;          ///< The pause instruction of a spin loop.
  double clock = 12;          ///< To read the clock.

  // Kernel
  double heavy_fence = 1000;     ///< membarrier, for its caller.
  double heavy_fence_core = 50;  ///< In addition, for its caller, for each core that it interrupts.
  double interrupt = 1000;       ///< For a core that is interrupted.
  double wake = 1500;            ///< A futex wake, for its caller.
  double wake_latency = 10'000;  ///< From a futex wake until the sleeper runs on an idle core.
  double sleep = 1000;           ///< To fall asleep in a futex, or for a time.
  double timer_latency = 50'000;  ///< How much later than requested a sleep for a time ends.
  double context_switch = 1500;   ///< Between two threads of a core.
  double time_slice = 3'000'000;  ///< While other threads wait for the core.
  double start_thread = 15'000;   ///< For its caller, and until the thread runs.

  /// The number of cores.
  unsigned cores() const noexcept { return nodes * caches_per_node * cores_per_cache; }
};

/// Reads a machine file. `source` is its name, for messages.
/// Throws: `std::invalid_argument` with source, line and cause, if a key is unknown, missing or
///         given twice, or a value is no positive number.
machine read_machine(std::istream& from, const std::string& source);
/// Reads the file at `path`. Throws: as above; `std::system_error` that names the file, if it
/// cannot be read.
machine read_machine_file(const std::string& path);

}  // namespace filch::testing
