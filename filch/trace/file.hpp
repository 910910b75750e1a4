#pragma once
#include <filch/event/recording.hpp>

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

namespace filch::trace {

/// Thrown where bytes are no recording, or only a part of one. The message says what is wrong and
/// where.
class bad_file : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Writes a recording in filch's own format (README, "The file"). `record::ticks` is left out: the
/// time is in `entry::at_ns`. A link goes on leading where it leads; a pipe or a device is written
/// to as it is.
/// Throws: `std::system_error` naming the file; what was there before is then still there, unless
/// no other file can be made beside it.
void write_file(const event::recording& what, const std::string& path);
/// What would keep `write_file` from writing there now, as far as it can be known.
std::error_code what_prevents_writing(const std::string& path);
/// Reads one back. Throws: `std::system_error` naming the file; `bad_file` naming it too.
event::recording read_file(const std::string& path);

/// The same without the file.
std::string to_bytes(const event::recording& what);
/// Throws: `bad_file`. Whatever the bytes, memory used is in proportion to them, and what comes
/// back can be walked: indices lie in their tables, times ascend.
event::recording from_bytes(std::string_view bytes);

}  // namespace filch::trace
