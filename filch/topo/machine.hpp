#pragma once
#include <filch/base/language.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace filch::inline v0_2::topo {

/// A hardware thread. All numbers but `os_index` are dense, from 0, in the order in which CPUs
/// first show them. Equal numbers mean that a thing is shared, machine-wide.
struct cpu {
  unsigned os_index = 0;  ///< The kernel's number: for `pin_current_thread`.
  unsigned core = 0;
  /// The L3, else the L2, or the core if neither is known.
  unsigned cache = 0;
  unsigned numa_node = 0;
  unsigned package = 0;

  friend bool operator==(const cpu&, const cpu&) = default;
};

/// How near two CPUs are; smaller is nearer.
enum class distance { same_core, same_cache, same_node, anywhere };

constexpr distance distance_between(const cpu& a, const cpu& b) noexcept {
  return a.core == b.core             ? distance::same_core
         : a.cache == b.cache         ? distance::same_cache
         : a.numa_node == b.numa_node ? distance::same_node
                                      : distance::anywhere;
}

/// Of the first CPU; zero for caches that do not exist or are unknown.
struct cache_sizes {
  std::size_t l1_data_bytes = 0;
  std::size_t l2_bytes = 0;
  std::size_t l3_bytes = 0;

  friend bool operator==(const cache_sizes&, const cache_sizes&) = default;
};

/// The online CPUs and what they share. A value: it does not follow CPUs that come and go.
class machine {
 public:
  /// Takes CPUs in any order. Their numbers, except `os_index`, only need to be equal if a thing is
  /// shared.
  machine(std::vector<cpu> cpus, cache_sizes caches, std::string source);

  std::span<const cpu> cpus() const noexcept { return cpus_; }  ///< Sorted by `os_index`.
  /// Returns null if the machine has no such CPU.
  const cpu* find(unsigned os_index) const noexcept;

  unsigned core_count() const noexcept;
  unsigned cache_count() const noexcept;
  unsigned numa_node_count() const noexcept;  ///< Counts nodes that have CPUs.
  unsigned package_count() const noexcept;
  const cache_sizes& caches() const noexcept { return caches_; }
  /// The source of the data: "hwloc", "/sys", "sysconf".
  const std::string& source() const noexcept { return source_; }

  /// Returns the part of the machine with these CPUs, for example the affinity of a thread. Empty
  /// if it has none of them.
  machine only(std::span<const unsigned> os_indices) const;

 private:
  std::vector<cpu> cpus_;
  cache_sizes caches_;
  std::string source_;
};

enum class machine_source {
  automatic,  ///< The first of those below that answers.
  hwloc,      ///< If this build has hwloc; on every system hwloc knows.
  sysfs,      ///< Linux, without any library.
  count,      ///< The number of CPUs online, equally far from each other.
};

/// Reads the machine. `sysfs_root` replaces /sys.
///
/// Cost: on 2 CPUs, with hwloc 1 to 4 ms and 0.7 MiB of resident library; with /sys 0.1 to 0.3 ms
/// and 0.1 MiB.
/// Throws: std::system_error that names the requested source, if that did not answer. `automatic`
/// always answers.
machine read_machine(machine_source source = machine_source::automatic,
                     const std::string& sysfs_root = "/sys");

/// Whether this build can ask hwloc.
bool has_hwloc() noexcept;

}  // namespace filch::topo
