// Asks how parallel a program is, before running it on many workers. Work O(n log n), span O(n):
// one merge is serial.
// [how_parallel]
#include <filch/analyze.hpp>
#include <filch/filch.hpp>

#include <algorithm>
#include <cstdio>
#include <vector>

using iterator = std::vector<unsigned>::iterator;

void merge_sort(iterator first, iterator last) {
  if (last - first < 1000) return std::sort(first, last);
  const iterator middle = first + (last - first) / 2;
  filch::join([=] { merge_sort(first, middle); }, [=] { merge_sort(middle, last); });
  std::inplace_merge(first, middle, last);
}

int main() {
  std::vector<unsigned> numbers(300'000);
  for (unsigned i = 0; auto& each : numbers) each = (i += 2'654'435'769u);
  const filch::analysis::result found =
      filch::analyze([&] { merge_sort(numbers.begin(), numbers.end()); });
  std::printf("work %.0f us, span %.0f us: at most %.1f times as fast\n", found.work_ns / 1000,
              found.span_ns / 1000, found.parallelism());
  for (const unsigned workers : {2u, 8u, 64u}) {
    std::printf("%4u workers: %.0f us\n", workers,
                filch::analysis::predict(found, workers).estimate_ns / 1000);
  }
  for (const filch::analysis::site& site : found.sites)
    std::printf("%s: %.0f us, on the span %.0f us\n", site.where.name.c_str(), site.work_ns / 1000,
                site.span_ns / 1000);
}
// [how_parallel]
