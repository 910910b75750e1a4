// Workers count in numbers of their own that lie in one cache line; in the sound twin each number has two lines to itself.
#include <tests/planted_faults/planted.hpp>

#include <vector>

namespace planted {

void memory_bound(twin which) {
  constexpr std::size_t numbers_a_line = 64 / sizeof(long);
  const std::size_t distance = which == twin::faulty ? 1 : 2 * numbers_a_line;
  std::vector<long> numbers(filch::default_pool().worker_capacity() * distance + 2 * numbers_a_line);
  filch::parallel_for(0, 100, [&](int) {
    long* const mine = &numbers[numbers_a_line + filch::worker_index() * distance];
    for (int i = 0; i != 200'000; ++i) {
      compute(8ns);
      *mine += i;
      asm volatile("" : : "r"(mine) : "memory");
    }
  });
}

}  // namespace planted
