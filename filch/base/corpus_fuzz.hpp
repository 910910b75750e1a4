#pragma once
// Kept texts and damaged ones, for GoogleTest.
#include <filch/base/rng.hpp>
#include <filch/base/text_property_fuzz.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <string_view>

namespace filch::inline v0_2::base {

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

/// The bytes that `escaped` stands for, in which a backslash begins `n`, `x` with two hexadecimal
/// digits, or itself.
inline std::string unescaped(std::string_view escaped) {
  std::string bytes;
  for (std::size_t at = 0; at < escaped.size(); ++at) {
    if (escaped[at] != '\\') {
      bytes += escaped[at];
    } else if (const char what = escaped[++at]; what == 'x') {
      bytes += static_cast<char>(std::stoi(std::string{escaped.substr(at + 1, 2)}, nullptr, 16));
      at += 2;
    } else {
      bytes += what == 'n' ? '\n' : what;
    }
  }
  return bytes;
}

/// The texts that are kept in the file `corpus`, by name: a line `name escaped-text` each.
inline std::map<std::string, std::string> corpus_texts(const std::filesystem::path& corpus) {
  std::map<std::string, std::string> texts;
  std::ifstream file{corpus};
  for (std::string line; std::getline(file, line);) {
    const std::size_t space = line.find(' ');
    texts[line.substr(0, space)] = unescaped(std::string_view{line}.substr(space + 1));
  }
  return texts;
}

/// Expects that `property` holds of each text in the file `corpus`, which has some, and of `copies`
/// damaged ones of each.
inline void expect_corpus_holds(const text_property& property, const std::filesystem::path& corpus,
                                std::uint64_t copies) {
  const auto texts = corpus_texts(corpus);
  EXPECT_FALSE(texts.empty()) << corpus << " has no texts";
  for (const auto& [name, text] : texts) {
    EXPECT_EQ(property.violation(text), "") << corpus << ": " << name;
    for (std::uint64_t seed = first_seed(), last = seed + copies; seed < last; ++seed) {
      split_mix64 random{seed};
      ASSERT_EQ(property.violation(damaged(text, random)), "")
          << "replay with FILCH_SEED=" << seed << ", on " << corpus << ": " << name;
    }
  }
}

}  // namespace filch::base
