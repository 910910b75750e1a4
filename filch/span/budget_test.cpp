// Recordings with accounts worked out by hand.
#include <filch/span/budget.hpp>
#include <filch/span/scene_test.hpp>

#include <gtest/gtest.h>

#include <cstdint>

namespace {

using namespace filch::span;
using filch::event::activity;
using filch::event::kind;
using filch::event::ready_work;

constexpr auto none = scene::no_slot;

TEST(budget, of_an_empty_recording_is_empty) {
  const budget b = account_of(lay_out(scene{4, 0}.end(0), 0));
  EXPECT_EQ(b.total_ns(), 0);
  EXPECT_EQ(b.share(use::working), 0.0);
}

TEST(budget, slots_that_nobody_ever_took_are_starved) {
  const budget b = account_of(lay_out(scene{4, 0}.end(1000), 0));
  EXPECT_EQ(b[use::starved], 4000);
}

TEST(budget, every_state_with_a_slot_has_its_use) {
  const budget b = account_of(lay_out(scene{1, 1}
                                          .turn(100, 0, activity::searching, 0)
                                          .turn(300, 0, activity::working, 0)
                                          .turn(600, 0, activity::waiting, 0)
                                          .turn(1000, 0, activity::blocked, 0)
                                          .turn(1500, 0, activity::blocked)
                                          .end(2000),
                                      0));
  EXPECT_EQ(b[use::starved], 100 + 500);
  EXPECT_EQ(b[use::searching], 200);
  EXPECT_EQ(b[use::working], 300);
  EXPECT_EQ(b[use::waiting], 400);
  EXPECT_EQ(b[use::blocked], 500);
  EXPECT_DOUBLE_EQ(b.parallelism(), 0.15);
}

TEST(budget, stealing_lasts_from_a_probe_to_its_answer_and_from_a_job_won_to_its_begin) {
  const budget b = account_of(lay_out(scene{1, 1}
                                          .turn(0, 0, activity::searching, 0)
                                          .say(100, 0, kind::steal_tried, activity::searching, 0)
                                          .say(110, 0, kind::steal_lost, activity::searching, 0)
                                          .say(200, 0, kind::steal_tried, activity::searching, 0)
                                          .say(220, 0, kind::steal_won, activity::searching, 0)
                                          .turn(250, 0, activity::working, 0)
                                          .say(260, 0, kind::wake_sent, activity::working, 0)
                                          .say(300, 0, kind::job_run, activity::working, 0)
                                          .end(1000),
                                      0));
  EXPECT_EQ(b[use::stealing], 10 + 100);
  EXPECT_EQ(b[use::searching], 100 + 90);
  EXPECT_EQ(b[use::working], 700);
}

TEST(budget, a_free_slot_is_neglected_from_the_look_that_saw_work_until_somebody_takes_some) {
  const budget b = account_of(lay_out(scene{2, 2}
                                          .turn(0, 0, activity::working, 0)
                                          .turn(100, 1, activity::parked, none, ready_work::none)
                                          .turn(200, 1, activity::parked, none, ready_work::some)
                                          .turn(500, 1, activity::parked, none, ready_work::none)
                                          .turn(600, 1, activity::parked, none, ready_work::some)
                                          .say(700, 0, kind::job_run, activity::working, 0)
                                          .end(1000),
                                      0));
  EXPECT_EQ(b[use::neglected], 300 + 100);
  EXPECT_EQ(b[use::starved], 600);
}

TEST(budget, a_free_slot_is_neglected_while_a_wake_is_on_its_way) {
  const timeline t = lay_out(scene{2, 2}
                                 .turn(0, 0, activity::working, 0)
                                 .say(100, 0, kind::wake_sent, activity::working, 0, {.other = 1})
                                 .turn(350, 1, activity::searching, 1)
                                 .end(1000),
                             0);
  EXPECT_EQ(account_of(t)[use::neglected], 250);
  EXPECT_EQ(account_of(t)[use::starved], 100);
  EXPECT_EQ(t.vacancies.at(1).woken_for, 1u);
}

TEST(budget, a_wake_of_a_worker_that_has_a_slot_takes_none) {
  const budget b =
      account_of(lay_out(scene{3, 2}
                             .turn(0, 0, activity::working, 0)
                             .turn(0, 1, activity::searching, 1)
                             .say(100, 0, kind::wake_sent, activity::working, 0, {.other = 1})
                             .end(1000),
                         0));
  EXPECT_EQ(b[use::neglected], 0);
}

TEST(budget, lost_records_leave_a_gap_no_wider_than_the_slots_that_are_free) {
  const budget b = account_of(lay_out(scene{2, 4}
                                          .lose_until(400, 1)
                                          .lose_until(400, 2)
                                          .lose_until(400, 3)
                                          .turn(0, 0, activity::working, 0)
                                          .turn(400, 1, activity::working, 1)
                                          .end(1000),
                                      0));
  EXPECT_EQ(b[use::unknown], 400)
      << "one slot is known to be held, so three lost workers can have held the other one only";
  EXPECT_EQ(b[use::working], 1000 + 600);
}

TEST(budget, a_worker_of_which_nothing_is_left_stays_unknown) {
  const timeline t = lay_out(scene{1, 1}.lose_until(2000, 0).end(1000), 0);
  EXPECT_EQ(account_of(t)[use::unknown], 1000);
  EXPECT_EQ(accounts_of_workers(t, 1, {0, 1000})[0][state::unknown], 1000);
}

TEST(budget, a_slot_that_two_claim_is_the_later_ones) {
  const timeline t = lay_out(scene{1, 2}
                                 .turn(0, 0, activity::working, 0)
                                 .turn(300, 1, activity::searching, 0)
                                 .turn(350, 0, activity::parked)
                                 .end(1000),
                             0);
  const budget b = account_of(t);
  EXPECT_EQ(b[use::working], 300);
  EXPECT_EQ(b[use::searching], 700);
  EXPECT_EQ(accounts_of_workers(t, 2, {0, 1000})[0][state::working], 350)
      << "its own account says what it did";
}

TEST(budget, a_handed_over_join_is_suspended_and_a_blocking_call_is_blocked) {
  const timeline t = lay_out(scene{1, 2}
                                 .turn(0, 0, activity::working, 0)
                                 .say(100, 0, kind::join_stalled, activity::working, 0)
                                 .turn(100, 0, activity::waiting, 0)
                                 .turn(200, 0, activity::blocked, 0)
                                 .say(200, 0, kind::slot_handed_over, activity::blocked)
                                 .turn(500, 0, activity::waiting, 0)
                                 .turn(500, 0, activity::working, 0)
                                 .turn(700, 0, activity::blocked)
                                 .end(1000),
                             0);
  const worker_account a = accounts_of_workers(t, 2, {0, 1000})[0];
  EXPECT_EQ(a[state::suspended], 300);
  EXPECT_EQ(a[state::blocked], 300);
  EXPECT_EQ(a[state::waiting], 100);
  EXPECT_EQ(account_of(t)[use::starved], 300 + 300);
}

TEST(budget, run_delay_comes_evenly_out_of_the_time_with_a_slot_since_the_last_reading) {
  const auto recorded = scene{1, 1}
                            .turn(0, 0, activity::working, 0)
                            .turn(6000, 0, activity::searching, 0)
                            .turn(8000, 0, activity::parked)
                            .say(9000, 0, kind::run_delayed, activity::parked, none, {.amount = 4})
                            .turn(10000, 0, activity::working, 0)
                            .end(20000);
  const timeline t = lay_out(recorded, 0);
  const budget b = account_of(t);
  EXPECT_EQ(b[use::run_delay], 4000);
  EXPECT_EQ(b[use::working], 6000 - 3000 + 10000);
  EXPECT_EQ(b[use::searching], 2000 - 1000);
  EXPECT_EQ(account_of(t, {0, 2000})[use::run_delay], 1000);
}

TEST(budget, run_delay_beyond_the_time_with_a_slot_is_kept_apart) {
  const timeline t =
      lay_out(scene{1, 1}
                  .turn(0, 0, activity::searching, 0)
                  .turn(1000, 0, activity::parked)
                  .say(9000, 0, kind::run_delayed, activity::parked, none, {.amount = 4})
                  .end(9000),
              0);
  EXPECT_EQ(account_of(t)[use::run_delay], 1000);
  EXPECT_EQ(t.delay_without_slot_ns, 3000);
}

TEST(budget, run_delay_of_a_worker_that_never_had_a_slot_is_nobodys_cost) {
  const timeline t = lay_out(
      scene{1, 1}.say(9000, 0, kind::run_delayed, activity::parked, none, {.amount = 4}).end(9000),
      0);
  EXPECT_EQ(account_of(t)[use::run_delay], 0);
  EXPECT_EQ(t.delay_without_slot_ns, 4000);
}

TEST(budget, sleep_in_a_job_comes_out_of_work_alone) {
  const budget b = account_of(
      lay_out(scene{1, 1}
                  .turn(0, 0, activity::working, 0)
                  .turn(6000, 0, activity::searching, 0)
                  .say(8000, 0, kind::slept_in_job, activity::searching, 0, {.amount = 5})
                  .say(8000, 0, kind::run_delayed, activity::searching, 0, {.amount = 3})
                  .end(8000),
              0));
  EXPECT_EQ(b[use::blocked], 5000);
  EXPECT_EQ(b[use::run_delay], 3000);
  EXPECT_EQ(b[use::working] + b[use::searching], 0);
}

TEST(budget, a_minute_of_sleep_or_delay_that_takes_several_records_comes_out_whole) {
  for (const kind what : {kind::slept_in_job, kind::run_delayed}) {
    constexpr std::int64_t minute_ns = 60'000'000'000;
    scene long_job{1, 1};
    long_job.turn(0, 0, activity::working, 0);
    filch::event::in_amounts(50'000'000, [&](std::uint32_t part) {
      long_job.say(minute_ns, 0, what, activity::working, 0, {.amount = part});
    });
    const timeline t = lay_out(long_job.end(minute_ns), 0);
    EXPECT_EQ(account_of(t)[what == kind::run_delayed ? use::run_delay : use::blocked],
              50'000'000'000);
    EXPECT_EQ(account_of(t)[use::working], 10'000'000'000);
    EXPECT_EQ(t.delay_without_slot_ns, 0);
  }
}

/// One worker that works all the time and runs so many jobs in place, 20 ns of every 100.
filch::event::recording jobs_in_place(unsigned jobs, std::uint64_t fork_ps) {
  scene made{1, 1};
  made.site("job").turn(0, 0, activity::working, 0);
  for (unsigned i = 0; i != jobs; ++i) {
    made.say(100 * i + 80, 0, kind::job_changed, activity::working, 0, {.other = 1, .amount = 1});
    made.say(100 * i + 100, 0, kind::job_changed, activity::working, 0, {.other = 0});
  }
  filch::event::recording recorded = made.end(1000);
  recorded.fork_ps = fork_ps;
  return recorded;
}

TEST(budget, forks_come_out_of_the_forking_work_by_number_and_price) {
  const timeline t = lay_out(jobs_in_place(7, 2500), 0);
  EXPECT_EQ(t.forks, 7u);
  EXPECT_EQ(account_of(t)[use::forking], 17) << "whole nanoseconds of 17.5";
  EXPECT_EQ(account_of(t)[use::working], 1000 - 17);
  EXPECT_EQ(account_of(t, {80, 100})[use::forking], 0) << "the forking work pays, not the job";
  EXPECT_EQ(account_of(t, {0, 200})[use::forking], 5);
  EXPECT_EQ(account_of(t, {0, 130})[use::forking] + account_of(t, {130, 1000})[use::forking], 17);
}

TEST(budget, forks_dearer_than_the_work_take_no_more_than_there_is) {
  const timeline t = lay_out(jobs_in_place(7, 90'000), 0);
  EXPECT_EQ(account_of(t, {0, 80})[use::forking], 80) << "a fork of 90 in 80 ns of work";
  EXPECT_EQ(account_of(t, {80, 100})[use::forking], 10)
      << "what is left of it, the next work bears";
  EXPECT_EQ(account_of(lay_out(jobs_in_place(7, 1'000'000), 0))[use::forking], 1000);
}

TEST(budget, without_a_price_or_a_number_there_is_no_forking) {
  EXPECT_EQ(account_of(lay_out(jobs_in_place(7, 0), 0))[use::forking], 0);
  EXPECT_EQ(account_of(lay_out(jobs_in_place(0, 2500), 0))[use::forking], 0)
      << "at steal level no fork is counted";
}

TEST(budget, of_a_watched_run_the_forks_are_those_of_the_analysis_pool_by_pool) {
  scene two{1, 1};
  const auto second = two.add_pool(1, 1);
  filch::event::recording recorded = two.turn(0, 0, activity::working, 0)
                                         .turn(250, second, activity::working, 0)
                                         .turn(500, second, activity::parked)
                                         .end(750);
  filch::analysis::result& found = recorded.analyzed.emplace();
  found.forks = 40;
  found.fork_overhead_ns = 100;
  EXPECT_EQ(account_of(lay_out(recorded, 0))[use::forking], 75)
      << "of the 1000 ns of work, 750 are here";
  EXPECT_EQ(account_of(lay_out(recorded, 1))[use::forking], 25);
  EXPECT_EQ(lay_out(recorded, 1).forks, 10u);
  EXPECT_EQ(account_of(lay_out(recorded, 0), {0, 375})[use::forking], 37)
      << "evenly, as nobody knows when";
}

TEST(budget, each_pool_has_its_own) {
  scene two{1, 1};
  const auto second = two.add_pool(3, 1);
  const auto recorded =
      two.turn(0, 0, activity::working, 0).turn(500, second, activity::working, 2).end(1000);
  EXPECT_EQ(account_of(lay_out(recorded, 0))[use::working], 1000);
  EXPECT_EQ(account_of(lay_out(recorded, 1))[use::working], 500);
  EXPECT_EQ(account_of(lay_out(recorded, 1)).total_ns(), 3000);
}

TEST(timeline, a_job_lasts_until_its_worker_searches_or_begins_another) {
  const timeline t =
      lay_out(scene{1, 1}
                  .turn(0, 0, activity::searching, 0)
                  .say(100, 0, kind::job_run, activity::working, 0, {.other = 3, .amount = 7})
                  .say(300, 0, kind::job_run, activity::working, 0, {.amount = 8})
                  .turn(600, 0, activity::searching, 0)
                  .say(700, 0, kind::job_run, activity::working, 0)
                  .end(1000),
              0);
  ASSERT_EQ(t.jobs.size(), 3u);
  EXPECT_EQ(t.jobs[0].when, (time_range{100, 300}));
  EXPECT_EQ(t.jobs[0].site, 7u);
  EXPECT_EQ(t.jobs[0].from, 3u);
  EXPECT_EQ(t.jobs[1].when, (time_range{300, 600}));
  EXPECT_EQ(t.jobs[2].when, (time_range{700, 1000}));
  EXPECT_TRUE(t.jobs[1].has_ended);
  EXPECT_FALSE(t.jobs[2].has_ended);
}

TEST(timeline, a_job_taken_in_a_wait_ends_with_the_next_wait_and_leaves_the_outer_one_running) {
  const timeline t = lay_out(scene{1, 1}
                                 .say(0, 0, kind::job_run, activity::working, 0, {.amount = 1})
                                 .say(100, 0, kind::join_stalled, activity::working, 0)
                                 .turn(100, 0, activity::waiting, 0)
                                 .say(200, 0, kind::steal_won, activity::waiting, 0)
                                 .say(200, 0, kind::stolen_back, activity::waiting, 0)
                                 .turn(200, 0, activity::working, 0)
                                 .say(200, 0, kind::job_run, activity::working, 0, {.amount = 2})
                                 .turn(400, 0, activity::waiting, 0)
                                 .turn(500, 0, activity::working, 0)
                                 .turn(900, 0, activity::searching, 0)
                                 .end(1000),
                             0);
  ASSERT_EQ(t.jobs.size(), 2u);
  EXPECT_EQ(t.jobs[0].when, (time_range{0, 900}));
  EXPECT_EQ(t.jobs[1].when, (time_range{200, 400}));
  std::int64_t of_first = 0;
  for (const interval& s : t.intervals)
    of_first += s.what == state::working && s.site == 1 ? s.when.length_ns() : 0;
  EXPECT_EQ(of_first, 100 + 400);
}

}  // namespace
