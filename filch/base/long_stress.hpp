#pragma once
// How much a stress test does, and how it reports that.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace filch::inline v0_2::base {

/// Whether FILCH_LONG is set, as `./test --long` does.
inline bool is_long_run() {
  const char* const given = std::getenv("FILCH_LONG");
  return given != nullptr && *given != '\0';
}
inline std::uint64_t long_count(std::uint64_t few, std::uint64_t many) {
  return is_long_run() ? many : few;
}

/// Prints one line of evidence: this many operations, and not one went wrong.
inline void print_stress_evidence(const char* name, std::uint64_t operations, unsigned threads,
                                  bool holds) {
  std::printf(
      "evidence: {\"kind\": \"stress\", \"name\": \"%s\", \"operations\": %llu, \"threads\": %u, "
      "\"holds\": %s}\n",
      name, static_cast<unsigned long long>(operations), threads, holds ? "true" : "false");
}

}  // namespace filch::base
