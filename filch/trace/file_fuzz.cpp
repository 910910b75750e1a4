// The reader of files against files that were damaged, and against the corpus that libFuzzer has left.
#include <filch/trace/file_fuzz.hpp>

#include <filch/base/rng.hpp>
#include <filch/trace/file.hpp>

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace {

std::uint64_t first_seed() {
  const char* const set = std::getenv("FILCH_SEED");
  return set == nullptr ? 1 : std::strtoull(set, nullptr, 10);
}

/// Cuts, repeats, swaps and changes bytes, a few times. The last bytes of a checksum cannot be guessed, so parts are mostly refused;
/// libFuzzer gets further, since it finds files whose parts are not compressed.
std::string damaged(std::string bytes, filch::base::split_mix64& random) {
  for (std::uint64_t times = 1 + random() % 4; times > 0 && !bytes.empty(); --times) {
    const std::size_t at = random() % bytes.size(), length = random() % std::min<std::size_t>(bytes.size() - at, 64) + 1;
    switch (random() % 4) {
      case 0: bytes.erase(at, length); break;
      case 1: bytes.insert(at, bytes.substr(at, length)); break;
      case 2: bytes[at] = static_cast<char>(random()); break;
      default: bytes[at] = static_cast<char>(bytes[at] + 1); break;
    }
  }
  return bytes;
}

TEST(file_fuzz, any_recording_comes_back) {
  const std::uint64_t seed = first_seed();
  for (std::uint64_t i = seed; i < seed + 200; ++i) {
    const auto written = filch::trace::some_recording(i, i % 300);
    ASSERT_EQ(filch::trace::difference(written, filch::trace::from_bytes(filch::trace::to_bytes(written))), "")
        << "FILCH_SEED=" << i << " ctest -R file_fuzz";
  }
}

TEST(file_fuzz, damaged_files_are_refused_or_make_sense) {
  const std::uint64_t seed = first_seed();
  const std::string whole = filch::trace::to_bytes(filch::trace::some_recording(1, 60));
  for (std::uint64_t i = seed; i < seed + 20'000; ++i) {
    filch::base::split_mix64 random{i};
    ASSERT_EQ(filch::trace::violation_of_file(damaged(whole, random)), "") << "FILCH_SEED=" << i << " ctest -R file_fuzz";
  }
}

TEST(file_fuzz, the_kept_corpus_holds) {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(FILCH_CORPUS)) {
    std::ostringstream text;
    text << std::ifstream{entry.path(), std::ios::binary}.rdbuf();
    EXPECT_EQ(filch::trace::violation_of_file(text.str()), "") << entry.path();
    ++files;
  }
  EXPECT_GT(files, 0) << "no corpus";
}

}  // namespace
