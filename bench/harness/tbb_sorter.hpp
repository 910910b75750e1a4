#pragma once
#include <bench/harness/tbb_threads.hpp>

#include <oneapi/tbb/parallel_sort.h>

namespace bench {

/// oneTBB as a peer of the problems that sort.
struct tbb_sorter {
  tbb_threads threads;
  void sort(auto& values) {
    threads.run([&] { oneapi::tbb::parallel_sort(values.begin(), values.end()); });
  }
};

}  // namespace bench
