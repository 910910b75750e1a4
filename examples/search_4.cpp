// Why the search does not scale: "locked" adds up under a lock that is held while a file is read
// and searched, "letters" under one that is held often and briefly. "apart" adds up without one.
// Recorded, `filch report` shows the differences.
#include "search.hpp"
#include <filch/algo.hpp>

#include <chrono>
#include <cstdio>
#include <exception>
#include <functional>
#include <mutex>
#include <string>
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

// [letters]
// Counts the letters of a text, under a lock that is held for nanoseconds at a time.
std::size_t count_letters(const files& all, std::string_view wanted) {
  std::size_t count = 0;
  std::mutex lock;
  filch::for_each(all, [&](const auto& file) {
    for (const char letter : search::text_of(file)) {
      if (wanted.find(letter) == wanted.npos) continue;
      const std::lock_guard held{lock};
      ++count;
    }
  });
  return count;
}
// [letters]

// [apart]
std::size_t count_apart(const files& all, std::string_view wanted) {
  return filch::transform_reduce(all, std::size_t{0}, std::plus<>{}, [&](const auto& file) {
    return search::matches_in(search::text_of(file), wanted);
  });
}
// [apart]

std::size_t count_in(const files& all, std::string_view wanted, std::string_view how) {
  if (how == "locked") return count_locked(all, wanted);
  if (how == "letters") return count_letters(all, wanted);
  return count_apart(all, wanted);
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 4 || arguments[2][0] == '\0') {
    std::fprintf(stderr, "usage: %s FOLDER TEXT locked|letters|apart\n", arguments[0]);
    return 2;
  }
  try {
    const files all = search::files_below(arguments[1]);
    const auto begin = std::chrono::steady_clock::now();
    const std::size_t found = count_in(all, arguments[2], arguments[3]);
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
    std::printf("%s: %zu matches in %.1f ms\n", arguments[3], found, took.count());
  } catch (const std::exception& failed) {
    std::fprintf(stderr, "%s\n", failed.what());
    return 1;
  }
  return 0;
}
