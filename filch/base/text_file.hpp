#pragma once
#include <filch/base/language.hpp>

#include <string>
#include <system_error>

namespace filch::base {

/// What a file said, or why it said nothing.
struct file_text {
  std::string text;
  std::error_code error;  ///< Set where the file could not be read; `text` is then empty.
};

/// Reads a whole file of unknown length, as those in /proc and /sys are.
/// Cost: four system calls, 4 to 9 us for a file of the kernel's.
file_text read_text(const std::string& path);

}  // namespace filch::base
