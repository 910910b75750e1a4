#pragma once
// Recordings with one fault, and sound neighbors of them: what each rule of the verdict must find,
// and what it must not.
#include <filch/span/scene_test.hpp>
#include <filch/span/verdict.hpp>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace filch::inline v0_2::span {

/// A run, and the same work on one worker if the rule needs that.
struct tried_run {
  std::string what;
  event::recording recorded;
  std::optional<event::recording> on_one_worker = {};
};

struct faulty_run {
  fault what;
  tried_run must;
  tried_run must_not;
};

namespace runs {

using event::activity;
using event::kind;
using event::ready_work;

inline constexpr std::int64_t us = 1000;

/// `slots` workers that work from 0 to `length_ns`, all in one job of site 1.
inline scene all_busy(std::uint32_t slots) {
  scene made{slots, slots};
  made.site("work");
  for (std::uint32_t w = 0; w < slots; ++w) {
    made.say(0, w, kind::job_run, activity::working, static_cast<std::uint16_t>(w), {.amount = 1});
  }
  return made;
}

/// Every worker reports so much run delay at the end.
inline event::recording busy_with(std::uint32_t slots, kind what, std::uint32_t amount_us,
                                  std::int64_t length_ns) {
  scene made = all_busy(slots);
  for (std::uint32_t w = 0; w < slots; ++w) {
    made.say(length_ns, w, what, activity::working, static_cast<std::uint16_t>(w),
             {.amount = amount_us});
  }
  return made.end(length_ns);
}

/// A quota held back threads of the group for so long in total.
inline event::recording throttled_for(std::uint64_t ns, event::recording of) {
  of.throttled_ns = ns;
  return of;
}

/// On four slots, so many workers work all the time and the others never.
inline event::recording some_busy(std::uint32_t working) {
  scene made{4, 4};
  for (std::uint32_t w = 0; w < working; ++w)
    made.turn(0, w, activity::working, static_cast<std::uint16_t>(w));
  return made.end(100 * us);
}

/// Two workers; the second steals jobs of `job_ns` from the first, and each steal takes 200 ns.
inline event::recording steals_of(std::int64_t job_ns) {
  scene made{2, 2};
  made.site("leaf").turn(0, 0, activity::working, 0).turn(0, 1, activity::searching, 1);
  std::int64_t now = 0;
  for (int i = 0; i < 50; ++i) {
    made.say(now, 1, kind::steal_tried, activity::searching, 1, {.other = 0});
    made.say(now + 150, 1, kind::steal_won, activity::searching, 1, {.other = 0});
    made.job(now + 200, now + 200 + job_ns, 1, 1, 1, 0);
    now += 200 + job_ns;
  }
  return made.end(now);
}

/// Two workers that take job after job from a queue.
inline event::recording queued_jobs_of(std::int64_t job_ns) {
  scene made{2, 2};
  made.site("leaf");
  for (std::int64_t begin = 0; begin < 50 * job_ns; begin += job_ns) {
    made.job(begin, begin + job_ns, 0, 0, 1).job(begin, begin + job_ns, 1, 1, 1);
  }
  return made.end(50 * job_ns);
}

/// One worker that counts 256 forks in a sample, and works for so long afterwards. Counting one
/// takes 6 ns.
inline event::recording forks_each(std::int64_t work_a_fork_ns) {
  scene made{1, 1};
  made.site("leaf").turn(0, 0, activity::working, 0);
  const std::int64_t end_ns = 256 * (work_a_fork_ns + 6);
  made.say(0, 0, kind::forks_counted, activity::working, 0, {.other = 1});
  made.say(end_ns, 0, kind::forks_counted, activity::working, 0, {.other = 0, .amount = 256});
  return made.end(100 * end_ns);
}

/// Four workers that have work only in the last `busy_us` of 100 us.
inline event::recording unused_until_the_last(std::int64_t busy_us) {
  scene made{4, 4};
  for (std::uint32_t w = 0; w < 4; ++w) {
    made.turn((100 - busy_us) * us, w, activity::working, static_cast<std::uint16_t>(w));
  }
  return made.end(100 * us);
}

/// One works; the other is woken for every job of 50 us, and needs `late_ns` to run.
inline event::recording wakes_that_take(std::int64_t late_ns) {
  scene made{2, 2};
  made.turn(0, 0, activity::working, 0);
  std::int64_t now = 0;
  for (int i = 0; i < 20; ++i) {
    made.say(now, 0, kind::wake_sent, activity::working, 0, {.other = 1});
    made.say(now + late_ns, 1, kind::job_run, activity::working, 1, {});
    now += late_ns + 50 * us;
    made.turn(now, 1, activity::parked);
  }
  return made.end(now);
}

/// One works; the other has looked for work and parked.
inline event::recording asleep_over(ready_work seen) {
  return scene{2, 2}
      .turn(0, 0, activity::working, 0)
      .turn(10 * us, 1, activity::parked, scene::no_slot, seen)
      .end(100 * us);
}

/// On four slots jobs of 10 us, four at a time, for 100 us; one that began in the middle goes on
/// until `last_ends_ns`.
inline event::recording jobs_and_a_last_one(std::int64_t last_ends_ns) {
  scene made{4, 4};
  made.site("leaf").site("tail");
  for (std::uint32_t w = 0; w < 4; ++w) {
    const auto slot = static_cast<std::uint16_t>(w);
    for (std::int64_t begin = 0; begin < 100 * us; begin += 10 * us) {
      const bool is_last = w == 0 && begin == 50 * us;
      made.job(begin, is_last ? last_ends_ns : begin + 10 * us, w, slot, is_last ? 2 : 1);
      if (is_last) break;
    }
    if (w != 0) made.turn(100 * us, w, activity::parked, scene::no_slot, ready_work::none);
  }
  return made.end(std::max(last_ends_ns, 100 * us));
}

/// So many jobs of equal length on four slots, round by round.
inline event::recording equal_jobs(std::uint32_t count) {
  scene made{4, 4};
  const std::int64_t length = 400 * us / count;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::int64_t begin = i / 4 * length;
    made.job(begin, begin + length, i % 4, static_cast<std::uint16_t>(i % 4));
  }
  return made.end((count + 3) / 4 * length);
}

