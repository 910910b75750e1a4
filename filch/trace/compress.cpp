#include <filch/trace/compress.hpp>

#include <filch/trace/file.hpp>

#if defined(FILCH_HAS_ZLIB)
#include <zlib.h>
#endif

namespace filch::inline v0_2::trace {

#if defined(FILCH_HAS_ZLIB)
bool has_compression() noexcept { return true; }

std::string compressed(std::string_view bytes) {
  auto size = ::compressBound(static_cast<uLong>(bytes.size()));
  std::string smaller(size, '\0');
  const int result = ::compress2(reinterpret_cast<Bytef*>(smaller.data()), &size,
                                 reinterpret_cast<const Bytef*>(bytes.data()),
                                 static_cast<uLong>(bytes.size()), Z_DEFAULT_COMPRESSION);
  if (result != Z_OK || size >= bytes.size()) return {};
  smaller.resize(size);
  return smaller;
}

std::string decompressed(std::string_view bytes, std::size_t size) {
  // Deflate makes nothing more than a thousand times smaller. A part that claims more would only
  // make us allocate too much memory.
  if (size / 1100 > bytes.size())
    throw bad_file("a compressed part claims to be " + std::to_string(size) +
                   " bytes, which is impossible");
  std::string whole(size, '\0');
  auto given = static_cast<uLongf>(size);
  const int result =
      ::uncompress(reinterpret_cast<Bytef*>(whole.data()), &given,
                   reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uLong>(bytes.size()));
  if (result != Z_OK || given != size) throw bad_file("a compressed part is damaged");
  return whole;
}
#else
bool has_compression() noexcept { return false; }
std::string compressed(std::string_view) { return {}; }
std::string decompressed(std::string_view, std::size_t) {
  throw bad_file("the file is compressed, and this filch was built without zlib");
}
#endif

}  // namespace filch::trace
