// Workers count in numbers of their own that lie in one cache line; in the sound twin each number
// has two lines to itself. By read-modify-write, each of which needs the line: plain stores wait
// for it in a queue, and some processors hide all of that.
#include <tests/planted_faults/planted.hpp>

#include <atomic>
#include <vector>

namespace planted {

void memory_bound(twin which) {
  constexpr std::size_t numbers_a_line = 64 / sizeof(long);
  const std::size_t distance = which == twin::faulty ? 1 : 2 * numbers_a_line;
  std::vector<long> numbers(filch::default_pool().worker_capacity() * distance +
                            2 * numbers_a_line);
  filch::parallel_for(0, 100, [&](int) {
    const std::atomic_ref<long> mine{numbers[numbers_a_line + filch::worker_index() * distance]};
    for (int i = 0; i != 100'000; ++i) {
      compute(8ns);
      mine.fetch_add(i, std::memory_order_relaxed);
    }
  });
}

}  // namespace planted
