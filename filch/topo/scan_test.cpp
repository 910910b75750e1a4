#include <filch/topo/scan.hpp>

#include <gtest/gtest.h>

#include <cstdint>

namespace filch::inline v0_2::topo {
namespace {

using parts = std::vector<std::string_view>;

TEST(scan, every_separator_splits) {
  EXPECT_EQ(split("a,,b,", ','), (parts{"a", "", "b", ""}));
  EXPECT_EQ(split("", ','), parts{""});
}

TEST(scan, a_newline_at_the_end_starts_no_line) {
  EXPECT_EQ(split_lines("a\n\nb\n"), (parts{"a", "", "b"}));
  EXPECT_EQ(split_lines("\n"), parts{});
  EXPECT_EQ(split_lines(""), parts{});
}

TEST(scan, a_number_is_the_whole_text_or_none) {
  EXPECT_EQ(parse_number<unsigned>("4294967295"), 4294967295u);
  EXPECT_EQ(parse_number<std::int64_t>("-1"), -1);
  for (const char* text : {"", " 1", "1 ", "+1", "-1", "4294967296", "1x"}) {
    EXPECT_EQ(parse_number<unsigned>(text), std::nullopt) << text;
  }
}

TEST(scan, white_space_is_dropped_at_both_ends_only) {
  EXPECT_EQ(trimmed(" \t a b\r\n"), "a b");
  EXPECT_EQ(trimmed(" \n"), "");
}

}  // namespace
}  // namespace filch::topo
