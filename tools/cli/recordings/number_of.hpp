#pragma once
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <tools/cli/recordings/bad_recording.hpp>

#include <concepts>
#include <cstdint>
#include <limits>
#include <utility>

namespace filch::cli {

/// The number that `from` is. The parser's own conversion takes 1.5 for 1, 65,536 for 0 of 16 bits,
/// and is undefined beyond 64 bits.
/// Throws: `bad_recording` if a T does not hold it; what the parser throws if it is no
/// number.
template <class T>
T number_of(const nlohmann::json& from) {
  if constexpr (std::integral<T>) {
    const bool fits = from.is_number_unsigned()
                          ? std::in_range<T>(from.get<std::uint64_t>())
                          : !from.is_number() || (from.is_number_integer() &&
                                                  std::in_range<T>(from.get<std::int64_t>()));
    if (!fits) {
      using range = std::numeric_limits<T>;
      throw bad_recording{fmt::format("{} is no whole number from {} to {}", from.dump(),
                                      range::min(), range::max())};
    }
  }
  return from.get<T>();
}

}  // namespace filch::cli
