#pragma once
// Programs with one fault each, and their twins without it: what the rules of the verdict are tried
// on. README.md.
#include <filch/filch.hpp>

#include <chrono>
#include <cstdint>

namespace planted {

using namespace std::chrono_literals;

enum class twin { faulty, sound };

/// Follows a chain of multiplications for about so long: it touches no memory and is hardly slowed
/// by another thread on the same core.
inline void multiply(std::chrono::nanoseconds length) {
  constexpr double links_a_ns = 1.2;
  std::uint64_t x = 1;
  for (auto left = static_cast<std::int64_t>(static_cast<double>(length.count()) * links_a_ns);
       left > 0; --left) {
    x *= 6364136223846793005u;
    asm volatile("" : "+r"(x));
  }
}

/// Remembers that work of `wanted` took `took`.
void note_speed(std::chrono::nanoseconds wanted, std::chrono::nanoseconds took);

/// The highest speed noted over the lowest: 1 if the processors were equally fast all the time, or
/// nothing was noted.
double unevenness();

/// Computes for about `length`: always the same work, whatever else the processor runs meanwhile.
/// Notes the speed from a millisecond on.
inline void compute(std::chrono::nanoseconds length) {
  if (length < 1ms) return multiply(length);
  const auto begin = std::chrono::steady_clock::now();
  multiply(length);
  note_speed(length, std::chrono::steady_clock::now() - begin);
}

/// Leaves this process the processor on which it runs now. Throws: `std::system_error`.
void stay_on_this_processor();

void too_little_parallelism(twin which);
void grain_too_fine(twin which);
void forks_too_small(twin which);
void grain_too_coarse(twin which);
void long_tail(twin which);
void blocked_workers(twin which);
void lock_convoy(twin which);
void lock_in_part(twin which);
void brief_lock(twin which);
void deadlock(twin which);
void oversubscription(twin which);
void throttled(twin which);
void memory_bound(twin which);
void wake_latency(twin which);
void lost_records(twin which);
void page_faults(twin which);

}  // namespace planted
