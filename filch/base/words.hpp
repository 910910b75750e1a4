#pragma once
// The text of /proc: lines of words and numbers.
#include <filch/base/language.hpp>

#include <charconv>
#include <cstdint>
#include <string_view>
#include <system_error>

namespace filch::inline v0_2::base {

/// Takes the next word off `line`, up to `end` or to its end.
inline std::string_view take_word(std::string_view& line, char end = ' ') noexcept {
  const std::string_view taken = line.substr(0, line.find(end));
  line.remove_prefix(taken.size() == line.size() ? taken.size() : taken.size() + 1);
  return taken;
}

/// Returns false if `word` is no number of that base, or has more than 64 bits; `into` may have
/// changed.
inline bool read_number(std::string_view word, std::uint64_t& into, int base = 10) noexcept {
  const auto parsed = std::from_chars(word.data(), word.data() + word.size(), into, base);
  return !word.empty() && parsed.ec == std::errc{} && parsed.ptr == word.data() + word.size();
}

}  // namespace filch::base
