#pragma once
#include <filch/base/language.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace filch::inline v0_2::topo {

/// Identifies a thread to the kernel. Numbers are reused, even in one process.
struct thread_id {
  int number = 0;  ///< Zero on systems that do not number threads.
  /// When it began, in clock ticks since boot; zero if /proc does not tell.
  std::uint64_t start_ticks = 0;
};
/// Cost: about 10 us. Throws: std::bad_alloc.
thread_id current_thread();

/// Whether thread affinity exists: only on Linux. Elsewhere every call below throws
/// `function_not_supported`.
bool has_affinity() noexcept;

/// Returns the CPUs that a thread of this process may run on, sorted; any number of CPUs. New
/// threads inherit those of their creator.
/// Throws: std::system_error that names the thread, `no_such_process` if it has ended.
std::vector<unsigned> affinity_of(const thread_id& thread);

/// Returns the CPUs that the calling thread may run on, to restore them later by
/// `set_current_affinity`.
std::vector<unsigned> current_affinity();

/// Restricts the calling thread to `cpus`. The kernel drops those that are offline or outside the
/// cpuset.
/// Throws: std::system_error that names the CPUs, if none is left or one has a number beyond
/// `max_cpu_number`.
void set_current_affinity(std::span<const unsigned> cpus);

/// Binds the calling thread to one CPU. Throws: std::system_error that names it.
void pin_current_thread(unsigned os_index);

}  // namespace filch::topo
