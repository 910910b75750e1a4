#pragma once
// The few ways in which the texts of /proc and /sys are split. Views point into the given text.
#include <filch/base/language.hpp>

#include <algorithm>
#include <charconv>
#include <concepts>
#include <cstddef>
#include <optional>
#include <string_view>
#include <system_error>
#include <vector>

namespace filch::inline v0_2::topo {

/// Splits at every `separator`; "a,,b" has three parts, the second empty, and "" has one.
inline std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = (std::min)(text.find(separator, begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

/// Splits into lines without their newlines; a newline at the end starts no further line.
inline std::vector<std::string_view> split_lines(std::string_view text) {
  if (text.ends_with('\n')) {
    text.remove_suffix(1);
  }
  return text.empty() ? std::vector<std::string_view>{} : split(text, '\n');
}

/// Reads all of `text` as a decimal number: no sign unless `Number` has one, no space, no overflow.
template <std::integral Number>
std::optional<Number> parse_number(std::string_view text) noexcept {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool read_all = error == std::errc{} && end == text.data() + text.size();
  return read_all ? std::optional{number} : std::nullopt;
}

/// Drops the white space at both ends.
inline std::string_view trimmed(std::string_view text) noexcept {
  constexpr std::string_view space = " \t\r\n";
  const std::size_t first = text.find_first_not_of(space);
  return first == std::string_view::npos
             ? std::string_view{}
             : text.substr(first, text.find_last_not_of(space) - first + 1);
}

}  // namespace filch::topo
