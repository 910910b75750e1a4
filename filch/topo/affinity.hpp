#pragma once
#include <span>
#include <vector>

namespace filch::topo {

/// The kernel's number for a thread; zero where threads have no such number.
using thread_number = int;
thread_number current_thread() noexcept;

/// Where thread affinity exists at all: Linux. Elsewhere every call below throws `function_not_supported`.
bool has_affinity() noexcept;

/// The CPUs that a thread of this process may run on, sorted; any number of CPUs. New threads inherit those of their creator.
/// Throws: std::system_error naming the thread, `no_such_process` where it has ended.
std::vector<unsigned> affinity_of(thread_number thread);

/// The CPUs that the calling thread may run on: to give back later to `set_current_affinity`.
std::vector<unsigned> current_affinity();

/// Lets the calling thread run on `cpus` only. The kernel drops those that are offline or outside the cpuset.
/// Throws: std::system_error naming the CPUs, where none is left or one has a number beyond `max_cpu_number`.
void set_current_affinity(std::span<const unsigned> cpus);

/// Binds the calling thread to one CPU. Throws: std::system_error naming it.
void pin_current_thread(unsigned os_index);

}  // namespace filch::topo
