#include <bench/harness/settling.hpp>
#include <gtest/gtest.h>

namespace {

using namespace bench::settling;

TEST(settling, ranks_are_those_of_the_python_side) {
  const std::vector<std::size_t> expected{0, 0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 3};
  for (std::size_t count = 0; count < expected.size(); ++count)
    EXPECT_EQ(rank(count), expected[count]) << count << " samples";
}

TEST(settling, two_percent_to_either_side_is_settled_and_more_is_not) {
  EXPECT_TRUE(is_settled({100, 98, 102, 99, 101}));
  EXPECT_FALSE(is_settled({100, 97.9, 102, 99, 101}));
  EXPECT_FALSE(is_settled({100, 98, 102.1, 99, 101}));
  EXPECT_FALSE(is_settled({100, 100, 100, 100})) << "four samples cannot tell";
  EXPECT_TRUE(is_settled({1, 100, 100, 100, 101, 99, 100, 900}));
}

}  // namespace
