#include <filch/span/judged_runs_test.hpp>
#include <filch/span/text.hpp>

#include <gtest/gtest.h>

#include <set>

namespace {

using namespace filch::span;
using runs::finds;
using runs::verdict_of;

class rules : public testing::TestWithParam<std::size_t> {
 protected:
  const faulty_run run = runs::all().at(GetParam());
};

TEST_P(rules, find_their_fault_first_and_say_it) {
  const verdict v = verdict_of(run.must);
  ASSERT_FALSE(v.findings.empty()) << run.must.what;
  const finding& first = v.findings.front();
  EXPECT_EQ(name_of(first.what), name_of(run.what)) << run.must.what << ":\n"
                                                    << testing::PrintToString(v);
  EXPECT_EQ(v.sentence, first.sentence);
  EXPECT_LE(v.sentence.size(), 160u) << "two lines of a terminal: " << v.sentence;
  EXPECT_TRUE(v.sentence.ends_with('.')) << v.sentence;
  EXPECT_FALSE(first.figures.empty());
  EXPECT_FALSE(first.advice.empty());
  EXPECT_GT(first.cost, 0);
  EXPECT_LE(first.cost, 1);
}

TEST_P(rules, leave_its_sound_neighbour_alone) {
  const verdict v = verdict_of(run.must_not);
  EXPECT_FALSE(finds(v, run.what)) << run.must_not.what << ":\n" << testing::PrintToString(v);
}

INSTANTIATE_TEST_SUITE_P(verdict, rules, testing::Range(std::size_t{0}, runs::all().size()),
                         [](const auto& tested) {
                           return std::string{name_of(runs::all().at(tested.param).what)} + "_" +
                                  std::to_string(tested.param);
                         });

TEST(verdict, has_a_run_for_every_fault) {
  std::set<fault> tried;
  for (const faulty_run& each : runs::all()) tried.insert(each.what);
  EXPECT_EQ(tried.size(), fault_count);
}

TEST(verdict, of_work_without_pause_is_that_nothing_stands_out) {
  const verdict v = verdict_of({"busy", runs::all_busy(4).end(1000)});
  EXPECT_TRUE(v.findings.empty());
  EXPECT_EQ(v.sentence,
            "Nothing stands out: 100 % of the time of 4 slots went into work. Whether the work has "
            "grown with the workers, only a run on one worker tells.");
  EXPECT_TRUE(v.asks_for_lone_run);
}

TEST(verdict, of_work_that_has_not_grown_says_what_a_recording_does_not_show) {
  for (const tried_run& run :
       {tried_run{"one worker", runs::all_busy(1).end(1000)},
        tried_run{"four, and the same work on one", runs::all_busy(4).end(1000),
                  runs::all_busy(1).end(4000)}}) {
    const verdict v = verdict_of(run);
    EXPECT_TRUE(v.findings.empty()) << run.what;
    EXPECT_FALSE(v.asks_for_lone_run) << run.what;
    EXPECT_TRUE(v.sentence.ends_with(" went into work.")) << v.sentence;
    EXPECT_NE(v.advice.find("page faults"), v.advice.npos) << run.what;
  }
}

TEST(verdict, of_jobs_that_sleep_asks_for_a_run_on_one_worker) {
  const auto asleep = runs::busy_with(2, filch::event::kind::slept_in_job, 65, 100 * runs::us);
  const verdict v = verdict_of({"for a lock or a disk", asleep});
  ASSERT_EQ(v.findings.at(0).what, fault::blocked_workers);
  EXPECT_TRUE(v.asks_for_lone_run);
  EXPECT_FALSE(v.findings.at(0).advice.starts_with("Wrap")) << "for a lock that is no remedy";
}

TEST(verdict, says_what_the_program_can_mend_before_what_runs_beside_it) {
  auto busy = runs::busy_with(4, filch::event::kind::run_delayed, 40, 100 * runs::us);
  for (std::uint32_t w = 0; w < 4; ++w) {
    filch::event::entry slept = busy.entries.back();
    slept.worker = w;
    slept.what.what = filch::event::kind::slept_in_job;
    slept.what.amount = 20;
    busy.entries.push_back(slept);
  }
  const verdict v = verdict_of({"sleeps on a busy machine", busy});
  ASSERT_EQ(v.findings.size(), 2u) << testing::PrintToString(v);
  EXPECT_EQ(v.findings[0].what, fault::blocked_workers);
  EXPECT_EQ(v.findings[1].what, fault::oversubscription);
}

TEST(verdict, of_a_watched_run_asks_only_for_what_holds_of_serial_ones) {
  for (const faulty_run& run : runs::all()) {
    tried_run watched = run.must;
    watched.recorded.analyzed.emplace();
    const bool is_asked = run.what == fault::lost_records || run.what == fault::throttled ||
                          run.what == fault::oversubscription;
    EXPECT_EQ(finds(verdict_of(watched), run.what), is_asked) << run.must.what;
  }
}

TEST(verdict, of_nothing_is_that_no_work_was_recorded) {
  EXPECT_EQ(verdict_of({"empty", scene{4, 0}.end(0)}).sentence, "No work was recorded.");
}

TEST(verdict, of_a_pool_that_stands_still_does_not_blame_jobs) {
  EXPECT_EQ(verdict_of({"outside", runs::unused_until_the_last(20)}).sentence,
            "Too little parallelism: for 80 % of the time no job ran at all; what the program did "
            "then, it did outside the pool.");
}

/// If jobs are too fine, part of their cost is work; of forks all of it.
double idle_part(const finding& f) {
  if (f.what != fault::grain_too_fine) return f.cost;
  const auto idle = std::ranges::find(f.figures, "stealing_searching_neglected", &figure::name);
  return idle == f.figures.end() ? 0 : idle->value;
}

TEST(verdict, explains_idle_time_once) {
  for (const faulty_run& each : runs::all()) {
    const observation seen = observe(each.must.recorded, 0);
    double idle_cost = 0;
    for (const finding& f : judge(each.must.recorded, seen).findings) {
      const bool is_idleness = f.what != fault::lost_records && f.what != fault::throttled &&
                               f.what != fault::oversubscription && f.what != fault::lock_convoy &&
                               f.what != fault::blocked_workers && f.what != fault::memory_bound;
      idle_cost += is_idleness ? idle_part(f) : 0;
    }
    EXPECT_LE(idle_cost, static_cast<double>(seen.spent.idle_ns()) /
                                 static_cast<double>(seen.spent.total_ns()) +
                             1e-9)
        << each.must.what;
  }
}

TEST(verdict, explains_run_delay_once) {
  const auto delayed = runs::busy_with(2, filch::event::kind::run_delayed, 33, 100 * runs::us);
  const verdict v = verdict_of({"a third held back, the rest on the run queue",
                                runs::throttled_for(22 * runs::us, delayed)});
  ASSERT_EQ(v.findings.size(), 2u) << testing::PrintToString(v);
  EXPECT_EQ(v.findings[0].what, fault::oversubscription);
  EXPECT_NEAR(v.findings[0].cost, 0.22, 1e-9);
  EXPECT_EQ(v.findings[1].what, fault::throttled);
  EXPECT_NEAR(v.findings[1].cost, 0.11, 1e-9);
}

TEST(verdict, jobs_that_end_one_after_the_other_are_no_tail) {
  scene made{2, 2};
  made.site("leaf").turn(0, 1, filch::event::activity::parked, scene::no_slot,
                         filch::event::ready_work::none);
  std::int64_t now = 0;
  for (int i = 0; i < 100; ++i) {
    made.say(now, 0, filch::event::kind::job_run, filch::event::activity::working, 0,
             {.amount = 1});
    now += (i == 0 ? 40 : 10) * runs::us;
  }
  const verdict v = verdict_of({"a row of jobs", made.end(now)});
  EXPECT_FALSE(finds(v, fault::long_tail)) << testing::PrintToString(v);
  EXPECT_TRUE(finds(v, fault::too_little_parallelism));
}

TEST(verdict, time_outside_the_pool_is_no_coarse_grain) {
  scene made{2, 2};
  made.site("leaf").job(30 * runs::us, 100 * runs::us, 0, 0, 1);
  made.job(30 * runs::us, 65 * runs::us, 1, 1, 1).job(65 * runs::us, 100 * runs::us, 1, 1, 1);
  const verdict v = verdict_of({"serial, then three jobs for two", made.end(100 * runs::us)});
  EXPECT_FALSE(finds(v, fault::grain_too_coarse)) << testing::PrintToString(v);
  EXPECT_TRUE(finds(v, fault::too_little_parallelism)) << testing::PrintToString(v);
}

/// One job over the whole time, and one for the other worker, which then finds none. The first
/// worker also runs so many in place.
filch::event::recording two_jobs_and_so_many_in_place(std::int64_t count) {
  scene made{2, 2};
  made.site("leaf").job(0, 100 * runs::us, 0, 0, 1).job(0, 40 * runs::us, 1, 1, 1);
  made.turn(40 * runs::us, 1, filch::event::activity::parked, scene::no_slot,
            filch::event::ready_work::none);
  for (std::int64_t i = 1; i <= count; ++i) {
    const auto say = [&](std::int64_t at_ns, std::uint16_t depth) {
      made.say(at_ns, 0, filch::event::kind::job_changed, filch::event::activity::working, 0,
               {.other = depth, .amount = 1});
    };
    say(i * runs::us, 2);
    say(i * runs::us + 500, 1);
  }
  return made.end(100 * runs::us);
}

TEST(verdict, jobs_that_nobody_took_count_too) {
  const verdict two = verdict_of({"two jobs", two_jobs_and_so_many_in_place(0)});
  EXPECT_TRUE(finds(two, fault::grain_too_coarse)) << testing::PrintToString(two);
  const verdict many =
      verdict_of({"two jobs, and many that nobody took", two_jobs_and_so_many_in_place(20)});
  EXPECT_FALSE(finds(many, fault::grain_too_coarse)) << testing::PrintToString(many);
  EXPECT_TRUE(finds(many, fault::too_little_parallelism)) << testing::PrintToString(many);
}

/// The second of two workers takes forty jobs of `job_ns` from the first, which takes `taking_ns`
/// each. The first runs five in place meanwhile.
filch::event::recording steals_beside_jobs_in_place(std::int64_t taking_ns, std::int64_t job_ns) {
  using filch::event::activity;
  using filch::event::kind;
  scene made{2, 2};
  made.site("leaf").turn(0, 0, activity::working, 0).turn(0, 1, activity::searching, 1);
  std::int64_t now = 0;
  for (int i = 0; i < 40; ++i) {
    made.say(now, 1, kind::steal_tried, activity::searching, 1, {.other = 0});
    made.say(now + taking_ns - 50, 1, kind::steal_won, activity::searching, 1, {.other = 0});
    made.job(now + taking_ns, now + taking_ns + job_ns, 1, 1, 1, 0);
    for (std::int64_t at = now; at < now + 500; at += 100) {
      made.say(at, 0, kind::job_changed, activity::working, 0, {.other = 1, .amount = 1});
      made.say(at + 10, 0, kind::job_changed, activity::working, 0, {.other = 0});
    }
    now += taking_ns + job_ns;
  }
  return made.end(now);
}

TEST(verdict, jobs_run_in_place_are_from_no_queue) {
  const verdict dear =
      verdict_of({"six times what taking one costs", steals_beside_jobs_in_place(400, 2400)});
  ASSERT_TRUE(finds(dear, fault::grain_too_fine)) << testing::PrintToString(dear);
  EXPECT_NEAR(dear.findings.front().cost, 400.0 / 2 / 2800, 1e-9)
      << "what the thief searched and stole for, and no queue";
  const verdict cheap =
      verdict_of({"nineteen times what taking one costs", steals_beside_jobs_in_place(100, 1900)});
  EXPECT_FALSE(finds(cheap, fault::grain_too_fine)) << testing::PrintToString(cheap);
}

TEST(verdict, wakes_for_jobs_that_are_too_small_are_paid_once) {
  scene made{2, 2};
  made.site("leaf").turn(0, 0, filch::event::activity::working, 0);
  std::int64_t now = 0;
  for (int i = 0; i < 40; ++i) {
    made.say(now, 0, filch::event::kind::wake_sent, filch::event::activity::working, 0,
             {.other = 1});
    made.job(now + 600, now + 1000, 1, 1, 1);
    made.turn(now + 1000, 1, filch::event::activity::parked);
    now += 1000;
  }
  const verdict v = verdict_of({"woken for 400 ns", made.end(now)});
  EXPECT_TRUE(finds(v, fault::grain_too_fine)) << testing::PrintToString(v);
  EXPECT_FALSE(finds(v, fault::wake_latency)) << testing::PrintToString(v);
}

TEST(verdict, forks_that_only_one_of_two_recordings_counts_are_no_inflation) {
  using filch::event::activity;
  using filch::event::kind;
  scene made{1, 1};
  made.site("leaf").turn(0, 0, activity::working, 0);
  for (std::int64_t at = 4 * runs::us; at < 364 * runs::us; at += 9 * runs::us) {
    made.say(at, 0, kind::job_changed, activity::working, 0, {.other = 1, .amount = 1});
    made.say(at + runs::us, 0, kind::job_changed, activity::working, 0, {.other = 0});
  }
  filch::event::recording alone = made.end(364 * runs::us);
  alone.fork_ps = 2'500'000;
  EXPECT_EQ(observe(alone, 0).spent[use::forking], 100 * runs::us)
      << "so that too little would be left";
  const verdict v =
      verdict_of({"a tenth more, of which a quarter was for forks", runs::some_busy(4), alone});
  EXPECT_FALSE(finds(v, fault::memory_bound)) << testing::PrintToString(v);
}

TEST(verdict, what_a_watched_run_took_to_be_watched_hides_no_inflation) {
  filch::event::recording alone = runs::all_busy(1).end(400 * runs::us);
  alone.analyzed.emplace().work_ns = 200'000;
  const verdict v = verdict_of({"work that doubles on four", runs::some_busy(4), alone});
  ASSERT_TRUE(finds(v, fault::memory_bound)) << testing::PrintToString(v);
  EXPECT_EQ(v.findings.front().figures.front().value, 2);
  EXPECT_EQ(v.sentence,
            "The same work takes 2.0 times as long on 4 slots as on one: they compete for memory "
            "or for a lock.");
}

TEST(verdict, a_queue_for_a_lock_is_told_from_reads_by_a_run_on_one_worker) {
  const auto asleep = [](std::uint32_t slots, std::uint32_t slept_us) {
    return runs::busy_with(slots, filch::event::kind::slept_in_job, slept_us, 100 * runs::us);
  };
  EXPECT_TRUE(finds(verdict_of({"alone it never sleeps", asleep(4, 75), asleep(1, 0)}),
                    fault::lock_convoy));
  EXPECT_FALSE(finds(verdict_of({"alone it sleeps as much", asleep(4, 75), asleep(1, 75)}),
                     fault::lock_convoy));
  scene mostly_outside{1, 1};
  mostly_outside.turn(0, 0, filch::event::activity::working, 0);
  mostly_outside.say(100 * runs::us, 0, filch::event::kind::slept_in_job,
                     filch::event::activity::working, 0, {.amount = 75});
  mostly_outside.turn(100 * runs::us, 0, filch::event::activity::parked);
  EXPECT_FALSE(finds(
      verdict_of({"alone, too, in its jobs", asleep(4, 75), mostly_outside.end(2000 * runs::us)}),
      fault::lock_convoy));
}

TEST(text, numbers_keep_two_or_three_digits) {
  EXPECT_EQ(percent_text(0.3471), "35 %");
  EXPECT_EQ(percent_text(0.0342), "3.4 %");
  EXPECT_EQ(percent_text(0.0996), "10 %");
  EXPECT_EQ(duration_text(0), "0 ns");
  EXPECT_EQ(duration_text(850), "850 ns");
  EXPECT_EQ(duration_text(999.9), "1.0 us");
  EXPECT_EQ(duration_text(1234), "1.2 us");
  EXPECT_EQ(duration_text(12.3e6), "12 ms");
  EXPECT_EQ(duration_text(3.5e9), "3.5 s");
  EXPECT_EQ(number_text(9.96), "10");
}

}  // namespace
