// Two leaves of 50 ms run side by side in 95 of 100 joins, whatever the other worker does when they
// are forked.
#include <bench/leaves/filch.hpp>
#include <bench/leaves/problem.hpp>
#include <filch/base/long_stress.hpp>
#include <gtest/gtest.h>

#include <ostream>

namespace {

using trial = bench::leaves::trial<bench::leaves::filch_pool>;

struct state {
  const char* name;
  bench::leaves::joined (trial::*fork)();
  int few;  ///< Rounds unless FILCH_LONG is set: falling asleep takes a second and a half.
  friend void PrintTo(const state& tested, std::ostream* out) { *out << tested.name; }
};

class two_leaves : public testing::TestWithParam<state> {};

TEST_P(two_leaves, run_side_by_side) {
  const int wanted = filch::base::is_long_run() ? 100 : GetParam().few;
  bench::leaves::filch_pool pool{filch::thread_pool({.workers = 2})};
  trial one(pool);
  one.searching();  // starts the threads
  int counted = 0;
  int in_time = 0;
  for (int tries = 0; counted < wanted && tries < 3 * wanted; ++tries) {
    const bench::leaves::joined both = (one.*GetParam().fork)();
    if (both.is_disturbed) continue;
    ++counted;
    in_time += both.is_in_time();
  }
  if (counted < wanted)
    GTEST_SKIP() << "other programs disturbed all but " << counted << " of " << 3 * wanted
                 << " joins";
  EXPECT_GE(in_time * 100, counted * 95)
      << in_time << " of " << counted << " took less than " << bench::leaves::bar_seconds << " s";
}

INSTANTIATE_TEST_SUITE_P(
    after, two_leaves,
    testing::Values(state{"the_other_worker_parked", &trial::parked, 20},
                    state{"the_other_worker_began_to_search", &trial::searching, 100},
                    state{"which_the_other_worker_becomes_idle", &trial::late, 100}),
    [](const auto& tested) { return tested.param.name; });

}  // namespace
