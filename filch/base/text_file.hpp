#pragma once
#include <filch/base/language.hpp>

#include <string>
#include <system_error>

namespace filch::inline v0_2::base {

/// The content of a file, or the error.
struct file_text {
  std::string text;
  std::error_code error;  ///< Set if the file could not be read; `text` is then empty.
};

/// Reads a whole file of unknown length, such as those in /proc and /sys.
/// Cost: four system calls, 4 to 9 us for a file of the kernel's.
file_text read_text(const std::string& path);

}  // namespace filch::base
