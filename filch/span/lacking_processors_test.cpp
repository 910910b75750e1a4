#include <filch/span/judged_runs_test.hpp>
#include <filch/span/lacking_processors.hpp>

namespace {

using namespace filch::span;
using runs::finds;
using runs::verdict_of;

/// On four slots two work; for as many there are processors.
TEST(verdict, slots_without_a_processor_are_no_lack_of_parallelism) {
  auto half_busy = runs::some_busy(2);
  EXPECT_TRUE(finds(verdict_of({"two of four", half_busy}), fault::too_little_parallelism));
  half_busy.processors = 2;
  const verdict v = verdict_of({"two of four, on two processors", half_busy});
  EXPECT_FALSE(finds(v, fault::too_little_parallelism)) << testing::PrintToString(v);
  auto serial = runs::some_busy(1);
  serial.processors = 2;
  const verdict alone = verdict_of({"one of four, on two processors", serial});
  ASSERT_TRUE(finds(alone, fault::too_little_parallelism)) << testing::PrintToString(alone);
  EXPECT_NEAR(alone.findings[0].cost, 0.5, 1e-9) << "of two processors one is unused";
}

/// Two workers; the second has no job while the first has one and waits for a processor.
TEST(verdict, a_wait_for_a_worker_without_a_processor_is_no_lack_of_parallelism) {
  const auto with_delay = [](std::uint32_t delay_us) {
    scene made{2, 2};
    made.site("leaf").say(0, 0, filch::event::kind::job_run, filch::event::activity::working, 0,
                          {.amount = 1});
    made.turn(0, 1, filch::event::activity::parked, scene::no_slot, filch::event::ready_work::none);
    made.say(100 * runs::us, 0, filch::event::kind::run_delayed, filch::event::activity::working, 0,
             {.amount = delay_us});
    return made.end(100 * runs::us);
  };
  const auto cost = [](const verdict& v) {
    const auto found = std::ranges::find(v.findings, fault::too_little_parallelism, &finding::what);
    return found == v.findings.end() ? 0 : found->cost;
  };
  EXPECT_NEAR(cost(verdict_of({"computes", with_delay(0)})), 0.5, 1e-9);
  EXPECT_NEAR(cost(verdict_of({"waits for half of its time", with_delay(50)})), 0.25, 1e-9);
  EXPECT_EQ(cost(verdict_of({"waits for most of it", with_delay(90)})), 0);
}

}  // namespace
