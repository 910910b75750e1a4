// The reader of files against files that were damaged, and against the corpus that libFuzzer has
// left.
#include <filch/trace/file_fuzz.hpp>

#include <filch/base/corpus_fuzz.hpp>
#include <filch/trace/file.hpp>

namespace {

using filch::base::first_seed;

TEST(file_fuzz, any_recording_comes_back) {
  const std::uint64_t seed = first_seed();
  for (std::uint64_t i = seed; i < seed + 200; ++i) {
    const auto written = filch::trace::some_recording(i, i % 300);
    ASSERT_EQ(filch::trace::difference(written,
                                       filch::trace::from_bytes(filch::trace::to_bytes(written))),
              "")
        << "FILCH_SEED=" << i << " ctest -R file_fuzz";
  }
}

// The last bytes of a checksum cannot be guessed, so damaged parts are mostly refused; libFuzzer
// gets further, since it finds files whose parts are not compressed.
TEST(file_fuzz, damaged_files_are_refused_or_make_sense) {
  const std::uint64_t seed = first_seed();
  const std::string whole = filch::trace::to_bytes(filch::trace::some_recording(1, 60));
  for (std::uint64_t i = seed; i < seed + 20'000; ++i) {
    filch::base::split_mix64 random{i};
    ASSERT_EQ(filch::trace::violation_of_file(filch::base::damaged(whole, random, 64)), "")
        << "FILCH_SEED=" << i << " ctest -R file_fuzz";
  }
}

TEST(file_fuzz, the_kept_corpus_holds) {
  filch::base::expect_corpus_holds(filch::base::property_called("file"),
                                   std::filesystem::path{FILCH_CORPUS} / "file.txt", 0);
}

}  // namespace
