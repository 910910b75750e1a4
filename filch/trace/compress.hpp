#pragma once
#include <filch/base/language.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace filch::inline v0_2::trace {

/// Whether this build has zlib.
bool has_compression() noexcept;
/// The bytes by deflate; empty if this build has no zlib or they would not shrink.
std::string compressed(std::string_view bytes);
/// Throws: `bad_file` if `compressed` did not make them of `size` bytes, or this build has no zlib.
std::string decompressed(std::string_view bytes, std::size_t size);

}  // namespace filch::trace
