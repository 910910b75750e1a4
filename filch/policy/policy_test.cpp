// The decisions are pure, so each claim is a computation.
#include <filch/policy/grain.hpp>
#include <filch/policy/priority.hpp>
#include <filch/policy/stealing.hpp>
#include <filch/policy/tuning.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <utility>

namespace {

using namespace filch::policy;

TEST(victim, a_round_visits_every_worker_once) {
  for (std::uint32_t count = 1; count <= 64; ++count) {
    for (std::uint64_t draw = 0; draw < 8; ++draw) {
      std::set<std::uint32_t> seen;
      std::uint32_t at = first_victim(draw << 40, count, nobody);
      for (std::uint32_t i = 0; i < count; ++i, at = (at + round_stride(draw, count)) % count)
        seen.insert(at);
      ASSERT_EQ(seen.size(), count);
    }
  }
}

TEST(victim, starts_are_spread_evenly) {
  filch::base::split_mix64 random{7};
  int hits[8] = {};
  for (int i = 0; i < 80'000; ++i) ++hits[first_victim(random(), 8, nobody)];
  for (const int each : hits) EXPECT_NEAR(each, 10'000, 500);
}

TEST(victim, the_remembered_one_comes_before_neighbours_and_these_before_anybody) {
  EXPECT_EQ(first_victim(0, 8, 3, 5), 3u);
  EXPECT_EQ(first_victim(0, 8, nobody, 5), 5u);
  EXPECT_EQ(first_victim(0, 8, nobody, 9), 0u) << "a worker that does not exist yet";
}

TEST(victim, a_quarter_of_the_rounds_begins_anywhere) {
  filch::base::split_mix64 random{7};
  int hits[3] = {};
  for (int i = 0; i < 40'000; ++i) ++hits[static_cast<int>(reach_of(random()))];
  EXPECT_NEAR(hits[static_cast<int>(reach::cache)], 20'000, 500);
  EXPECT_NEAR(hits[static_cast<int>(reach::node)], 10'000, 500);
  EXPECT_NEAR(hits[static_cast<int>(reach::anywhere)], 10'000, 500);
}

TEST(grain, doubles_while_leaves_are_short_and_halves_when_they_are_long) {
  grain pace;
  for (int i = 0; i < 10; ++i) pace.observe(pace.items(), 100, 2500);
  EXPECT_EQ(pace.items(), 1024u);
  pace.observe(1024, 100 * 2500, 2500);
  EXPECT_EQ(pace.items(), 512u);
}

TEST(grain, a_fixed_chunk_is_short_where_there_are_few_items_and_never_empty) {
  EXPECT_EQ(fixed_chunk(1, 1024), 1u);
  EXPECT_EQ(fixed_chunk(1'280, 1024), 10u);
  EXPECT_EQ(fixed_chunk(1'000'000, 1024), 1024u);
}

TEST(grain, a_short_leaf_of_fewer_items_than_allowed_says_nothing) {
  grain pace;
  for (int i = 0; i < 4; ++i) pace.observe(pace.items(), 100, 2500);
  pace.observe(3, 100, 2500);
  EXPECT_EQ(pace.items(), 16u);
}

TEST(thief_tuning, is_spent_after_vain_rounds_and_comes_back_with_work) {
  thief_tuning mine;
  for (std::uint64_t i = 0; i < thief_tuning::steals::min; ++i) mine.came_too_late();
  EXPECT_TRUE(mine.is_spent());
  mine.ran_fork(thief_tuning::worthwhile_us);
  EXPECT_FALSE(mine.is_spent());
}

TEST(thief_tuning, is_spent_with_jobs_that_their_owner_would_have_done_sooner) {
  thief_tuning mine;
  for (std::uint64_t i = 0; i < thief_tuning::steals::min; ++i) {
    EXPECT_FALSE(mine.is_spent());
    mine.ran_fork(cost::steal_fork / 1000 - 1);
  }
  EXPECT_TRUE(mine.is_spent());
}

TEST(thief_tuning, lives_on_one_good_job_among_many_small_ones) {
  thief_tuning mine;
  for (int i = 0; i < 10'000; ++i) {
    mine.ran_fork(i % 32 == 0 ? 100 : 0);
    ASSERT_FALSE(mine.is_spent()) << "after job " << i;
  }
}

TEST(thief_tuning, small_jobs_whose_owner_is_stuck_without_a_thief_are_served_longer_each_time) {
  thief_tuning mine;
  int served = 0, before = 0;
  for (int times = 0; times < 5; ++times, before = served, served = 0) {
    for (; !mine.is_spent(); ++served) mine.ran_fork(0);
    EXPECT_GT(served, before);
    mine.rest();
    mine.next_park_us();
    mine.owner_was_stuck();
  }
}

TEST(check_interval, looks_seldom_between_short_jobs_and_at_each_that_comes_late) {
  constexpr std::uint64_t patience = 1'000;
  check_interval mine;
  std::uint64_t now = 0;
  const auto jobs_until_a_look = [&](std::uint64_t length) {
    unsigned jobs = 1;
    while (!mine.is_time([&] { return now += length; }, patience)) ++jobs;
    mine.looked(now, now);
    return jobs;
  };
  for (int i = 0; i < 10; ++i) jobs_until_a_look(1);
  EXPECT_EQ(jobs_until_a_look(1), check_interval::jobs::max);
  EXPECT_EQ(jobs_until_a_look(100), 11u) << "no later than the patience allows";
  for (int i = 0; i < 10; ++i) jobs_until_a_look(1);
  EXPECT_EQ(jobs_until_a_look(1'000'000), 1u) << "although the ones before were short";
  EXPECT_EQ(jobs_until_a_look(1'000'000), 1u);
}

TEST(check_interval, looks_at_each_job_while_timers_are_due_but_leaves_every_sixteenth_to_others) {
  check_interval mine;
  unsigned looks = 0;
  for (unsigned jobs = 0; jobs != 1700; ++jobs) {
    if (!mine.is_time([] { return std::uint64_t{0}; }, 1'000)) continue;
    mine.looked(0, 0);
    mine.found_one();
    ++looks;
  }
  EXPECT_EQ(looks, 1600u);
}

TEST(timer_backoff, is_none_where_timers_are_rare_or_stay) {
  timer_backoff mine;
  constexpr std::uint64_t due = 1'000'000;
  EXPECT_EQ(mine.looks_at(due, due - 300'000), due);
  EXPECT_LE(mine.looks_at(due, due + timer_backoff::moment_ns), due + timer_backoff::moment_ns)
      << "nobody has taken it";
  EXPECT_EQ(mine.looks_at(2 * due, due + 300'000), 2 * due);
}

TEST(timer_backoff,
     lasts_while_those_who_work_take_what_is_due_however_late_it_is_and_looks_ever_more_seldom) {
  timer_backoff mine;
  std::uint64_t now = 1'000'000, length = 0;
  mine.looks_at(now - 800'000, now);
  for (int i = 0; i < 10; ++i, now += length) {
    const std::uint64_t before = std::exchange(length, mine.looks_at(now - 700'000, now) - now);
    ASSERT_GE(length, std::max(before, timer_backoff::moment_ns));
  }
  EXPECT_EQ(length, timer_backoff::interval::max);
  EXPECT_LE(mine.looks_at(now - length - 700'000, now), now) << "the one that it has seen before";
  EXPECT_EQ(mine.looks_at(now + 1'000'000, now), now + 1'000'000);
}

TEST(ready_steal_backoff, grows_with_each_small_job_up_to_a_bound_and_ends_with_a_worthwhile_one) {
  ready_steal_backoff mine;
  EXPECT_EQ(mine.pause_ns(), 0u);
  std::uint64_t before = 0;
  for (; mine.pause_ns() != ready_steal_backoff::pause::max; before = mine.pause_ns()) {
    mine.ran_job(cost::steal_ready - 1);
    ASSERT_GT(mine.pause_ns(), before);
  }
  mine.ran_job(0);
  EXPECT_EQ(mine.pause_ns(), ready_steal_backoff::pause::max);
  mine.ran_job(cost::steal_ready);
  EXPECT_EQ(mine.pause_ns(), 0u);
}

TEST(ready_steal_backoff, ends_where_jobs_stay_that_their_owner_does_not_get_to) {
  constexpr std::uint64_t pause = ready_steal_backoff::pause::max,
                          quick = pause / cost::steal_ready;
  const auto left_after = [](std::uint64_t count, std::uint64_t left) {
    ready_steal_backoff mine;
    while (mine.pause_ns() != pause) mine.ran_job(0);
    mine.others_took(count, left, pause);
    return mine.pause_ns();
  };
  EXPECT_EQ(left_after(0, 1000), 0u);
  EXPECT_EQ(left_after(quick - 1, 1000), 0u);
  EXPECT_EQ(left_after(quick, 1000), pause) << "the owner does them as fast as a thief";
  EXPECT_EQ(left_after(3, 3), pause) << "nothing stayed";
}

TEST(poll_interval, grows_up_to_a_bound_where_it_is_kept_and_begins_anew_where_it_is_not) {
  poll_interval mine;
  EXPECT_EQ(mine.us(), poll_interval::interval::min);
  mine.came_back();
  EXPECT_EQ(mine.us(), 2 * poll_interval::interval::min);
  for (int i = 0; i < 100; ++i) mine.came_back();
  EXPECT_EQ(mine.us(), poll_interval::interval::max);
  mine.stayed_away();
  EXPECT_EQ(mine.us(), poll_interval::interval::min);
}

TEST(single_arrivals, are_usual_after_some_in_a_row_until_a_whole_look_finds_more) {
  single_arrivals mine;
  for (int i = 0; i < single_arrivals::in_a_row; ++i) {
    EXPECT_FALSE(mine.are_usual()) << i;
    mine.came(0);
    mine.came(1);
  }
  for (int whole = 0; whole < 3; ++whole) {
    for (int i = 0; i < single_arrivals::in_a_row; ++i) {
      EXPECT_TRUE(mine.are_usual()) << i;
      mine.came(1);
    }
    EXPECT_FALSE(mine.are_usual()) << "now and then a look goes on to the end";
    mine.came(0);
    EXPECT_FALSE(mine.are_usual()) << "which finds nothing";
    if (whole < 2) mine.came(1);
  }
  mine.came(2);
  for (int i = 0; i < single_arrivals::in_a_row; ++i) {
    EXPECT_FALSE(mine.are_usual()) << i;
    mine.came(1);
  }
  EXPECT_TRUE(mine.are_usual());
}

TEST(thief_tuning, searches_get_shorter_in_vain_and_longer_with_luck) {
  thief_tuning mine;
  for (int i = 0; i < 10; ++i) mine.searched_in_vain();
  EXPECT_EQ(mine.search_us(), thief_tuning::search_interval::min);
  for (int i = 0; i < 10; ++i) mine.found_work();
  EXPECT_EQ(mine.search_us(), thief_tuning::search_interval::max);
}

TEST(thief_tuning, timed_parks_double_up_to_the_longest_and_start_over_with_worthwhile_work) {
  thief_tuning mine;
  std::uint64_t last = 0;
  for (int i = 0; i < 20; ++i) last = mine.next_park_us();
  EXPECT_EQ(last, thief_tuning::park_interval::max);
  mine.ran_fork(cost::steal_fork / 1000);
  EXPECT_EQ(mine.next_park_us(), thief_tuning::park_interval::max);
  mine.ran_fork(thief_tuning::worthwhile_us);
  EXPECT_EQ(mine.next_park_us(), thief_tuning::park_interval::min);
}

TEST(gives_slot_away, to_other_work_once_a_hand_over_would_be_done_and_else_once_a_wake_would) {
  for (const bool work_waits : {false, true})
    EXPECT_FALSE(gives_slot_away(cost::hand_over, work_waits));
  EXPECT_TRUE(gives_slot_away(cost::hand_over + 1, true));
  EXPECT_FALSE(gives_slot_away(cost::wake, false));
  EXPECT_TRUE(gives_slot_away(cost::wake + 1, false));
}

TEST(eager_exposure, begins_with_a_long_robbery_and_ends_when_nobody_comes) {
  eager_exposure mine;
  EXPECT_FALSE(mine.no_thief_came(1'000)) << "nobody was ever there";
  EXPECT_FALSE(mine.thieves_came(eager_exposure::least_us - 1)) << "short jobs are left alone";
  EXPECT_TRUE(mine.is_over());
  EXPECT_TRUE(mine.thieves_came(eager_exposure::least_us));
  std::uint32_t offers = 0;
  while (offers <= eager_exposure::in_vain::most && mine.no_thief_came(eager_exposure::least_us))
    ++offers;
  EXPECT_EQ(offers, eager_exposure::in_vain::most);
  EXPECT_TRUE(mine.is_over());
}

TEST(eager_exposure,
     what_comes_soon_after_the_last_is_not_made_and_costs_nothing_of_those_to_come) {
  eager_exposure mine;
  mine.thieves_came(eager_exposure::least_us);
  for (int i = 0; i < 100; ++i) EXPECT_FALSE(mine.no_thief_came(eager_exposure::least_us - 1));
  EXPECT_TRUE(mine.no_thief_came(eager_exposure::least_us));
}

TEST(expose, halving_ends_with_nothing_public) {
  std::uint32_t left = 1000;
  int steps = 0;
  while (left != 0) {
    left = kept_public(left);
    ++steps;
  }
  EXPECT_EQ(steps, 10);
}

}  // namespace
