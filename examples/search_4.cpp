// Why the search does not scale: "locked" adds up under a lock that is held while a file is
// searched, "apart" adds up without one. Recorded, `filch report` names the lock.
#include "search.hpp"
#include <filch/algo.hpp>

#include <chrono>
#include <cstdio>
#include <cstring>
#include <exception>
#include <functional>
#include <mutex>
#include <string_view>

namespace {

using search::files;

// [locked]
std::size_t count_locked(const files& all, std::string_view wanted) {
  std::size_t count = 0;
  std::mutex lock;
  filch::for_each(all, [&](const auto& file) {
    const std::lock_guard held{lock};  // also while the file is read and searched
    count += search::matches_in(search::text_of(file), wanted);
  });
  return count;
}
// [locked]

// [apart]
std::size_t count_apart(const files& all, std::string_view wanted) {
  return filch::transform_reduce(all, std::size_t{0}, std::plus<>{}, [&](const auto& file) {
    return search::matches_in(search::text_of(file), wanted);
  });
}
// [apart]

}  // namespace

int main(int count, char** arguments) {
  if (count != 4 || arguments[2][0] == '\0') {
    std::fprintf(stderr, "usage: %s FOLDER TEXT locked|apart\n", arguments[0]);
    return 2;
  }
  try {
    const files all = search::files_below(arguments[1]);
    const bool is_locked = std::strcmp(arguments[3], "locked") == 0;
    const auto begin = std::chrono::steady_clock::now();
    const std::size_t found =
        is_locked ? count_locked(all, arguments[2]) : count_apart(all, arguments[2]);
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
    std::printf("%s: %zu matches in %.1f ms\n", arguments[3], found, took.count());
  } catch (const std::exception& failed) {
    std::fprintf(stderr, "%s\n", failed.what());
    return 1;
  }
  return 0;
}
