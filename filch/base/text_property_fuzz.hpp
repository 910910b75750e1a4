#pragma once
// What must hold of parsers, whatever the text. A room states it (its `_properties_fuzz.cpp`);
// GoogleTest tries it on kept and on damaged texts (corpus_fuzz.hpp), libFuzzer on what it makes up
// (text_libfuzzer.cpp).
#include <algorithm>
#include <span>
#include <string>
#include <string_view>

namespace filch::base {

/// A parser, or some that work together, and what must hold of them.
struct text_property {
  std::string_view name;  ///< Also of the corpus' folder.
  /// What is wrong with what was made of a text; empty where nothing is.
  std::string (*violation)(std::string_view);
};

/// What this program tries: each that includes this header defines it once.
std::span<const text_property> text_properties();

/// The property called `name`, which must exist.
inline const text_property& property_called(std::string_view name) {
  return *std::ranges::find(text_properties(), name, &text_property::name);
}

}  // namespace filch::base
