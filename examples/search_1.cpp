// Counts how often a text occurs in the files below a folder: serially, and on all workers.
// Work O(bytes), span O(bytes of the largest file + depth of the tree).
#include "search.hpp"
#include <filch/algo.hpp>

#include <chrono>
#include <cstdio>
#include <exception>
#include <functional>
#include <string_view>

namespace {

using search::files;

// [serial]
std::size_t count_serially(const files& all, std::string_view wanted) {
  std::size_t count = 0;
  for (const auto& file : all) count += search::matches_in(search::text_of(file), wanted);
  return count;
}
// [serial]

// [parallel]
std::size_t count_in_parallel(const files& all, std::string_view wanted) {
  return filch::transform_reduce(all, std::size_t{0}, std::plus<>{}, [&](const auto& file) {
    return search::matches_in(search::text_of(file), wanted);
  });
}
// [parallel]

template <class Count>
std::size_t timed(const char* how, Count&& count) {
  const auto begin = std::chrono::steady_clock::now();
  const std::size_t found = count();
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
  std::printf("%s: %zu matches in %.1f ms\n", how, found, took.count());
  return found;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 3 || arguments[2][0] == '\0') {
    std::fprintf(stderr, "usage: %s FOLDER TEXT\n", arguments[0]);
    return 2;
  }
  try {
    // [main]
    const files all = search::files_below(arguments[1]);
    std::printf("%zu files\n", all.size());
    const std::size_t one = timed("serial", [&] { return count_serially(all, arguments[2]); });
    const std::size_t two = timed("parallel", [&] { return count_in_parallel(all, arguments[2]); });
    // [main]
    return one == two ? 0 : 1;
  } catch (const std::exception& failed) {
    std::fprintf(stderr, "%s\n", failed.what());
    return 1;
  }
}
