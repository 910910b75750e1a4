// Jobs touch new pages for most of their time, a cause that the verdict does not name; in the sound
// twin each worker keeps its pages.
#include <tests/planted_faults/planted.hpp>

#include <vector>

namespace planted {

void page_faults(twin which) {
  constexpr std::size_t page_bytes = 4096, pages = 2048;
  std::vector<std::vector<char>> kept(filch::default_pool().worker_capacity());
  filch::parallel_for(0, 100, [&](int) {
    std::vector<char> fresh;
    std::vector<char>& used = which == twin::faulty ? fresh : kept[filch::worker_index()];
    used.resize(pages * page_bytes);
    for (std::size_t i = 0; i != pages; ++i) used[i * page_bytes] = 1;
    asm volatile("" : : "r"(used.data()) : "memory");
  });
}

}  // namespace planted
