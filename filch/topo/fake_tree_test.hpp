#pragma once
#include <filch/base/scratch_folder.hpp>

#include <string>
#include <string_view>

namespace filch::inline v0_2::topo {

/// A folder that stands for the root of a file system, and is removed with its owner.
class fake_tree {
 public:
  std::string root() const { return folder_.string(); }
  std::string path(std::string_view inside) const { return root() + std::string{inside}; }

  void write(std::string_view inside, std::string_view text) const {
    folder_.write(inside.substr(1), std::string{text});
  }
  void remove(std::string_view inside) const { std::filesystem::remove_all(path(inside)); }

 private:
  base::scratch_folder folder_;
};

}  // namespace filch::topo
