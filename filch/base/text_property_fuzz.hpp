#pragma once
// Properties that parsers must have for any text. A room states them (its `_properties_fuzz.cpp`).
// GoogleTest tries them on kept and on damaged texts (corpus_fuzz.hpp), libFuzzer on generated ones
// (text_libfuzzer.cpp).
#include <algorithm>
#include <span>
#include <string>
#include <string_view>

namespace filch::inline v0_2::base {

/// One or more parsers, and what must hold of them.
struct text_property {
  std::string_view name;  ///< Also of the corpus' folder.
  /// Describes what is wrong with the result for a text; empty if nothing is.
  std::string (*violation)(std::string_view);
};

/// What this program tries: each program that includes this header defines it once.
std::span<const text_property> text_properties();

/// The property called `name`, which must exist.
inline const text_property& property_called(std::string_view name) {
  return *std::ranges::find(text_properties(), name, &text_property::name);
}

}  // namespace filch::base
