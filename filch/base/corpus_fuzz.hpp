#pragma once
// Kept texts and damaged ones, for GoogleTest.
#include <filch/base/rng.hpp>
#include <filch/base/text_file.hpp>
#include <filch/base/text_property_fuzz.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>

namespace filch::base {

/// FILCH_SEED in the environment, else 1.
inline std::uint64_t first_seed() {
  const char* const given = std::getenv("FILCH_SEED");
  return given == nullptr ? 1 : std::strtoull(given, nullptr, 10);
}

/// A few times drops, repeats or changes up to `longest` bytes of `text`; half of the new bytes are
/// of `likely` where that is not empty.
inline std::string damaged(std::string text, split_mix64& random, std::size_t longest = 16,
                           std::string_view likely = {}) {
  for (std::uint64_t times = 1 + random() % 4; times > 0 && !text.empty(); --times) {
    const std::size_t at = random() % text.size(),
                      length = random() % std::min(text.size() - at, longest) + 1;
    const bool is_likely = !likely.empty() && random() % 2 == 0;
    const char byte = is_likely ? likely[random() % likely.size()] : static_cast<char>(random());
    switch (random() % 5) {
      case 0: text.erase(at, length); break;
      case 1: text.insert(at, text.substr(at, length)); break;
      case 2: text.insert(at, 1, byte); break;
      case 3: text[at] = byte; break;
      default: text[at] = static_cast<char>(text[at] + 1); break;
    }
  }
  return text;
}

/// Expects that `property` holds of each text in `folder`, which has some, and of `copies` damaged
/// ones of each.
inline void expect_corpus_holds(const text_property& property, const std::filesystem::path& folder,
                                std::uint64_t copies) {
  int texts = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const file_text file = read_text(entry.path().string());
    ASSERT_FALSE(file.error) << entry.path();
    EXPECT_EQ(property.violation(file.text), "") << entry.path();
    for (std::uint64_t seed = first_seed(), last = seed + copies; seed < last; ++seed) {
      split_mix64 random{seed};
      ASSERT_EQ(property.violation(damaged(file.text, random)), "")
          << "replay with FILCH_SEED=" << seed << ", on " << entry.path();
    }
    ++texts;
  }
  EXPECT_GT(texts, 0) << property.name << " has no corpus";
}

}  // namespace filch::base
