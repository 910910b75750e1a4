#pragma once
// The prices of the machine that the program runs on.
#include <filch/testing/machine/machine.hpp>
#include <filch/topo/machine.hpp>
#include <tools/cli/machine/samples.hpp>

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace filch::cli {

/// What a machine file needs to know of where the cores are.
struct core_layout {
  explicit core_layout(const topo::machine& of);

  unsigned nodes, caches_per_node, cores_per_cache;
  bool is_regular;  ///< Whether each node has as many caches, and each cache as many cores.
  std::vector<topo::cpu> cores;  ///< One processor of each.
  /// Of the first core's node.
  std::vector<unsigned> first_node;
};

/// The prices of a machine, and beside each how it was measured.
struct measured_machine {
  testing::machine prices;
  std::map<std::string_view, std::string> sources;  ///< By key.
};

/// Measures every price of a machine file.
/// Cost:   some ten seconds, half of them on all processors, and 256 MiB.
/// Throws: `std::system_error` if a thread cannot be bound or started; `std::bad_alloc`.
measured_machine measure_machine(const topo::machine& on);

/// What caches and memory cost, measured from the first core on.
std::vector<probe> memory_probes(const core_layout& of);
/// What calls of the kernel cost.
std::vector<probe> kernel_probes(const core_layout& of);

/// How many accesses to shared memory `testing::scale` counts for a fork and its join that no
/// thread disturbs. Checked by accesses_test.cpp.
inline constexpr double accesses_per_join = 7;

}  // namespace filch::cli
