#include <filch/base/process_stat.hpp>

#include <gtest/gtest.h>

#include <string>

namespace filch::inline v0_2::base {
namespace {

TEST(process_stat, is_counted_from_the_end_of_a_name_that_may_hold_anything) {
  const std::string fields =
      " 1 5 5 0 -1 4194304 90 0 0 0 0 0 0 0 20 0 17 0 123456 2500000 400 1844";
  for (const char* name : {"(a program)", "(a (b) c)", "())", "(S 1 2)"}) {
    const auto found = parse_process_stat("5 " + std::string{name} + " S" + fields);
    ASSERT_TRUE(found) << name;
    EXPECT_EQ(found->state, 'S');
    EXPECT_EQ(found->threads, 17u);
    EXPECT_EQ(found->start_ticks, 123'456u);
  }
}

TEST(process_stat, says_nothing_where_there_is_none) {
  for (const char* text : {"", ")", "1 (a)", "1 (a) ", "1 (a)  5 5", "1 (a) S", "1 (a) S 1 2 3",
                           "1 (a) S 1 5 5 0 -1 4194304 90 0 0 0 0 0 0 0 20 0 x 0 9",
                           "1 (a) S 1 5 5 0 -1 4194304 90 0 0 0 0 0 0 0 20 0 1 0 -9"})
    EXPECT_FALSE(parse_process_stat(text)) << text;
  EXPECT_FALSE(read_process_stat("/no/such/file"));
}

}  // namespace
}  // namespace filch::base
