// A recursion adds up numbers and halves them down to 16, some nanoseconds of work; the sound twin
// stops at 16,384.
#include <tests/planted_faults/planted.hpp>

#include <cstdlib>
#include <vector>

namespace planted {
namespace {

constexpr std::size_t different = 4096;  // they fit into the nearest cache

using numbers = std::vector<std::uint64_t>;

std::uint64_t sum(const numbers& of, std::size_t first, std::size_t last, std::size_t at_once) {
  if (last - first <= at_once) {
    std::uint64_t total = 0;
    for (std::size_t i = first; i != last; ++i) total += of[i % different] ^ i;
    return total;
  }
  const std::size_t middle = first + (last - first) / 2;
  const auto [left, right] = filch::join([=, &of] { return sum(of, first, middle, at_once); },
                                         [=, &of] { return sum(of, middle, last, at_once); });
  return left + right;
}

}  // namespace

void forks_too_small(twin which) {
  const numbers all(different, 7);
  const std::uint64_t total = sum(all, 0, 1 << 29, which == twin::faulty ? 16 : 1 << 14);
  if (total == 0) std::abort();  // it is needed
}

}  // namespace planted
