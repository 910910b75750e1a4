#pragma once
#include <bench/uts/sha1_x86.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>

namespace bench {

using sha1_words = std::array<std::uint32_t, 5>;
using sha1_block = std::array<std::uint32_t, 16>;

namespace sha1_detail {

inline constexpr sha1_words start = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};

/// FIPS 180-4, 4.1.1 and 4.2.1: the logical function of a round and its constant.
template <std::size_t Round>
constexpr std::uint32_t mix(std::uint32_t b, std::uint32_t c, std::uint32_t d) noexcept {
  if constexpr (Round < 20) {
    return (d ^ (b & (c ^ d))) + 0x5a827999;
  } else if constexpr (Round < 40) {
    return (b ^ c ^ d) + 0x6ed9eba1;
  } else if constexpr (Round < 60) {
    return ((b & c) | (d & (b | c))) + 0x8f1bbcdc;
  } else {
    return (b ^ c ^ d) + 0xca62c1d6;
  }
}

/// One of the 80 rounds. Instead of moving five variables along, the round number says which is
/// which.
template <std::size_t Round>
constexpr void round(sha1_words& v, sha1_block& w) noexcept {
  constexpr std::size_t a = (80 - Round) % 5;
  if constexpr (Round >= 16) {
    w[Round % 16] = std::rotl(
        w[(Round + 13) % 16] ^ w[(Round + 8) % 16] ^ w[(Round + 2) % 16] ^ w[Round % 16], 1);
  }
  v[(a + 4) % 5] += std::rotl(v[a], 5) +
                    mix<Round>(v[(a + 1) % 5], v[(a + 2) % 5], v[(a + 3) % 5]) + w[Round % 16];
  v[(a + 1) % 5] = std::rotl(v[(a + 1) % 5], 30);
}

}  // namespace sha1_detail

/// Folds one 64-byte block, as big-endian words, into `state`, on any processor.
constexpr void sha1_compress_anywhere(sha1_words& state, sha1_block block) noexcept {
  sha1_words v = state;
  [&]<std::size_t... Round>(std::index_sequence<Round...>) {
    (sha1_detail::round<Round>(v, block), ...);
  }
  (std::make_index_sequence<80>{});
  for (std::size_t i = 0; i < 5; ++i) state[i] += v[i];
}

/// The same by the processor's instructions for it, if it has them.
constexpr void sha1_compress(sha1_words& state, const sha1_block& block) noexcept {
#ifdef __x86_64__
  if (!std::is_constant_evaluated() && sha1_x86::is_here) return sha1_x86::compress(state, block);
#endif
  sha1_compress_anywhere(state, block);
}

/// Hashes a message of at most 55 bytes whose padded form the caller wrote: the cost is one
/// compression and nothing else.
constexpr sha1_words sha1_of_padded(const sha1_block& block) noexcept {
  sha1_words state = sha1_detail::start;
  sha1_compress(state, block);
  return state;
}

/// Hashes bytes that arrive in chunks. Good as a fingerprint; no longer safe against people who
/// forge collisions.
///
/// Source: FIPS 180-4, 5.1.1 and 6.1.2.
class sha1 {
 public:
  constexpr void update(std::span<const std::uint8_t> bytes) noexcept {
    for (const std::uint8_t byte : bytes) append(byte);
  }

  constexpr sha1_words digest() const noexcept {
    sha1 padded = *this;
    padded.append(0x80);
    while (padded.byte_count_ % 64 != 56) padded.append(0);
    for (int shift = 56; shift >= 0; shift -= 8)
      padded.append(static_cast<std::uint8_t>((byte_count_ * 8) >> shift));
    return padded.state_;
  }

 private:
  constexpr void append(std::uint8_t byte) noexcept {
    std::uint32_t& word = block_[byte_count_ / 4 % 16];
    word = word << 8 | byte;
    if (++byte_count_ % 64 == 0) sha1_compress(state_, block_);
  }

  sha1_words state_ = sha1_detail::start;
  sha1_block block_{};
  std::uint64_t byte_count_ = 0;
};

}  // namespace bench
