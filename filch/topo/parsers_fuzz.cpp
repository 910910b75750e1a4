// The properties of the parsers on the corpus that libFuzzer has left, for every compiler. What it found wrong once lies there too.
#include <filch/topo/parsers_fuzz.hpp>
#include <filch/base/text_file.hpp>

#include <gtest/gtest.h>

#include <filesystem>

namespace filch::topo {
namespace {

TEST(parsers_fuzz, the_kept_corpus_holds) {
  for (const parser_property& property : parser_properties()) {
    int texts = 0;
    for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path{FILCH_CORPUS} / property.name)) {
      const base::file_text file = base::read_text(entry.path().string());
      ASSERT_FALSE(file.error) << entry.path();
      EXPECT_EQ(property.violation(file.text), "") << entry.path();
      ++texts;
    }
    EXPECT_GT(texts, 0) << property.name << " has no corpus";
  }
}

}  // namespace
}  // namespace filch::topo
