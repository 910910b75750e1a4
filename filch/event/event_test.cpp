#include <filch/event/emit.hpp>

#include <gtest/gtest.h>

#include <set>

namespace {

using namespace filch::event;

TEST(event, every_kind_has_its_own_name_and_meaning) {
  std::set<std::string_view> names;
  for (const description& each : schema) {
    EXPECT_FALSE(each.meaning.empty());
    names.insert(each.name);
  }
  EXPECT_EQ(names.size(), kind_count);
}

TEST(event, counters_count_what_is_emitted_and_nothing_else) {
  counters mine;
  emit(mine, kind::steal_won);
  emit(mine, kind::steal_won, 2);
  EXPECT_EQ(mine.count(kind::steal_won), 3u);
  EXPECT_EQ(mine.count(kind::steal_lost), 0u);
}

TEST(event, time_is_booked_on_exactly_one_activity) {
  counters mine;
  mine.change(activity::working, 100);
  mine.change(activity::searching, 150);
  mine.change(activity::parked, 175);
  EXPECT_EQ(mine.spent_ticks(activity::working, 200), 50u);
  EXPECT_EQ(mine.spent_ticks(activity::searching, 200), 25u);
  EXPECT_EQ(mine.spent_ticks(activity::parked, 200), 25u);
}

}  // namespace