/// One slot; its worker is in `blocking` for so much of 100 us.
inline event::recording blocking_for(std::int64_t ns) {
  return scene{1, 1}
      .turn(0, 0, activity::working, 0)
      .turn(100 * us - ns, 0, activity::blocked)
      .end(100 * us);
}

inline std::vector<faulty_run> hindered_runs() {
  return {
      {fault::lost_records,
       {"a ring that kept the last third",
        scene{1, 1}.lose_until(60 * us, 0).turn(60 * us, 0, activity::working, 0).end(100 * us)},
       {"a ring that lost a moment",
        scene{1, 1}.lose_until(2 * us, 0).turn(2 * us, 0, activity::working, 0).end(100 * us)}},
      {fault::throttled,
       {"a third of the time held back by a quota",
        throttled_for(64 * us, busy_with(2, kind::run_delayed, 33, 100 * us))},
       {"a third of the time on the run queue, a moment of it held back",
        throttled_for(9 * us, busy_with(2, kind::run_delayed, 33, 100 * us))}},
      {fault::throttled,
       {"held back with others of the group",
        throttled_for(1000 * us, busy_with(2, kind::run_delayed, 33, 100 * us))},
       {"others of the group held back",
        throttled_for(1000 * us, busy_with(2, kind::run_delayed, 1, 100 * us))}},
      {fault::oversubscription,
       {"a third of the time on the run queue", busy_with(2, kind::run_delayed, 33, 100 * us)},
       {"a third of the time held back by a quota",
        throttled_for(64 * us, busy_with(2, kind::run_delayed, 33, 100 * us))}},
      {fault::oversubscription,
       {"on the run queue, and a tenth held back",
        throttled_for(20 * us, busy_with(2, kind::run_delayed, 33, 100 * us))},
       {"a quiet machine", busy_with(2, kind::run_delayed, 1, 100 * us)}},
      {fault::memory_bound,
       {"work that doubles on four", some_busy(4), all_busy(1).end(200 * us)},
       {"work that grows by a tenth", some_busy(4), all_busy(1).end(364 * us)}},
      {fault::lock_convoy,
       {"four of which one is awake", busy_with(4, kind::slept_in_job, 75, 100 * us)},
       {"four of which two are awake", busy_with(4, kind::slept_in_job, 45, 100 * us)}},
      {fault::blocked_workers,
       {"reads that keep their slots", busy_with(4, kind::slept_in_job, 45, 100 * us)},
       {"reads that are soon done", busy_with(4, kind::slept_in_job, 3, 100 * us)}},
      {fault::blocked_workers,
       {"nothing to run during a blocking call", blocking_for(40 * us)},
       {"a short blocking call", blocking_for(3 * us)}},
  };
}

inline std::vector<faulty_run> runs_of_jobs_and_wakes() {
  return {
      {fault::grain_too_fine,
       {"jobs of 300 ns", steals_of(300)},
       {"jobs of 30 us", steals_of(30 * us)}},
      {fault::grain_too_fine,
       {"jobs of 1 us from a queue", queued_jobs_of(1000)},
       {"jobs of 30 us from a queue", queued_jobs_of(30 * us)}},
      {fault::grain_too_fine,
       {"8 ns of work for each fork", forks_each(10)},
       {"100 ns of work for each fork", forks_each(102)}},
      {fault::grain_too_fine,
       {"8 ns of work for each fork, and twice the work of one worker", forks_each(10),
        all_busy(1).end(128 * us)},
       {"100 ns of work for each fork", forks_each(102)}},
      {fault::wake_latency,
       {"wakes of 40 us", wakes_that_take(40 * us)},
       {"wakes of 2 us", wakes_that_take(2 * us)}},
      {fault::neglected_work,
       {"asleep over work", asleep_over(ready_work::some)},
       {"asleep for want of work", asleep_over(ready_work::none)}},
      {fault::long_tail,
       {"a last job of 200 us", jobs_and_a_last_one(250 * us)},
       {"a last job that ends with the others", jobs_and_a_last_one(100 * us)}},
      {fault::grain_too_coarse,
       {"five jobs on four slots", equal_jobs(5)},
       {"forty jobs on four slots", equal_jobs(40)}},
      {fault::too_little_parallelism,
       {"nobody works for most of the time", unused_until_the_last(20)},
       {"nobody works for a while", unused_until_the_last(90)}},
      {fault::too_little_parallelism,
       {"one of four works", some_busy(1)},
       {"four of four work", some_busy(4)}},
  };
}

inline std::vector<faulty_run> all() {
  std::vector<faulty_run> both = hindered_runs();
  for (faulty_run& each : runs_of_jobs_and_wakes()) both.push_back(std::move(each));
  return both;
}

}  // namespace runs
}  // namespace filch::span
