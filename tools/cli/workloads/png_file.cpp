#include <png.h>
#include <tools/cli/workloads/png_file.hpp>

#include <cerrno>
#include <system_error>

namespace filch::cli {

void write_png(const std::string& path, std::size_t width, std::size_t height,
               std::span<const std::uint8_t> brightness) {
  png_image picture{};
  picture.version = PNG_IMAGE_VERSION;
  picture.width = static_cast<png_uint_32>(width);
  picture.height = static_cast<png_uint_32>(height);
  picture.format = PNG_FORMAT_GRAY;
  errno = 0;
  if (png_image_write_to_file(&picture, path.c_str(), 0, brightness.data(), 0, nullptr) == 0) {
    const std::error_code reason{errno != 0 ? errno : EIO, std::generic_category()};
    throw std::system_error(reason, "cannot write " + path);
  }
}

}  // namespace filch::cli
