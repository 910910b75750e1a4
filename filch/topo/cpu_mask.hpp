#pragma once
#include <filch/topo/cpu_list.hpp>

#include <cerrno>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

namespace filch::inline v0_2::topo {

/// A set of CPUs as the kernel's affinity calls take it: one bit a CPU, in as many words as needed.
using cpu_mask = std::vector<unsigned long>;
inline constexpr unsigned cpus_per_word = std::numeric_limits<unsigned long>::digits;

/// The mask of `cpus`, whose numbers are below `max_cpu_number`.
inline cpu_mask mask_of(std::span<const unsigned> cpus) {
  cpu_mask mask(1);
  for (const unsigned cpu : cpus) {
    if (cpu / cpus_per_word >= mask.size()) {
      mask.resize(cpu / cpus_per_word + 1);
    }
    mask[cpu / cpus_per_word] |= 1ul << cpu % cpus_per_word;
  }
  return mask;
}

inline std::vector<unsigned> members_of(const cpu_mask& mask) {
  std::vector<unsigned> cpus;
  for (unsigned cpu = 0; cpu < mask.size() * cpus_per_word; ++cpu) {
    if ((mask[cpu / cpus_per_word] >> cpu % cpus_per_word & 1) != 0) {
      cpus.push_back(cpu);
    }
  }
  return cpus;
}

/// Calls `ask(mask)`, which returns zero or an errno, with more and more room: the kernel answers
/// EINVAL as long as the room is smaller than its own mask, whose size it does not tell. Returns
/// the last answer.
template <class Ask>
int ask_with_room(cpu_mask& mask, Ask ask) {
  for (mask.assign(1024 / cpus_per_word, 0);; mask.resize(mask.size() * 2)) {
    const int error = ask(mask);
    if (error != EINVAL || mask.size() * cpus_per_word >= max_cpu_number) {
      return error;
    }
  }
}

}  // namespace filch::topo
