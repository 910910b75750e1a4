#include <filch/topo/text_file.hpp>

#include <filch/topo/fake_tree_test.hpp>

#include <gtest/gtest.h>

namespace filch::topo {
namespace {

TEST(text_file, a_file_longer_than_any_buffer_is_read_whole) {
  const fake_tree tree;
  const std::string text(100'001, 'x');
  tree.write("/long", text);
  EXPECT_EQ(read_text(tree.path("/long")).text, text);
}

TEST(text_file, an_empty_file_is_no_error) {
  const fake_tree tree;
  tree.write("/empty", "");
  EXPECT_FALSE(read_text(tree.path("/empty")).error);
}

TEST(text_file, why_a_file_cannot_be_read_is_told) {
  const fake_tree tree;
  EXPECT_EQ(read_text(tree.path("/absent")).error, std::errc::no_such_file_or_directory);
  EXPECT_EQ(read_text(tree.root()).error, std::errc::is_a_directory);
}

}  // namespace
}  // namespace filch::topo
