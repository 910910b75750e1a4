#include <compare/contest.hpp>
#include <compare/rivals.hpp>

#include <gtest/gtest.h>

#include <algorithm>

namespace filch::compare {
namespace {

TEST(contest, every_scheduler_runs_in_every_round_and_the_fastest_comes_first) {
  std::vector<std::string> turns;
  const standings result = hold_contest(make_workload("fib", "20", cutoff::none), 2, 3,
                                        [&](std::string_view name, unsigned done, unsigned total) {
                                          EXPECT_EQ(done, turns.size());
                                          EXPECT_EQ(total, 3 * (contenders().size() + 1) + 1);
                                          turns.emplace_back(name);
                                        });
  EXPECT_EQ(turns.size(), 3 * (contenders().size() + 1) + 1);
  EXPECT_EQ(turns[contenders().size() + 2], "serial") << "rounds are not interleaved";
  EXPECT_EQ(result.schedulers.size(), contenders().size());
  EXPECT_TRUE(std::ranges::is_sorted(result.schedulers, {},
                                     [](const standing& s) { return s.typical.seconds; }));
  for (const standing& row : result.schedulers) {
    EXPECT_EQ(row.wrong, "");
    EXPECT_EQ(row.round_seconds.size(), 3u);
    EXPECT_EQ(row.typical.jobs_run, 21891u) << row.name << ": 2 fib(21) - 1";
    EXPECT_GE(row.typical.busiest_over_mean, 1.0);
    EXPECT_LE(row.typical.busiest_over_mean, 2.0);
  }
}

TEST(contest, one_worker_that_gets_all_is_as_unbalanced_as_can_be) {
  const standings result =
      hold_contest(make_workload("fib", "18", cutoff::none), 4, 1, [](auto...) {});
  const auto row = std::ranges::find(result.schedulers, "one_worker_gets_all", &standing::name);
  EXPECT_DOUBLE_EQ(row->typical.busiest_over_mean, 4.0);
  EXPECT_EQ(row->typical.jobs_moved, 0u);
}

TEST(contest, a_wrong_answer_is_reported_beside_its_scheduler) {
  const workload liar{"liar", "", [] { return [] { return std::string{}; }; },
                      [](scheduler&) { return [] { return std::string{"a lie"}; }; }};
  const standings result = hold_contest(liar, 1, 2, [](auto...) {});
  EXPECT_EQ(result.serial.wrong, "");
  for (const standing& row : result.schedulers) EXPECT_EQ(row.wrong, "a lie");
}

standing row(std::string_view name, double seconds, std::uint64_t moved, double busiest) {
  return {name,
          {.seconds = seconds,
           .cpu_seconds = 2 * seconds,
           .jobs_run = 10'000'000,
           .jobs_moved = moved,
           .busiest_over_mean = busiest},
          {},
          {}};
}

TEST(conclusion, names_the_winner_its_lead_and_why_the_last_lost) {
  const standing serial{"serial", {.seconds = 1.0}, {}, {}};
  EXPECT_EQ(
      conclusion(
          {serial,
           {row("filch", 0.5, 1234, 1), row("chase_lev", 0.55, 50, 1), row("one", 1.0, 0, 2)}},
          2),
      "filch came first with 2.00 times the serial speed, 10 % ahead of chase_lev, moving 1,234 of "
      "10,000,000 jobs; "
      "one came last and took 2.0 times as long: its busiest worker ran 2.00 times the mean.");
  EXPECT_EQ(conclusion({serial,
                        {row("chase_lev", 0.5, 12, 1), row("filch", 0.505, 7, 1),
                         row("queue", 2.0, 5'000'000, 1)}},
                       2),
            "chase_lev came first with 2.00 times the serial speed, level with filch, "
            "moving 12 of 10,000,000 jobs; queue came last and took 4.0 times as long: it moved 50 "
            "% of its jobs between workers.");
}

TEST(conclusion, never_hides_that_filch_was_slow) {
  const standing serial{"serial", {.seconds = 1.0}, {}, {}};
  const std::string said = conclusion(
      {serial,
       {row("a", 0.5, 12, 1), row("b", 0.6, 7, 1), row("filch", 0.75, 7, 1), row("c", 0.8, 7, 1)}},
      2);
  EXPECT_NE(said.find("20 % ahead of b, with filch 50 % behind the first"), std::string::npos)
      << said;
}

TEST(conclusion, tells_dear_jobs_from_idle_workers) {
  const standing serial{"serial", {.seconds = 1.0}, {}, {}};
  const standings dear{serial, {row("a", 0.5, 0, 1), row("b", 2.0, 0, 1)}};
  EXPECT_TRUE(conclusion(dear, 2).ends_with("each job cost it 300 ns more."))
      << conclusion(dear, 2);
  standings idle = dear;
  idle.schedulers[1].typical.cpu_seconds = 1.0;
  EXPECT_TRUE(conclusion(idle, 2).ends_with("its workers had a processor for 25 % of the time."))
      << conclusion(idle, 2);
}

TEST(conclusion, on_one_worker_speaks_of_the_price_of_a_job) {
  const standing serial{"serial", {.seconds = 1.0}, {}, {}};
  EXPECT_EQ(conclusion({serial, {row("filch", 1.02, 0, 1), row("queue", 1.5, 0, 1)}}, 1),
            "With one worker nothing can be balanced, so the times show what a job costs beyond "
            "plain calls, in ns: filch 2.0, "
            "queue 50.0.");
}

}  // namespace
}  // namespace filch::compare
