// What each worker did, worked out by hand, and beside the metrics of a pool.
#include <filch/base/clock.hpp>
#include <filch/fork.hpp>
#include <filch/metrics.hpp>
#include <filch/span/budget.hpp>
#include <filch/span/scene_test.hpp>
#include <filch/trace.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <vector>

namespace {

using namespace filch::span;
using filch::event::activity;
using filch::event::kind;

using accounts = std::vector<worker_account>;

std::int64_t sum_of(const accounts& all, state what) {
  return std::accumulate(all.begin(), all.end(), std::int64_t{0},
                         [=](auto sum, const auto& a) { return sum + a[what]; });
}
std::int64_t sum_of(const accounts& all, std::int64_t worker_account::*part) {
  return std::accumulate(all.begin(), all.end(), std::int64_t{0},
                         [=](auto sum, const auto& a) { return sum + a.*part; });
}

/// Two workers of two slots, and one that comes and goes without a slot.
filch::event::recording two_at_work() {
  filch::event::recording recorded =
      scene{2, 3}
          .site("job")
          .turn(0, 0, activity::working, 0)
          .say(2000, 0, kind::job_changed, activity::working, 0, {.other = 1, .amount = 1})
          .say(3000, 0, kind::job_changed, activity::working, 0, {.other = 0})
          .say(5000, 0, kind::slept_in_job, activity::working, 0, {.amount = 2})
          .turn(6000, 0, activity::searching, 0)
          .turn(8000, 0, activity::parked)
          .turn(1000, 1, activity::searching, 1)
          .turn(3000, 1, activity::working, 1)
          .say(7000, 1, kind::run_delayed, activity::working, 1, {.amount = 3})
          .turn(7000, 1, activity::waiting, 1)
          .turn(9000, 1, activity::working, 1)
          .turn(4000, 2, activity::parked)
          .turn(6000, 2, activity::away)
          .end(10'000);
  recorded.fork_ps = 100'000;
  return recorded;
}

TEST(accounts, say_of_each_worker_what_it_did) {
  const accounts all = accounts_of_workers(lay_out(two_at_work(), 0), 3, {0, 10'000});
  EXPECT_EQ(all[0].slept_ns, 2000);
  EXPECT_EQ(all[0].forking_ns, 100);
  EXPECT_EQ(all[0].run_delay_ns, 0);
  EXPECT_EQ(all[0][state::working], 6000 - 2000 - 100);
  EXPECT_EQ(all[0][state::searching], 2000);
  EXPECT_EQ(all[0][state::parked], 2000);
  EXPECT_EQ(all[1].run_delay_ns, 3000);
  EXPECT_EQ(all[1].slept_ns + all[1].forking_ns, 0);
  EXPECT_EQ(all[1][state::working] + all[1][state::searching], 7000 - 3000);
  EXPECT_EQ(all[1][state::waiting], 2000);
  EXPECT_EQ(all[2][state::parked], 2000);
  EXPECT_EQ(all[2][state::working], 0);
}

TEST(accounts, of_workers_with_slots_of_their_own_add_up_to_that_of_the_slots) {
  const timeline t = lay_out(two_at_work(), 0);
  for (const time_range when :
       {time_range{0, 10'000}, time_range{1500, 6500}, time_range{2500, 2600}}) {
    const budget slots = account_of(t, when);
    const accounts all = accounts_of_workers(t, 3, when);
    for (const state each : {state::working, state::searching, state::waiting})
      EXPECT_EQ(sum_of(all, each), slots[use_of(each)]);
    EXPECT_EQ(sum_of(all, &worker_account::run_delay_ns), slots[use::run_delay]);
    EXPECT_EQ(sum_of(all, &worker_account::forking_ns), slots[use::forking]);
    EXPECT_EQ(sum_of(all, &worker_account::slept_ns), slots[use::blocked])
        << "nobody blocks in its slot";
  }
}

/// Leaves of a millisecond each.
void work_for(int milliseconds) {
  if (milliseconds > 1) {
    filch::join([=] { work_for(milliseconds / 2); },
                [=] { work_for(milliseconds - milliseconds / 2); });
  } else {
    for (const std::uint64_t until = filch::base::now_ns() + 1'000'000;
         filch::base::now_ns() < until;) {
    }
  }
}

TEST(accounts, of_a_pool_say_what_its_metrics_say) {
  constexpr double leaves = 64;
  filch::thread_pool pool({.workers = 2});
  filch::trace_session session;
  pool.run([] { work_for(static_cast<int>(leaves)); });
  const double counted_ns = 1e9 * pool.metrics().total.seconds_working;
  const filch::event::recording recorded = session.end();
  const accounts all =
      accounts_of_workers(lay_out(recorded, 0), recorded.workers.size(), {0, recorded.length_ns});
  const auto worked_ns = static_cast<double>(sum_of(all, state::working));
  const auto kept_ns = static_cast<double>(sum_of(all, &worker_account::run_delay_ns) +
                                           sum_of(all, &worker_account::slept_ns));
  EXPECT_LE(worked_ns, 1.1 * counted_ns);
  EXPECT_GE(worked_ns + kept_ns, 0.9 * counted_ns);
  EXPECT_GE(worked_ns + kept_ns, 0.9 * leaves * 1e6);
}

}  // namespace
