#pragma once
// Threads and CPUs of a simulation, as far as `steering` asks for them. Declared here, defined by whoever simulates: `filch/testing`.
// Each is a scheduling point before it is done, as a system call is.
#include <filch/base/simulation.hpp>

#include <cstdint>

namespace filch::sched::simulated {

/// The calling thread's number, as the kernel gives one. Never zero.
int thread_number(base::simulation& stage) noexcept;
/// The CPU that the calling thread is on: one of those that it may run on, and at the next look perhaps another.
int cpu_here(base::simulation& stage) noexcept;
/// The CPUs that the calling thread may run on, a bit each: all, or those that its creator had.
std::uint64_t cpus(base::simulation& stage) noexcept;
/// Confines a thread, the calling one where the number is zero, to these CPUs. False where it has ended or none is left.
bool confine(base::simulation& stage, int thread, std::uint64_t to) noexcept;

}  // namespace filch::sched::simulated
