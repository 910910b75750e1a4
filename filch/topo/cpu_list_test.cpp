#include <filch/topo/cpu_list.hpp>

#include <gtest/gtest.h>

namespace filch::inline v0_2::topo {
namespace {

using cpus = std::vector<unsigned>;

TEST(cpu_list, single_numbers_and_ranges_are_read) {
  EXPECT_EQ(parse_cpu_list("0-3,8,10-11\n"), (cpus{0, 1, 2, 3, 8, 10, 11}));
  EXPECT_EQ(parse_cpu_list("7"), (cpus{7}));
  EXPECT_EQ(parse_cpu_list("1023-1025"), (cpus{1023, 1024, 1025}));
}

TEST(cpu_list, an_empty_list_is_an_empty_set) {
  EXPECT_EQ(parse_cpu_list(""), cpus{});
  EXPECT_EQ(parse_cpu_list("\n"), cpus{});
}

TEST(cpu_list, rubbish_is_refused_whole) {
  for (const char* text :
       {"x", "0-", "-3", "3-1", "0,,1", "0,", ",0", "0 1", "0-1-2", "0x3", "1.5", "+1", "0-3\n4"}) {
    EXPECT_EQ(parse_cpu_list(text), std::nullopt) << text;
  }
}

TEST(cpu_list, lists_that_no_kernel_writes_are_refused) {
  EXPECT_EQ(parse_cpu_list("4,2"), std::nullopt) << "unsorted";
  EXPECT_EQ(parse_cpu_list("0-3,3"), std::nullopt) << "overlapping";
}

TEST(cpu_list, huge_numbers_are_refused_before_memory_is_asked_for) {
  EXPECT_EQ(parse_cpu_list("0-4294967295"), std::nullopt);
  EXPECT_EQ(parse_cpu_list("99999999999999999999"), std::nullopt);
  EXPECT_EQ(parse_cpu_list(std::to_string(max_cpu_number)), std::nullopt);
  EXPECT_EQ(parse_cpu_list(std::to_string(max_cpu_number - 1)), cpus{max_cpu_number - 1});
}

TEST(cpu_list, what_is_written_reads_back) {
  for (const char* text : {"", "0", "0-1", "0-3,8,10-11", "1,3,5", "65535"}) {
    EXPECT_EQ(format_cpu_list(parse_cpu_list(text).value()), text);
  }
}

}  // namespace
}  // namespace filch::topo
