#pragma once
// What holds of every parser, whatever the bytes. GoogleTest runs these properties on the kept corpus and on damaged texts
// (parsers_fuzz.cpp, cgroup_parse_fuzz.cpp), libFuzzer on what it makes up (parsers_libfuzzer.cpp).
#include <span>
#include <string>
#include <string_view>

namespace filch::topo {

/// A parser, or some that work together, and what must hold of them.
struct parser_property {
  std::string_view name;                       ///< Also of the corpus' folder.
  std::string (*violation)(std::string_view);  ///< What is wrong with what was made of a text; empty where nothing is.
};

std::span<const parser_property> parser_properties();

/// The property called `name`, or null.
const parser_property* find_parser_property(std::string_view name);

/// Stands between the texts of those that take two: the group's and the table of mounts, a quota and its period.
inline constexpr std::string_view between_texts = "--\n";

}  // namespace filch::topo
