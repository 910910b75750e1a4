#include <filch/span/judged_runs_test.hpp>
#include <filch/span/serial_part.hpp>

namespace {

using namespace filch::span;
using runs::verdict_of;

TEST(verdict, of_too_little_parallelism_names_the_code) {
  scene beside{2, 2};
  beside.site("prepare").job(0, 100 * runs::us, 0, 0, 1);
  EXPECT_EQ(verdict_of({"one job alone", beside.end(100 * runs::us)}).sentence,
            "Too little parallelism: 1.0 of 2 slots worked on average, and for 50 % of their time "
            "there was nothing to do. Most of that was beside prepare.");
  scene before{2, 2};
  before.site("loop in main");
  before.job(60 * runs::us, 100 * runs::us, 0, 0, 1).job(60 * runs::us, 100 * runs::us, 1, 1, 1);
  EXPECT_EQ(verdict_of({"serial, then parallel", before.end(100 * runs::us)}).sentence,
            "Too little parallelism: for 60 % of the time no job ran at all; what the program did "
            "then, it did outside the pool. Most of that was before loop in main.");
}

}  // namespace
