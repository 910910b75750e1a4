#include <filch/span/fork_rate.hpp>
#include <filch/span/judged_runs_test.hpp>

namespace {

using namespace filch::span;
using runs::finds;
using runs::verdict_of;

TEST(verdict, of_small_jobs_names_forks_and_their_share) {
  const verdict v = verdict_of({"8 ns of work for each fork", runs::forks_each(10)});
  EXPECT_EQ(v.sentence,
            "Jobs are too small: forking takes 20 % of the time. Between two forks lie 8 ns of "
            "work.");
}

/// Two workers, each with forks of 8 ns; the same work takes half as long on one.
TEST(verdict, small_jobs_are_no_lack_of_memory) {
  const tried_run grown{"small jobs whose work has doubled", runs::forks_each(10),
                        runs::all_busy(1).end(128 * runs::us)};
  EXPECT_FALSE(finds(verdict_of(grown), fault::memory_bound));
  tried_run watched{"the same beside a watched run", runs::some_busy(4),
                    runs::all_busy(1).end(200 * runs::us)};
  ASSERT_TRUE(finds(verdict_of(watched), fault::memory_bound));
  auto& found = watched.on_one_worker->analyzed.emplace();
  found.work_ns = 200'000;
  found.forks = 20'000;
  found.fork_overhead_ns = 40'000;
  const verdict v = verdict_of(watched);
  EXPECT_TRUE(finds(v, fault::grain_too_fine)) << testing::PrintToString(v);
  EXPECT_FALSE(finds(v, fault::memory_bound)) << testing::PrintToString(v);
}

TEST(verdict, of_a_watched_run_names_small_jobs) {
  filch::event::recording watched = runs::all_busy(1).end(400 * runs::us);
  auto& found = watched.analyzed.emplace();
  found.work_ns = 200'000;
  found.forks = 20'000;
  found.fork_overhead_ns = 40'000;
  EXPECT_EQ(verdict_of({"watched", watched}).sentence,
            "Jobs are too small: forking takes 20 % of the time. Between two forks lie 8 ns of "
            "work.");
}

}  // namespace
