#pragma once
#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace filch::topo {

/// A folder that stands for the root of a file system and is gone with its owner.
class fake_tree {
 public:
  fake_tree() {
    std::string name = (std::filesystem::temp_directory_path() / "filch_topo_XXXXXX").string();
    EXPECT_NE(::mkdtemp(name.data()), nullptr) << name;
    root_ = name;
  }
  fake_tree(const fake_tree&) = delete;
  fake_tree& operator=(const fake_tree&) = delete;
  ~fake_tree() { std::filesystem::remove_all(root_); }

  std::string root() const { return root_.string(); }
  std::string path(std::string_view inside) const { return root() + std::string{inside}; }

  void write(std::string_view inside, std::string_view text) const {
    const std::filesystem::path target = path(inside);
    if (!std::filesystem::is_directory(target.parent_path())) {
      std::filesystem::create_directories(target.parent_path());
    }
    std::ofstream{target} << text;
  }
  void remove(std::string_view inside) const { std::filesystem::remove_all(path(inside)); }

 private:
  std::filesystem::path root_;
};

}  // namespace filch::topo
