#pragma once
#include <filch/base/simulation.hpp>

#include <cstdint>

namespace filch::inline v0_2::base {

/// Nanoseconds on the monotonic clock, or on the clock of the simulation. Cost: 20 to 30 ns.
FILCH_EXPORT std::uint64_t now_ns() noexcept;

/// The processor's own counter: cheap (8 to 13 ns), not calibrated, steady per machine. For
/// decisions, not for reports.
inline std::uint64_t ticks() noexcept {
  if constexpr (can_simulate) return now_ns();
#if defined(__x86_64__) || defined(__i386__)
  return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
  std::uint64_t count;
  asm volatile("mrs %0, cntvct_el0" : "=r"(count));
  return count;
#else
  return now_ns();
#endif
}

/// The number of `ticks` in a microsecond: exact on Arm, a typical 2,500 on x86 (2,000 to 4,000 in
/// practice). Good for thresholds that tolerate a factor of two.
inline std::uint64_t ticks_per_us() noexcept {
  if constexpr (can_simulate) return 1000;
#if defined(__x86_64__) || defined(__i386__)
  return 2500;
#elif defined(__aarch64__)
  std::uint64_t hertz;
  asm volatile("mrs %0, cntfrq_el0" : "=r"(hertz));
  return hertz / 1'000'000 + 1;
#else
  return 1000;
#endif
}

/// Tells the core that this is a spin loop. Cost: 11 to 25 ns on x86.
inline void cpu_relax() noexcept {
  if (simulation* const sim = current_simulation()) return sim->pause();
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("isb" ::: "memory");
#endif
}

}  // namespace filch::base
