#pragma once
#include <bench/words/problem.hpp>
#include <filch/filch.hpp>

namespace bench::words {

inline tally on_filch(const std::vector<file>& files) {
  filch::worker_local<tally> mine;
  filch::parallel_for(std::size_t{0}, files.size(),
                      [&](std::size_t i) { count_file(files[i], mine.local()); });
  tally all;
  mine.for_each([&](tally& each) { all.join(std::move(each)); });
  return all;
}

}  // namespace bench::words
