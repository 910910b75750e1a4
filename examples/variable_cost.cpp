// Tasks of very different cost: element i of a million takes i % 100 + 1 rounds of arithmetic, and
// each task has a thousand elements of one cost. The most expensive one costs a hundred times the
// cheapest. No cost is given in advance, and yet no worker is left with more than the rest of its
// last task. Work O(total rounds), span O(tasks + rounds of the costliest).
#include <filch/co.hpp>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <vector>

namespace {

constexpr std::uint64_t elements = 1'000'000, tasks = 1'000;

std::uint64_t element(std::uint64_t i) {
  std::uint64_t acc = i;
  for (std::uint64_t round = 0; round <= i % 100; ++round) acc = acc * 31 + 7;
  return acc;
}

// [tasks]
struct part {
  std::uint64_t sum = 0;
  unsigned worker = 0;
};

filch::task<part> sum_of(std::uint64_t first) {
  part mine{.worker = filch::worker_index()};
  for (std::uint64_t i = first; i < elements; i += tasks) mine.sum += element(i);
  co_return mine;
}

filch::task<std::vector<part>> sum_of_all() {
  std::vector<filch::join_handle<part>> begun;
  for (std::uint64_t i = 0; i < tasks; ++i) begun.push_back(filch::spawn(sum_of(i)));
  std::vector<part> parts;
  for (auto& each : begun) parts.push_back(co_await std::move(each));
  co_return parts;
}
// [tasks]

template <class F>
double milliseconds_of(F f) {
  const auto begin = std::chrono::steady_clock::now();
  f();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
      .count();
}

}  // namespace

int main() {
  std::uint64_t expected = 0, total = 0;
  const double serial = milliseconds_of([&] {
    for (std::uint64_t i = 0; i < elements; ++i) expected += element(i);
  });
  std::vector<part> parts;
  const double together = milliseconds_of([&] { parts = filch::block_on(sum_of_all()); });

  std::vector<unsigned> ran(filch::default_pool().worker_capacity());
  for (const part& each : parts) {
    total += each.sum;
    ++ran[each.worker];
  }
  std::printf("serial %.1f ms, %llu tasks %.1f ms: %.2f times as fast\n", serial,
              static_cast<unsigned long long>(tasks), together, serial / together);
  for (std::size_t i = 0; i < ran.size(); ++i) {
    if (ran[i] != 0) std::printf("worker %zu ran %u\n", i, ran[i]);
  }
  return total == expected ? 0 : 1;
}
