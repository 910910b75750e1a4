#include <filch/base/thread.hpp>
#include <filch/span/faulty_runs_test.hpp>
#include <filch/span/observation.hpp>
#include <filch/span/overlay.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <utility>

namespace {

using namespace filch::span;
using filch::event::activity;
using filch::event::kind;
using filch::event::ready_work;
using filch::event::record;

constexpr auto none = scene::no_slot;

TEST(idle_attribution, is_split_evenly_among_those_that_work) {
  scene made{4, 4};
  made.site("a").site("b");
  made.job(0, 1000, 0, 0, 1).job(0, 500, 1, 1, 2).turn(500, 1, activity::parked);
  const idle_attribution b = attribute_idleness(lay_out(made.end(2000), 0), 3);
  EXPECT_EQ(b.of_site_ns[1], 500 * 2 / 2 + 500 * 3);
  EXPECT_EQ(b.of_site_ns[2], 500 * 2 / 2);
  EXPECT_EQ(b.nobodys_ns, 1000 * 4) << "the one that searches at the end idles, too";
}

TEST(idle_attribution, loses_no_nanosecond_to_division) {
  scene made{7, 7};
  for (std::uint32_t w = 0; w < 3; ++w)
    made.job(w, 1001 + 7 * w, w, static_cast<std::uint16_t>(w), 0);
  const timeline t = lay_out(made.end(2000), 0);
  EXPECT_EQ(attribute_idleness(t, 1).total_ns(), account_of(t).idle_ns());
}

TEST(idle_attribution, knows_no_idleness_in_what_is_lost_waits_or_blocks) {
  const timeline t = lay_out(scene{3, 3}
                                 .lose_until(1000, 2)
                                 .turn(0, 0, activity::waiting, 0)
                                 .turn(0, 1, activity::blocked, 1)
                                 .end(1000),
                             0);
  EXPECT_EQ(attribute_idleness(t, 1).total_ns(), 0);
}

TEST(overlay, tells_every_moment_once_and_every_holder_in_it) {
  const auto recorded = runs::jobs_and_a_last_one(250 * runs::us);
  const timeline t = lay_out(recorded, 0);
  std::int64_t until = 0, held_ns = 0;
  for_each_moment(
      t, [&](time_range when, const std::vector<const interval*>& held, const vacancy& free) {
        EXPECT_EQ(when.begin_ns, until);
        EXPECT_EQ(held.size() + free.slot_count(), t.slot_count);
        until = when.end_ns;
        held_ns += when.length_ns() * static_cast<std::int64_t>(held.size());
      });
  EXPECT_EQ(until, t.length_ns);
  std::int64_t expected = 0;
  for (const interval& s : t.intervals) expected += s.holds_slot() ? s.when.length_ns() : 0;
  EXPECT_EQ(held_ns, expected);
}

TEST(durations, know_their_quantiles_and_powers_of_two) {
  const durations d{{8, 1, 4, 2, 1000}};
  EXPECT_EQ(d.count(), 5u);
  EXPECT_EQ(d.mean_ns(), 203);
  EXPECT_EQ(d.median_ns(), 4);
  EXPECT_EQ(d.quantile_ns(0.8), 8);
  EXPECT_EQ(d.quantile_ns(0), 1);
  EXPECT_EQ(d.longest_ns(), 1000);
  EXPECT_EQ(d.histogram().counts[1], 1u);
  EXPECT_EQ(d.histogram().counts[3], 1u);
  EXPECT_EQ(d.histogram().counts[10], 1u) << "512 to 1023";
  EXPECT_EQ(filch::duration_histogram::begin_ns(10), 512);
  EXPECT_EQ(durations{}.median_ns(), 0);
  const filch::duration_histogram extremes = durations{{0, std::int64_t{1} << 60}}.histogram();
  EXPECT_EQ(extremes.counts.front(), 1u);
  EXPECT_EQ(extremes.counts.back(), 1u);
}

TEST(summary, counts_steals_by_thief_and_victim_and_how_long_they_took) {
  const auto recorded = scene{3, 3}
                            .turn(0, 0, activity::working, 0)
                            .say(100, 1, kind::steal_tried, activity::searching, 1, {.other = 0})
                            .say(120, 1, kind::steal_won, activity::searching, 1, {.other = 0})
                            .say(150, 1, kind::job_run, activity::working, 1, {.other = 0})
                            .say(300, 2, kind::steal_tried, activity::searching, 2, {.other = 1})
                            .say(310, 2, kind::steal_lost, activity::searching, 2, {.other = 1})
                            .say(400, 0, kind::fork_exposed, activity::working, 0, {.amount = 5})
                            .end(1000);
  const observation seen = observe(recorded, 0);
  ASSERT_EQ(seen.seen.matrix.size(), 1u);
  EXPECT_EQ(seen.seen.matrix[0].thief, 1u);
  EXPECT_EQ(seen.seen.matrix[0].victim, 0u);
  EXPECT_EQ(seen.seen.taking.median_ns(), 50);
  EXPECT_EQ(seen.seen.taking.count(), 1u);
  EXPECT_EQ(seen.seen.count(kind::steal_tried), 2u);
  EXPECT_EQ(seen.seen.count(kind::fork_exposed), 5u);
}

TEST(summary, adds_up_sites_and_ranks_them) {
  scene made{2, 2};
  made.site("small").site("large");
  made.job(0, 100, 0, 0, 1).job(200, 1000, 0, 0, 2, 1).job(1000, 1300, 0, 0, 2, 1);
  const auto recorded = made.end(1300);
  const auto sites = observe(recorded, 0).seen.sites;
  ASSERT_EQ(sites.size(), 2u);
  EXPECT_EQ(name_of(recorded, sites[0].site), "large");
  EXPECT_EQ(sites[0].jobs, 2u);
  EXPECT_EQ(sites[0].stolen, 2u);
  EXPECT_EQ(sites[0].work_ns, 1100);
  EXPECT_EQ(sites[0].attributed_idle_ns, 1100) << "the other slot was free meanwhile";
  EXPECT_EQ(sites[0].lasted.longest_ns(), 800);
  EXPECT_EQ(sites[1].stolen, 0u);
}

/// Worker 0 takes a job of site 1 at 100; in it a fork's right side, of site 2, runs in place, and
/// in that one another.
scene nested_jobs() {
  scene made{1, 1};
  made.site("outer").site("inner");
  const auto change = [&](std::int64_t at, std::uint16_t depth, std::uint32_t site) {
    made.say(at, 0, kind::job_changed, activity::working, 0, {.other = depth, .amount = site});
  };
  made.say(100, 0, kind::job_run, activity::working, 0, {.amount = 1});
  change(200, 2, 2);
  change(250, 3, 2);
  change(300, 2, 2);
  change(400, 1, 1);
  change(600, 2, 2);
  change(700, 1, 1);
  change(900, 0, 0);
  made.turn(950, 0, activity::searching, 0);
  return made;
}

TEST(summary, knows_jobs_run_in_place_where_they_were_recorded) {
  const auto recorded = nested_jobs().end(1000);
  const observation seen = observe(recorded, 0);
  const auto& sites = seen.seen.sites;
  ASSERT_EQ(sites.size(), 3u);
  EXPECT_EQ(name_of(recorded, sites[0].site), "outer");
  EXPECT_EQ(sites[0].jobs, 1u);
  EXPECT_EQ(sites[0].work_ns, 500);
  EXPECT_EQ(sites[0].lasted.longest_ns(), 800) << "with what it forked";
  EXPECT_EQ(name_of(recorded, sites[1].site), "inner");
  EXPECT_EQ(sites[1].jobs, 3u);
  EXPECT_EQ(sites[1].stolen, 0u);
  EXPECT_EQ(sites[1].work_ns, 300);
  EXPECT_EQ(sites[1].lasted.median_ns(), 100);
  EXPECT_EQ(sites[1].lasted.longest_ns(), 200);
  EXPECT_EQ(sites[2].work_ns, 50) << "from the end of the job to the search";
  EXPECT_EQ(seen.seen.jobs.count(), 1u) << "rules about jobs that change hands see no others";
}

TEST(summary, knows_the_site_of_jobs_whose_begin_is_lost) {
  scene made = nested_jobs();
  made.lose_until(240, 0, 2);
  const auto recorded = made.end(1000);
  const auto sites = observe(recorded, 0).seen.sites;
  ASSERT_EQ(sites.size(), 3u);
  EXPECT_EQ(name_of(recorded, sites[0].site), "outer");
  EXPECT_EQ(sites[0].work_ns, 400);
  EXPECT_EQ(sites[0].jobs, 0u);
  EXPECT_EQ(name_of(recorded, sites[1].site), "inner");
  EXPECT_EQ(sites[1].work_ns, 250);
  EXPECT_EQ(sites[1].jobs, 1u) << "the others began before, or nobody knows whether they did";
}

TEST(summary, counts_looks_and_times_wakes) {
  const auto recorded = scene{2, 2}
                            .turn(0, 0, activity::working, 0)
                            .turn(100, 1, activity::parked, none, ready_work::none)
                            .turn(200, 1, activity::parked, none, ready_work::some)
                            .say(300, 0, kind::wake_sent, activity::working, 0, {.other = 1})
                            .turn(340, 1, activity::searching, 1)
                            .end(1000);
  const summary s = observe(recorded, 0).seen;
  EXPECT_EQ(s.looks, 2u);
  EXPECT_EQ(s.looks_in_vain, 1u);
  EXPECT_EQ(s.waking.median_ns(), 40);
}

TEST(data_quality, says_what_is_lost_and_what_is_not_known_to_belong_to_a_job) {
  const auto recorded = scene{1, 1}
                            .site("job")
                            .lose_until(500, 0, 42)
                            .turn(500, 0, activity::working, 0)
                            .job(750, 1000, 0, 0, 1)
                            .end(1000);
  const data_quality t = observe(recorded, 0).how_far;
  EXPECT_EQ(t.lost_records, 42u);
  EXPECT_EQ(t.workers_with_losses, 1u);
  EXPECT_EQ(t.complete_from_ns, 500);
  EXPECT_DOUBLE_EQ(t.observed, 0.5);
  EXPECT_DOUBLE_EQ(t.work_with_site, 0.5);
}

/// A worker works from 0 to 1000, and begins or ends sampling at the given times.
double sampled_work_where(std::initializer_list<std::pair<std::int64_t, bool>> changes) {
  scene made{1, 1};
  made.turn(0, 0, activity::working, 0);
  for (const auto& [at_ns, samples] : changes)
    made.say(at_ns, 0, kind::jobs_sampled, activity::working, 0, {.amount = samples ? 1u : 0u});
  return observe(made.end(1000), 0).how_far.sampled_work;
}

TEST(data_quality, says_in_how_much_of_the_work_jobs_are_sampled) {
  EXPECT_DOUBLE_EQ(sampled_work_where({}), 0);
  EXPECT_DOUBLE_EQ(sampled_work_where({{200, true}, {300, false}, {600, true}}), 0.5);
  EXPECT_DOUBLE_EQ(sampled_work_where({{250, false}}), 0.25) << "it began before the recording";
}

/// A worker works from 0 to 1000 and counts forks: at each time so many since the last one, and
/// whether it goes on.
struct counted_forks {
  std::int64_t at_ns;
  std::uint32_t forks;
  bool goes_on;
};
data_quality forks_where(std::initializer_list<counted_forks> said) {
  scene made{1, 1};
  made.turn(0, 0, activity::working, 0);
  for (const auto& [at_ns, forks, goes_on] : said) {
    made.say(at_ns, 0, kind::forks_counted, activity::working, 0,
             {.other = static_cast<std::uint16_t>(goes_on), .amount = forks});
  }
  return observe(made.end(1000), 0).how_far;
}

TEST(data_quality, estimates_forks_from_samples_of_them) {
  EXPECT_EQ(forks_where({}).forks_estimated, 0u);
  EXPECT_EQ(forks_where({{0, 0, true}, {160, 10, false}}).forks_estimated, 100u)
      << "one each 16 ns, 6 of which went into counting";
  EXPECT_EQ(forks_where({{0, 0, true}, {80, 5, true}, {160, 5, false}}).forks_estimated, 100u);
  EXPECT_EQ(forks_where({{0, 0, true}, {160, 10, false}, {500, 0, true}, {606, 1, false}})
                .forks_estimated,
            55u)
      << "half of the time as in each sample";
  EXPECT_EQ(forks_where({{160, 10, false}}).forks_estimated, 0u) << "since when is not known";
  EXPECT_EQ(forks_where({{0, 0, true}, {1000, 0, false}}).forks_estimated, 0u);
}

TEST(data_quality, estimates_forks_only_where_jobs_are_not_recorded) {
  scene made{1, 1};
  made.turn(0, 0, activity::working, 0);
  made.say(500, 0, kind::jobs_sampled, activity::working, 0, {.amount = 1});
  made.say(500, 0, kind::forks_counted, activity::working, 0, {.other = 1});
  made.say(660, 0, kind::forks_counted, activity::working, 0, {.other = 0, .amount = 10});
  EXPECT_EQ(observe(made.end(1000), 0).how_far.forks_estimated, 50u);
}

TEST(observation, refuses_recordings_whose_indices_point_nowhere) {
  const auto with = [](auto change) {
    auto made = runs::all_busy(2).end(1000);
    change(made);
    return find_fault(made);
  };
  EXPECT_EQ(with([](auto&) {}), "");
  EXPECT_NE(with([](auto& r) { r.pools.clear(); }), "");
  EXPECT_NE(with([](auto& r) { r.sites.clear(); }), "");
  EXPECT_NE(with([](auto& r) { r.length_ns = -1; }), "");
  EXPECT_NE(with([](auto& r) { r.pools[0].slot_count = 5000; }), "");
  EXPECT_NE(with([](auto& r) { r.workers[0].pool = 1; }), "");
  EXPECT_NE(with([](auto& r) { r.workers[0].index = 1u << 20; }), "");
  EXPECT_NE(with([](auto& r) { r.entries[0].worker = 2; }), "");
  EXPECT_NE(with([](auto& r) { r.entries[0].at_ns = 1; }), "") << "not in order";
  EXPECT_NE(with([](auto& r) { r.entries[1].at_ns = 2000; }), "") << "behind the end";
  EXPECT_NE(with([](auto& r) { r.entries[0].what.amount = 2; }), "") << "an unknown site";
}

TEST(observation, refuses_recordings_whose_times_cannot_be_summed) {
  constexpr std::int64_t year_ns = std::int64_t{365} * 24 * 3600 * 1'000'000'000,
                         most_ns = std::numeric_limits<std::int64_t>::max();
  const auto fault_of = [](std::int64_t length_ns, std::uint32_t slots) {
    auto made = runs::all_busy(2).end(1000);
    made.length_ns = length_ns;
    made.pools[0].slot_count = slots;
    return find_fault(made);
  };
  for (const std::int64_t length_ns : {most_ns, most_ns - 63, most_ns / 2, 31 * year_ns})
    EXPECT_NE(fault_of(length_ns, 1), "");
  EXPECT_EQ(fault_of(29 * year_ns, 2), "");
  EXPECT_EQ(fault_of(year_ns / 8, 1023), "");
  EXPECT_NE(fault_of(29 * year_ns, 1023), "") << "thirty thousand years of slots";
  auto made = runs::all_busy(2).end(1000);
  made.entries.back().what.amount = record::most + 1;
  EXPECT_NE(find_fault(made), "");
  made = runs::all_busy(2).end(1000);
  made.workers[0].complete_from_ns = -1;
  EXPECT_NE(find_fault(made), "");
}

TEST(observation, as_long_a_recording_as_there_may_be_is_accounted_for) {
  constexpr std::int64_t length_ns = (std::int64_t{1} << 62) / 1000;
  scene longest{1000, 40};
  for (std::uint32_t worker = 0; worker < 40; ++worker) {
    longest.say(0, worker, kind::job_run, activity::working, static_cast<std::uint16_t>(worker));
    for (std::uint16_t depth = 2; depth < 200; ++depth)
      longest.say(worker + depth, worker, kind::job_changed, activity::working,
                  static_cast<std::uint16_t>(worker), {.other = depth});
    longest.turn(length_ns - 1, worker, activity::searching, static_cast<std::uint16_t>(worker));
  }
  const auto recorded = longest.end(length_ns);
  ASSERT_EQ(find_fault(recorded), "");
  const observation seen = observe(recorded, busiest_pool(recorded));
  EXPECT_NEAR(seen.spent.share(use::working), 0.04, 0.001);
  EXPECT_NEAR(seen.spent.share(use::starved), 0.96, 0.001);
  EXPECT_EQ(seen.seen.sites[0].lasted.total_ns(), std::numeric_limits<std::int64_t>::max())
      << "8,000 jobs of 53 days";
  EXPECT_FALSE(judge(recorded, seen).sentence.empty());
}

TEST(observation, finds_the_busiest_of_many_pools_soon) {
  scene many{1, 1};
  for (std::uint32_t i = 1; i < 20'000; ++i) many.add_pool(1, 1);
  many.turn(0, 5, activity::working, 0)
      .turn(0, 19'000, activity::working, 0)
      .turn(900, 5, activity::parked);
  const auto recorded = many.end(1000);
  const std::uint64_t begin_ns = filch::base::own_cpu_ns();
  EXPECT_EQ(busiest_pool(recorded), 19'000u);
  EXPECT_LT(filch::base::own_cpu_ns() - begin_ns, 1'000'000'000u)
      << "every pool was laid out by itself";
}

TEST(observation, knows_the_pool_that_worked_most_and_names_sites_as_well_as_it_can) {
  scene two{4, 1};
  const auto second = two.add_pool(1, 1);
  auto recorded =
      two.turn(900, 0, activity::working, 0).turn(0, second, activity::working, 0).end(1000);
  EXPECT_EQ(busiest_pool(recorded), 1u);
  recorded.sites = {
      {}, {0x4010, "", 0, ""}, {0x4010, "/opt/app", 0x10, ""}, {0x4010, "/opt/app", 0x10, "main"}};
  EXPECT_EQ(name_of(recorded, 0), "outside any recorded job");
  EXPECT_EQ(name_of(recorded, 1), "0x4010");
  EXPECT_EQ(name_of(recorded, 2), "app+0x10");
  EXPECT_EQ(name_of(recorded, 3), "main");
}

}  // namespace
