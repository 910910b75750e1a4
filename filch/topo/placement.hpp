#pragma once
#include <filch/topo/machine.hpp>
#include <filch/topo/pinning.hpp>

#include <vector>

namespace filch::inline v0_2::topo {

/// Chooses the CPU of each worker: `result[i]` is the `os_index` for worker i. Empty for
/// `pinning::none` or an empty machine.
///
/// Both kinds give every core one worker before any core gets a second, and start again if there
/// are more workers than CPUs. `compact` takes neighbors in turn: it fills a cache, then a node,
/// then a package. `spread` deals workers out over the packages, then over their nodes, then over
/// the caches of each. Pass `machine.only(current_affinity())`: a worker pinned outside the
/// affinity mask would use CPUs that the user excluded.
std::vector<unsigned> placement(const machine& machine, pinning kind, unsigned worker_count);

}  // namespace filch::topo
