// What `filch top` makes of two looks at a process, and how it draws that.
#include <gtest/gtest.h>
#include <tools/cli/live/load.hpp>

#include <cstdlib>

namespace {

using namespace filch;
using cli::process_load;
using event::activity;
using event::kind;

/// As `event::counters::change` does; how long what it did before took the test says.
void set_doing(trace::counted_worker& of, activity what, std::uint64_t since_ticks) {
  auto& words = of.counters.words;
  words[event::counter_words::account_of(of.counters.doing())] = event::account{}.pack();
  words[event::counter_words::account_of(what)] =
      event::account{-static_cast<std::int64_t>(since_ticks), true}.pack();
  words[event::counter_words::doing] = static_cast<std::uint64_t>(what);
  words[event::counter_words::since_ticks] = since_ticks;
}

/// A look at `count` workers of one pool, one tick a nanosecond.
trace::counted_process look_at(std::size_t count, std::uint64_t now_ticks) {
  trace::counted_process made;
  made.now_ticks = now_ticks;
  made.is_alive = made.is_recording = true;
  for (std::uint32_t i = 0; i < count; ++i) {
    made.workers.push_back({{1, i}, 2, 100 + i, 0, {}});
    set_doing(made.workers.back(), activity::parked, 1);
  }
  return made;
}

std::uint64_t& count_of(trace::counted_worker& of, kind what) {
  return of.counters.words[event::counter_words::count_of(what)];
}

double share(const cli::load& of, activity what) {
  for (std::size_t i = 0; i < cli::shown_states.size(); ++i) {
    if (cli::shown_states[i].what == what) return of.shares[i];
  }
  return -1;
}

constexpr std::uint64_t second = 1'000'000'000;

/// Worker 0 works for a quarter of two seconds and sleeps before; worker 1 sleeps.
process_load quarter_busy() {
  const auto before = look_at(2, 1 * second);
  auto now = look_at(2, 3 * second);
  trace::counted_worker& busy = now.workers[0];
  set_doing(busy, activity::working, 5 * second / 2);
  busy.counters.words[event::counter_words::ticks_of(event::measure::parked)] = 5 * second / 2 - 1;
  count_of(busy, kind::job_run) = 400;
  count_of(busy, kind::steal_won) = 100;
  busy.ready_jobs = 7;
  process_load made = cli::compare(before, now);
  made.process_id = 4711;
  made.program = "/opt/app";
  made.judged.sentence = "Too little parallelism.";
  return made;
}

TEST(process_load, shares_are_of_the_time_between_the_looks) {
  const process_load seen = quarter_busy();
  ASSERT_EQ(seen.workers.size(), 2u);
  EXPECT_NEAR(seen.seconds, 2, 1e-9);
  EXPECT_NEAR(share(seen.workers[0].since, activity::working), 0.25, 1e-6);
  EXPECT_NEAR(share(seen.workers[0].since, activity::parked), 0.75, 1e-6);
  EXPECT_NEAR(share(seen.workers[1].since, activity::parked), 1, 1e-6);
  EXPECT_NEAR(share(seen.total, activity::working), 0.125, 1e-6);
  EXPECT_NEAR(seen.workers[0].since.jobs_per_second, 200, 1e-6);
  EXPECT_NEAR(seen.total.steals_per_second, 50, 1e-6);
  EXPECT_EQ(seen.ready_jobs, 7u);
  EXPECT_EQ(seen.slot_count, 2u);
}

/// Worker 0, of whose last second 960 ms were work, 80 ms sleep and 60 ms a search; but at the
/// first look it seemed to work for all of that second.
process_load told_too_much() {
  auto before = look_at(1, second);
  set_doing(before.workers[0], activity::working, 1);
  auto now = look_at(1, second + second / 10);
  set_doing(now.workers[0], activity::searching, second + second / 25);
  auto& words = now.workers[0].counters.words;
  words[event::counter_words::ticks_of(event::measure::working)] = second * 96 / 100;
  words[event::counter_words::ticks_of(event::measure::parked)] = second * 8 / 100;
  return cli::compare(before, now);
}

TEST(process_load, shares_are_no_more_than_the_whole_though_the_counters_told_more) {
  const process_load seen = told_too_much();
  EXPECT_NEAR(share(seen.total, activity::parked), 8.0 / 14, 1e-6);
  EXPECT_NEAR(share(seen.total, activity::searching), 6.0 / 14, 1e-6);
  for (const std::string& line : picture_of(seen, 80, 24, stderr))
    EXPECT_LE(line.size(), 80u) << line;
}

TEST(process_load, a_worker_that_came_meanwhile_has_no_past) {
  const auto before = look_at(1, second);
  auto now = look_at(2, 2 * second);
  count_of(now.workers[1], kind::job_run) = 1'000'000;  // before the first look
  EXPECT_EQ(cli::compare(before, now).total.jobs_per_second, 0);
}

TEST(process_load, counts_that_fell_are_those_of_another_worker) {
  auto before = look_at(1, second);
  count_of(before.workers[0], kind::job_run) = 50;
  EXPECT_EQ(cli::compare(before, look_at(1, 2 * second)).total.jobs_per_second, 0);
}

TEST(process_load, a_worker_that_was_away_all_the_time_is_left_out) {
  auto before = look_at(2, second), now = look_at(2, 2 * second);
  set_doing(before.workers[1], activity::away, 1);
  set_doing(now.workers[1], activity::away, 1);
  EXPECT_EQ(cli::compare(before, now).workers.size(), 1u);
}

std::string joined(const std::vector<std::string>& lines) {
  std::string all;
  for (const std::string& line : lines) all += line + "\n";
  return all;
}

TEST(picture, shows_states_in_letters_as_wide_as_their_shares) {
  const std::string all = joined(picture_of(quarter_busy(), 80, 24, stderr));
  EXPECT_NE(all.find("1.0     working    WWWWWWWW........................ "), std::string::npos)
      << all;
  EXPECT_NE(all.find("1.1     parked     ................................ "), std::string::npos)
      << all;
  EXPECT_NE(all.find("Too little parallelism."), std::string::npos);
  EXPECT_NE(all.find("4711 app"), std::string::npos);
}

TEST(picture, fits_any_terminal) {
  process_load many = quarter_busy();
  while (many.workers.size() < 100) many.workers.push_back(many.workers.back());
  many.judged.sentence =
      std::string(40, 'x') + " " + std::string(40, 'y') + " " + std::string(40, 'z');
  many.program = std::string(300, 'p');
  for (const std::size_t height : {16u, 24u, 60u}) {
    for (const std::size_t width : {60u, 80u, 200u}) {
      const auto lines = picture_of(many, width, height, stderr);
      EXPECT_LT(lines.size(), height) << "the last line is for the keys";
      for (const std::string& line : lines) EXPECT_LE(line.size(), width) << line;
      EXPECT_NE(joined(lines).find(" more"), std::string::npos);
    }
  }
  EXPECT_EQ(joined(picture_of(many, 80, ~std::size_t{0}, stderr)).find(" more"), std::string::npos)
      << "paper has no end";
}

TEST(process_load, json_says_what_the_picture_shows) {
  const nlohmann::json told = to_json(quarter_busy());
  EXPECT_EQ(told["process"], 4711);
  EXPECT_EQ(told["workers"][0]["state"], "working");
  EXPECT_NEAR(told["workers"][0]["share"]["working"].get<double>(), 0.25, 1e-6);
  EXPECT_EQ(told["workers"][0]["ready_jobs"], 7);
  EXPECT_EQ(told["verdict"], "Too little parallelism.");
}

}  // namespace
