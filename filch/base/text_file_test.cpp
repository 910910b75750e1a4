#include <filch/base/text_file.hpp>

#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace filch::inline v0_2::base {
namespace {

/// A file with `text` in it, removed with this.
struct own_file {
  explicit own_file(const std::string& text)
      : path{std::filesystem::temp_directory_path() /
             ("filch_text_file_test_" + std::to_string(::getpid()))} {
    std::ofstream{path} << text;
  }
  ~own_file() { std::filesystem::remove(path); }
  const std::string path;
};

TEST(text_file, a_file_longer_than_any_buffer_is_read_whole) {
  const std::string text(100'001, 'x');
  EXPECT_EQ(read_text(own_file{text}.path).text, text);
}

TEST(text_file, an_empty_file_is_no_error) { EXPECT_FALSE(read_text(own_file{""}.path).error); }

TEST(text_file, why_a_file_cannot_be_read_is_told) {
  EXPECT_EQ(read_text("/no/such/file").error, std::errc::no_such_file_or_directory);
  EXPECT_EQ(read_text(std::filesystem::temp_directory_path()).error, std::errc::is_a_directory);
}

}  // namespace
}  // namespace filch::base
