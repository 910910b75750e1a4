#pragma once
// Hashes of states. A hash stands for its state, so all 64 bits count.
#include <algorithm>
#include <cstdint>
#include <cstring>

namespace filch::inline v0_2::testing {

/// Not symmetric: the order of the two matters.
constexpr std::uint64_t mix(std::uint64_t hash, std::uint64_t word) {
  hash = (hash ^ word * 0xff51afd7ed558ccd) * 0x9e3779b97f4a7c15;
  return hash ^ hash >> 32;
}

/// Includes the length, so that items of one array are not taken for those of the next.
template <class Array>
std::uint64_t hash_of(const Array& words, std::uint64_t hash) {
  static_assert(sizeof(Array) % sizeof(std::uint16_t) == 0);
  const auto* bytes = reinterpret_cast<const unsigned char*>(words.data());
  for (std::size_t at = 0; at < sizeof(Array); at += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes + at, std::min(sizeof word, sizeof(Array) - at));
    if (word != 0) hash = mix(hash + at, word);
  }
  return mix(hash, sizeof(Array));
}

}  // namespace filch::testing
