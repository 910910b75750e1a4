#pragma once
#include <cstdint>
#include <cstdlib>
#include <string>

namespace filch::inline v0_2::testing {

/// The number in the environment variable `name`, or `otherwise` if there is none.
inline std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
  const char* const text = std::getenv(name);
  return text == nullptr ? otherwise : std::stoull(text);
}

}  // namespace filch::testing
