#pragma once
#include <filch/base/language.hpp>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>

namespace filch::inline v0_2::base {

/// A folder for temporary files.
class scratch_folder {
 public:
  scratch_folder() {
    std::string name = std::filesystem::temp_directory_path() / "filch_XXXXXX";
    if (::mkdtemp(name.data()) == nullptr)
      throw std::system_error{errno, std::generic_category(), "mkdtemp " + name};
    path_ = name;
  }
  scratch_folder(const scratch_folder&) = delete;
  scratch_folder& operator=(const scratch_folder&) = delete;
  ~scratch_folder() {
    std::error_code ignored;  // the folder for temporary files has the rest
    std::filesystem::remove_all(path_, ignored);
  }

  std::filesystem::path operator/(const std::filesystem::path& name) const { return path_ / name; }
  std::string string() const { return path_.string(); }

  /// Writes a file with this text, and makes the folders above it. Returns its path.
  std::filesystem::path write(const std::filesystem::path& name, const std::string& text) const {
    const std::filesystem::path target = path_ / name;
    if (!is_directory(target.parent_path())) create_directories(target.parent_path());
    std::ofstream{target, std::ios::binary} << text;
    return target;
  }

 private:
  std::filesystem::path path_;
};

}  // namespace filch::base
