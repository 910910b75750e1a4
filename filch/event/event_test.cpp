#include <filch/event/details.hpp>
#include <filch/event/recording.hpp>

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
  count_event(mine, kind::steal_won);
  count_event(mine, kind::steal_won, details::times(2));
  EXPECT_EQ(mine.count(kind::steal_won), 3u);
  EXPECT_EQ(mine.count(kind::steal_lost), 0u);
}

TEST(event, time_is_booked_on_exactly_one_activity) {
  counters mine;
  mine.change(activity::working, 100);
  mine.change(activity::searching, 150);
  mine.change(activity::parked, 175);
  EXPECT_EQ(spent_ticks(mine, activity::working, 200), 50u);
  EXPECT_EQ(spent_ticks(mine, activity::searching, 200), 25u);
  EXPECT_EQ(spent_ticks(mine, activity::parked, 200), 25u);
}

// Word by word, while the worker changes them: whichever of them are old, and whichever new.
TEST(event, an_interval_that_ends_while_it_is_read_is_told_once) {
  using namespace counter_words;
  counters mine;
  mine.change(activity::working, 100);
  mine.change(activity::searching, 150);
  const counted before = mine.read();
  mine.change(activity::working, 180);
  const counted after = mine.read();
  const std::array changed{ticks_of(measure::searching), account_of(activity::searching),
                           account_of(activity::working), doing, since_ticks};
  for (unsigned are_new = 0; are_new < 1u << changed.size(); ++are_new) {
    counted torn = before;
    for (std::size_t i = 0; i < changed.size(); ++i) {
      if ((are_new >> i & 1) != 0) torn.words[changed[i]] = after.words[changed[i]];
    }
    EXPECT_EQ(spent_ticks(torn, activity::searching, 180), 30u) << are_new;
    EXPECT_EQ(spent_ticks(torn, activity::working, 180), 50u) << are_new;
    EXPECT_EQ(spent_ticks(torn, activity::parked, 180), 0u) << are_new;
  }
}

TEST(event, a_clock_that_was_read_before_an_interval_began_takes_nothing_off) {
  counters mine;
  mine.change(activity::working, 100);
  mine.change(activity::searching, 150);
  mine.change(activity::working, 180);
  mine.change(activity::parked, 200);
  EXPECT_EQ(spent_ticks(mine, activity::parked, 190), 0u);
  mine.change(activity::working, 300);
  EXPECT_EQ(spent_ticks(mine, activity::working, 290), 70u);
  EXPECT_EQ(spent_ticks(mine, activity::working, 310), 80u);
}

TEST(event, nobody_was_away_before_the_first_change) {
  counters mine;
  EXPECT_EQ(mine.change(activity::working, 100), 0u);
  EXPECT_EQ(spent_ticks(mine, activity::away, 200), 0u);
}

TEST(event, what_no_record_has_room_for_stands_in_several) {
  for (const std::uint64_t whole : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{record::most},
                                    std::uint64_t{record::most} + 1, std::uint64_t{60'000'000}}) {
    std::uint64_t sum = 0, count = 0;
    in_amounts(whole, [&](std::uint32_t part) {
      EXPECT_TRUE(part > 0 && part <= record::most);
      sum += part;
      ++count;
    });
    EXPECT_EQ(sum, whole);
    EXPECT_EQ(count, (whole + record::most - 1) / record::most);
  }
}

TEST(event, durations_fall_into_classes_by_powers_of_two) {
  EXPECT_EQ(class_of(0), 0u);
  for (std::size_t k = 1; k + 1 < duration_classes; ++k) {
    EXPECT_EQ(class_of(end_of_class(k) - 1), k);
    EXPECT_EQ(class_of(end_of_class(k)), k + 1);
  }
  EXPECT_EQ(class_of(~std::uint64_t{0}), duration_classes - 1);
}

TEST(event, what_is_read_is_what_was_counted_and_nothing_else) {
  counters mine;
  mine.add(kind::nap, 3);
  mine.change(activity::parked, 1000);
  EXPECT_EQ(mine.change(activity::working, 1500), 500u);
  mine.classify(measure::parked, 5);
  mine.add_duration(measure::waking, 70, 9);
  const counted read = mine.read();
  EXPECT_EQ(read.count(kind::nap), 3u);
  EXPECT_EQ(read.doing(), activity::working);
  EXPECT_EQ(read.ended_ticks(measure::parked), 500u);
  EXPECT_EQ(spent_ticks(read, activity::parked, 1600), 500u);
  EXPECT_EQ(spent_ticks(read, activity::working, 1600), 100u)
      << "the interval that lasts is part of it";
  EXPECT_EQ(read.ended_ticks(measure::working), 0u);
  EXPECT_EQ(read.ended_ticks(measure::waking), 70u);
  std::uint64_t durations = 0;
  for (std::size_t k = 0; k < duration_classes; ++k)
    durations += read.in_class(measure::parked, k) + read.in_class(measure::waking, k);
  EXPECT_EQ(durations, 2u);
  EXPECT_EQ(read.in_class(measure::parked, 3), 1u) << "5 us are less than 8";
  EXPECT_EQ(read.in_class(measure::waking, 4), 1u);
}

TEST(record, comes_back_from_its_two_words) {
  const record full{
      ~std::uint64_t{0}, kind::thread_started, activity::parked, ready_work::some, 1022, 65534,
      record::most - 1};
  EXPECT_EQ(record::unpack(full.pack()), full);
  const record bare{
      7, kind::steal_won, activity::working, ready_work::not_looked, record::nobody, record::nobody,
      0};
  EXPECT_EQ(record::unpack(bare.pack()), bare);
}

TEST(record, keeps_an_amount_that_is_too_great_as_the_greatest) {
  record much;
  much.amount = ~std::uint32_t{0};
  EXPECT_EQ(record::unpack(much.pack()).amount, record::most);
  EXPECT_EQ(record::unpack(much.pack()).what, much.what) << "the fields beside it are untouched";
}

TEST(event, every_activity_has_the_name_of_its_enumerator) {
  EXPECT_EQ(name_of(activity::away), "away");
  EXPECT_EQ(name_of(activity::blocked), "blocked");
  EXPECT_EQ(name_of(activity::parked), "parked");
  EXPECT_EQ(name_of(ready_work::some), "some");
  EXPECT_EQ(std::set<std::string_view>(activity_names.begin(), activity_names.end()).size(),
            activity_count);
}

TEST(call_site, is_called_by_the_best_that_is_known_of_it) {
  EXPECT_EQ(text_of(call_site{}), "unknown");
  EXPECT_EQ(text_of(call_site{0x4010, "", 0, ""}), "0x4010");
  EXPECT_EQ(text_of(call_site{0x4010, "/opt/app", 0x10, ""}), "app+0x10");
  EXPECT_EQ(text_of(call_site{0x4010, "/opt/app", 0x10, "main"}), "main");
}

TEST(recording, begins_empty) { EXPECT_TRUE(recording{}.entries.empty()); }

}  // namespace
