#pragma once
#include <filch/base/language.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace filch::topo {

/// Which thread, for the kernel: numbers come again, also in the same process.
struct thread_id {
  int number = 0;  ///< Zero where threads have none.
  /// When it began, in clock ticks since boot; zero where /proc does not tell.
  std::uint64_t start_ticks = 0;
};
/// Cost: some 10 us. Throws: std::bad_alloc.
thread_id current_thread();

/// Where thread affinity exists at all: Linux. Elsewhere every call below throws
/// `function_not_supported`.
bool has_affinity() noexcept;

/// The CPUs that a thread of this process may run on, sorted; any number of CPUs. New threads
/// inherit those of their creator.
/// Throws: std::system_error naming the thread, `no_such_process` where it has ended.
std::vector<unsigned> affinity_of(const thread_id& thread);

/// The CPUs that the calling thread may run on: to give back later to `set_current_affinity`.
std::vector<unsigned> current_affinity();

/// Lets the calling thread run on `cpus` only. The kernel drops those that are offline or outside
/// the cpuset.
/// Throws: std::system_error naming the CPUs, where none is left or one has a number beyond
/// `max_cpu_number`.
void set_current_affinity(std::span<const unsigned> cpus);

/// Binds the calling thread to one CPU. Throws: std::system_error naming it.
void pin_current_thread(unsigned os_index);

}  // namespace filch::topo
