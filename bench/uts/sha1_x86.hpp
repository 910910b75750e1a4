#pragma once
// SHA-1 by the SHA extensions of x86, four rounds an instruction. Source: Intel's Software
// Developer's Manual, volume 2, SHA1RNDS4 and its neighbors.
#ifdef __x86_64__
#include <cpuid.h>
#include <immintrin.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace bench::sha1_x86 {

inline bool has_instructions() noexcept {
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  const bool has_sse41 = __get_cpuid(1, &eax, &ebx, &ecx, &edx) != 0 && (ecx & bit_SSE4_1) != 0;
  return has_sse41 && __get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) != 0 && (ebx & bit_SHA) != 0;
}

inline const bool is_here = has_instructions();

/// What four rounds change: the first word of anything lies in the highest lane.
struct progress {
  __m128i abcd;
  /// Four rounds ago: its first word, rotated, is the `e` of the next four. Before any, `e` itself.
  __m128i abcd_before;
  __m128i words[4];  ///< The last sixteen of the message schedule, in a ring.
};

template <std::size_t Group>
[[gnu::target("sha,sse4.1")]] inline void four_rounds(progress& p) noexcept {
  __m128i& words = p.words[Group % 4];
  if constexpr (Group >= 4) {
    const __m128i sum = _mm_xor_si128(_mm_sha1msg1_epu32(words, p.words[(Group + 1) % 4]),
                                      p.words[(Group + 2) % 4]);
    words = _mm_sha1msg2_epu32(sum, p.words[(Group + 3) % 4]);
  }
  const __m128i e_and_words =
      Group == 0 ? _mm_add_epi32(p.abcd_before, words) : _mm_sha1nexte_epu32(p.abcd_before, words);
  p.abcd_before = p.abcd;
  p.abcd = _mm_sha1rnds4_epu32(p.abcd, e_and_words, Group / 5);
}

template <std::size_t... Group>
[[gnu::target("sha,sse4.1")]] inline void all_rounds(progress& p,
                                                     std::index_sequence<Group...>) noexcept {
  (four_rounds<Group>(p), ...);
}

[[gnu::target("sha,sse4.1")]] inline __m128i load(const std::uint32_t* four) noexcept {
  return _mm_shuffle_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(four)), 0x1b);
}

/// Folds a block into `state`. Only if it `is_here`.
[[gnu::target("sha,sse4.1")]] inline void compress(
    std::array<std::uint32_t, 5>& state, const std::array<std::uint32_t, 16>& block) noexcept {
  const std::uint32_t* w = block.data();
  const __m128i abcd = load(state.data()), e = _mm_set_epi32(static_cast<int>(state[4]), 0, 0, 0);
  progress p{abcd, e, {load(w), load(w + 4), load(w + 8), load(w + 12)}};
  all_rounds(p, std::make_index_sequence<20>{});
  const __m128i sum = _mm_shuffle_epi32(_mm_add_epi32(p.abcd, abcd), 0x1b);
  _mm_storeu_si128(reinterpret_cast<__m128i*>(state.data()), sum);
  state[4] =
      static_cast<std::uint32_t>(_mm_extract_epi32(_mm_sha1nexte_epu32(p.abcd_before, e), 3));
}

}  // namespace bench::sha1_x86
#endif
