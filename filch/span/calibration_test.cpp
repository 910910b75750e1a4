#include <filch/base/clock.hpp>
#include <filch/fork.hpp>
#include <filch/span/analyze.hpp>
#include <filch/span/calibration.hpp>
#include <gtest/gtest.h>

namespace filch::inline v0_2::span {
namespace {

TEST(calibration, measures_each_cost_as_what_it_can_be) {
  const analysis::costs& costs = analysis::measured_costs();
  EXPECT_GT(costs.tick_ns, 0.01);
  EXPECT_LT(costs.tick_ns, 1001) << "a clock of 1 MHz or better";
  EXPECT_GT(costs.watched_side_ns, 0);
  EXPECT_GT(costs.watched_join_ns, 0);
  EXPECT_GT(costs.fork_ns, 0.3);
  EXPECT_GT(costs.spawn_ns, costs.fork_ns) << "a group's job lies on the heap";
  EXPECT_GE(costs.doubt_ns, 0);
  EXPECT_GT(costs.blocking_ns, costs.fork_ns) << "another thread takes the slot";
  EXPECT_GT(costs.burden_ns(), costs.fork_ns) << "a steal costs more than none";
  EXPECT_EQ(&costs, &analysis::measured_costs()) << "once";
}

TEST(calibration, a_job_that_nobody_stole_says_nothing_of_steals) {
  const steal_times usual{3000, 1000};
  const steal_times found =
      typical({steal_times{500, 80}, std::nullopt, steal_times{400, 90}, std::nullopt}, usual);
  EXPECT_EQ(found.steal_ns, 400);
  EXPECT_EQ(found.return_ns, 80);
  const steal_times none = typical({std::nullopt, std::nullopt}, usual);
  EXPECT_EQ(none.steal_ns, usual.steal_ns);
  EXPECT_EQ(none.return_ns, usual.return_ns);
  EXPECT_EQ(typical({}, usual).steal_ns, usual.steal_ns);
}

void spin(std::uint64_t ns) {
  for (const std::uint64_t end = base::now_ns() + ns; base::now_ns() < end;) {
  }
}

TEST(calibration, the_work_of_long_leaves_is_what_the_clock_says) {
  const analysis::result found = analyze([] {
    join([] { join([] { spin(300'000); }, [] { spin(300'000); }); },
         [] { join([] { spin(300'000); }, [] { spin(300'000); }); });
  });
  EXPECT_GE(found.work_ns, 0.95 * 1'200'000);
  EXPECT_GE(found.span_ns, 0.95 * 300'000);
  EXPECT_LE(found.work_ns, found.watched_ns);
  EXPECT_GT(found.parallelism(), 1.5);
  EXPECT_LE(found.parallelism(), 4.2);
}

unsigned fib(unsigned n) {
  if (n < 2) return n;
  const auto [a, b] = join([n] { return fib(n - 1); }, [n] { return fib(n - 2); });
  return a + b;
}

TEST(calibration, most_of_what_watching_costs_is_taken_off) {
  const analysis::result found = analyze([] { EXPECT_EQ(fib(20), 6765u); });
  EXPECT_LT(found.work_ns, 0.5 * found.watched_ns);
}

}  // namespace
}  // namespace filch::span
