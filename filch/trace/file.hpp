#pragma once
#include <filch/event/recording.hpp>

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

namespace filch::inline v0_2::trace {

/// Thrown if bytes are no recording, or only a part of one. The message says what is wrong and
/// where.
class FILCH_EXPORT bad_file : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Writes a recording in filch's own format (`file_format.hpp`). `record::ticks` is left out: the
/// time is in `entry::at_ns`. A link stays, and its target is written; a pipe or a device is
/// written to as it is.
/// Throws: `std::system_error` naming the file. The old content then remains, unless no other file
/// can be made beside it.
/// Example: examples/trace_files.cpp
FILCH_EXPORT void write_file(const event::recording& what, const std::string& path);
/// The error with which `write_file` would fail there now, as far as that can be known. For filch's
/// own parts.
FILCH_EXPORT std::error_code what_prevents_writing(const std::string& path);
/// Reads one back. Throws: `std::system_error` naming the file; `bad_file` naming it too.
/// Example: examples/trace_files.cpp
FILCH_EXPORT event::recording read_file(const std::string& path);

/// The same without the file.
FILCH_EXPORT std::string to_bytes(const event::recording& what);
/// Throws: `bad_file`. For any bytes, the memory used is in proportion to them, and the result can
/// be walked: indices lie in their tables, times ascend.
FILCH_EXPORT event::recording from_bytes(std::string_view bytes);

}  // namespace filch::trace
