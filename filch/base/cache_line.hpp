#pragma once
#include <filch/base/language.hpp>

#include <cstddef>

namespace filch::inline v0_2::base {

/// Bytes that two cores must not share for writing. 64 on x86-64; Arm and POWER parts prefetch or
/// own 128.
#if defined(__x86_64__) || defined(__i386__)
inline constexpr std::size_t cache_line_bytes = 64;
#else
inline constexpr std::size_t cache_line_bytes = 128;
#endif

}  // namespace filch::base
