#pragma once
#include <filch/base/simulation.hpp>

#include <atomic>

namespace filch::inline v0_2::base {

/// True if the kernel offers an expedited private memory barrier: Linux 4.14 and later, unless a
/// sandbox forbids it. A process that enters a sandbox afterwards must allow `membarrier` there, or
/// ends with a message at the next `heavy_fence`. If false, no code may rely on the light/heavy
/// pair: see `fork_stack`, whose owner then resolves every pop under its lock.
/// Cost: one system call the first time, a load afterwards.
bool has_asymmetric_fence() noexcept;

/// The owner's half of a StoreLoad order for which the other side pays: it only holds back the
/// compiler.
/// Source: P1202, `asymmetric_thread_fence_light`. Holds only together with `heavy_fence` and if
/// `has_asymmetric_fence()`.
inline void light_fence() noexcept { std::atomic_signal_fence(std::memory_order_seq_cst); }

/// The expensive half. Afterwards either this thread sees what the other stored before its
/// `light_fence`, or the other's loads after its `light_fence` see what this thread stored before.
/// Cost: 0.1 to 1.3 us.
void heavy_fence() noexcept;

}  // namespace filch::base
