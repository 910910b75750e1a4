#pragma once
#include <unistd.h>

#include <filesystem>
#include <string>

namespace filch::inline v0_2::trace {

/// A file of this test's own, removed with it.
struct own_file {
  explicit own_file(const std::string& name)
      : path{std::filesystem::temp_directory_path() / (name + std::to_string(::getpid()))} {}
  ~own_file() { std::filesystem::remove(path); }
  const std::string path;
};

}  // namespace filch::trace
