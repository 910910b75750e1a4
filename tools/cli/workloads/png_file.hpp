#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace filch::cli {

/// Writes a picture of one byte a pixel, its brightness. Throws: std::system_error naming the file.
void write_png(const std::string& path, std::size_t width, std::size_t height,
               std::span<const std::uint8_t> brightness);

}  // namespace filch::cli
