#pragma once
// Programs with one fault each, and their twins without it: what the rules of the verdict are tried on. README.md.
#include <filch/filch.hpp>

#include <chrono>
#include <cstdint>

namespace planted {

using namespace std::chrono_literals;

enum class twin { faulty, sound };

/// Computes for about so long: always the same work, whoever else has the processor meanwhile. It is a chain of multiplications, which touches no
/// memory and is hardly slowed by another thread on the same core.
inline void compute(std::chrono::nanoseconds length) {
  constexpr double links_a_ns = 1.2;
  std::uint64_t x = 1;
  for (auto left = static_cast<std::int64_t>(static_cast<double>(length.count()) * links_a_ns); left > 0; --left) {
    x *= 6364136223846793005u;
    asm volatile("" : "+r"(x));
  }
}

/// Leaves this process the processor on which it runs now. Throws: `std::system_error`.
void stay_on_this_processor();

void too_little_parallelism(twin which);
void grain_too_fine(twin which);
void grain_too_coarse(twin which);
void long_tail(twin which);
void blocked_workers(twin which);
void lock_convoy(twin which);
void oversubscription(twin which);
void memory_bound(twin which);
void wake_latency(twin which);
void lost_records(twin which);

}  // namespace planted
