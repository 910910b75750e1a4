#include <filch/sched/parking/index_table.hpp>

#include <gtest/gtest.h>

namespace {

using filch::sched::index_table;

TEST(index_table, gives_the_lowest_place_that_was_put_back) {
  index_table places{200};
  EXPECT_EQ(places.take(), index_table::none);
  for (unsigned i = 0; i < 200; ++i) places.note_use(i);
  for (const unsigned left : {130u, 7u, 64u}) places.put_back(left);
  for (const unsigned expected : {7u, 64u, 130u}) EXPECT_EQ(places.take(), expected);
  EXPECT_EQ(places.take(), index_table::none);
}

TEST(index_table, is_bounded_by_the_highest_place_in_use) {
  index_table places{200};
  EXPECT_EQ(places.bound(), 0u);
  for (unsigned i = 0; i < 200; ++i) places.note_use(i);
  EXPECT_EQ(places.bound(), 200u);
  for (unsigned i = 3; i < 200; ++i) places.put_back(i);
  EXPECT_EQ(places.bound(), 3u) << "a thousand threads that have gone cost nobody a look";
  places.put_back(1);
  EXPECT_EQ(places.bound(), 3u);
  places.put_back(2);
  EXPECT_EQ(places.bound(), 1u);
  EXPECT_EQ(places.take(), 1u);
  EXPECT_EQ(places.bound(), 2u);
}

}  // namespace
