#pragma once
#include <filch/policy/stealing.hpp>
#include <filch/topo/machine.hpp>

#include <span>
#include <vector>

namespace filch::inline v0_2::sched {

/// Which workers share a cache or a node, by the CPUs that they are pinned to.
///
/// Cost: O(n log n) for n CPUs to make, and 24 bytes each; a draw is a few loads.
class neighbourhood {
 public:
  /// For workers that are not pinned: none is a neighbor of another.
  neighbourhood() noexcept = default;
  /// Worker i is on CPU `cpus[i]`, modulo their number. Workers beyond that number have neighbors,
  /// but are drawn as none.
  neighbourhood(const topo::machine& of, std::span<const unsigned> cpus);

  /// Another worker that is no farther away than `within`, or `policy::nobody` if there is none.
  std::uint32_t draw(std::uint32_t worker, policy::reach within,
                     std::uint64_t random) const noexcept;

 private:
  struct range {
    std::uint32_t first = 0;
    std::uint32_t count = 1;
    std::uint32_t end() const noexcept { return first + count; }
  };
  struct place {
    std::uint32_t position = 0;  ///< In `order_`.
    range cache, node;
  };

  /// Workers, those of a node together, in it those of a cache.
  std::vector<std::uint32_t> order_;
  std::vector<place> places_;  ///< By worker.
};

}  // namespace filch::sched
