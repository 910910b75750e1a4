#pragma once
// How sorting compares strings.
#include <filch/base/language.hpp>

#include <bit>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace filch::inline v0_2::algo::sorting {

/// Strings that are ordered by their bytes.
template <class T>
inline constexpr bool is_text = false;
template <class Allocator>
inline constexpr bool is_text<std::basic_string<char, std::char_traits<char>, Allocator>> = true;
template <>
inline constexpr bool is_text<std::string_view> = true;

/// Comparisons that use `<` of strings.
template <class Comp>
inline constexpr bool is_less_of_text = false;
template <>
inline constexpr bool is_less_of_text<std::ranges::less> = true;
template <class T>
inline constexpr bool is_less_of_text<std::less<T>> = std::is_void_v<T> || is_text<T>;

/// The first eight bytes as a number with the same order.
inline std::uint64_t first_bytes(std::string_view text) noexcept {
  std::uint64_t bytes;
  // <cstring> would be 240 lines more to include
  __builtin_memcpy(&bytes, text.data(), sizeof bytes);
  return std::endian::native == std::endian::little ? __builtin_bswap64(bytes) : bytes;
}

/// Whether `a < b`. Usually the first bytes decide. Then there is no call and no branch on them, so
/// the next strings load meanwhile.
inline bool comes_before(std::string_view a, std::string_view b) noexcept {
  if (a.size() >= sizeof(std::uint64_t) && b.size() >= sizeof(std::uint64_t)) [[likely]] {
    const std::uint64_t one = first_bytes(a), other = first_bytes(b);
    if (one != other) [[likely]]
      return one < other;
  }
  return a < b;
}

}  // namespace filch::algo::sorting
