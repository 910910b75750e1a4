#pragma once
#include <filch/base/language.hpp>

#include <cstdint>
#include <cstring>
#include <string_view>

namespace filch::inline v0_2::dist {

/// FNV-1a over words instead of bytes, mixed: tells programs, parameters and damaged files apart,
/// and is no protection against intent.
/// Cost: about 1 ns for 8 bytes.
inline std::uint64_t hash_of(std::string_view bytes,
                             std::uint64_t hash = 0xcbf29ce484222325u) noexcept {
  constexpr std::uint64_t prime = 0x100000001b3u;
  for (; bytes.size() >= 8; bytes.remove_prefix(8)) {
    std::uint64_t word;
    std::memcpy(&word, bytes.data(), 8);
    hash = (hash ^ word) * prime;
    hash ^= hash >> 32;
  }
  for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * prime;
  return hash;
}

}  // namespace filch::dist
