// The part of a worker's records in a window of time: of a pause, the part that accrued there.
#include <filch/trace/collect.hpp>

#include <filch/base/clock.hpp>
#include <filch/trace/process_files.hpp>

#include <gtest/gtest.h>

#include <unistd.h>
#if defined(__linux__)
#include <sched.h>
#endif

#include <atomic>
#include <cstdint>
#include <thread>

namespace {

using filch::event::activity;
using filch::event::kind;
using filch::event::record;
using filch::event::recording;
using filch::trace::row;

std::uint64_t ago(std::uint64_t ms) {
  return filch::base::ticks() - ms * 1000 * filch::base::ticks_per_us();
}

/// A delay to which the kernel has nothing to add.
constexpr std::uint64_t all_told = ~std::uint64_t{0};

/// A segment of this process with the records of one worker, which is the calling thread. It was
/// begun ten seconds ago.
class one_worker {
 public:
  one_worker() {
    header().calibration_ns -= 10'000'000'000;
    header().calibration_ticks = began_;
    header().began_ticks.store(began_, filch::base::relaxed);
    made_.set_ring_places(256);
    EXPECT_TRUE(made_.add_ring(worker()));
    worker().slot_count.store(1, filch::base::relaxed);
    worker().thread.store(static_cast<std::uint64_t>(filch::trace::own_thread_id()),
                          filch::base::relaxed);
    worker().hold.hand_to(filch::trace::row_owner{1, 0}.pack(), 0);
    header().row_count.store(1, filch::base::relaxed);
    say(began_, kind::state_changed);
  }
  /// The kernel was asked at `ticks`, and records tell so much of the delay.
  one_worker& asked(std::uint64_t ticks, std::uint64_t delay_ns) {
    worker().delay_ns.store(delay_ns, filch::base::relaxed);
    worker().asked_ticks.store(ticks, filch::base::relaxed);
    return *this;
  }
  one_worker& say(std::uint64_t ticks, kind what, std::uint32_t amount = 0) {
    record said;
    said.ticks = ticks;
    said.what = what;
    said.doing = activity::working;
    said.slot = 0;
    said.amount = amount;
    made_.ring_of(worker()).push(said.pack());
    return *this;
  }
  one_worker& lose_the_first(std::uint64_t records) {
    for (std::uint64_t i = 0; i < records + 255; ++i) say(ago(20), kind::fork_exposed);
    return *this;
  }
  one_worker& end(std::uint64_t ticks) {
    header().ended_ticks.store(ticks, filch::base::relaxed);
    return *this;
  }
  recording since(std::uint64_t begin_ticks) const {
    return filch::trace::collect(filch::trace::segment_view{made_.path()}, begin_ticks);
  }
  std::uint64_t began() const { return began_; }

 private:
  filch::trace::segment_header& header() { return made_.header(); }
  row& worker() { return made_.header().rows[0]; }

  const std::uint64_t began_ = ago(10'000);
  filch::trace::own_segment made_{filch::trace::segment_path(::getpid())};
};

std::uint64_t told_us(const recording& all, kind what) {
  std::uint64_t sum = 0;
  for (const auto& each : all.entries) sum += each.what.what == what ? each.what.amount : 0;
  return sum;
}

std::uint64_t own_delay_ns() {
  return filch::trace::times_of(::getpid(), filch::trace::own_thread_id()).run_delay_ns;
}

/// Shares a processor with another thread until the kernel has kept this one waiting for 20 ms.
/// False where it does not say.
bool be_delayed() {
#if defined(__linux__)
  cpu_set_t before, one;
  if (::sched_getaffinity(0, sizeof(before), &before) != 0) return false;
  CPU_ZERO(&one);
  CPU_SET(::sched_getcpu(), &one);
  ::sched_setaffinity(0, sizeof(one), &one);
  std::atomic<bool> is_over{false};
  std::thread rival{[&] {
    while (!is_over) {
    }
  }};
  const std::uint64_t begun = filch::base::now_ns();
  while (own_delay_ns() < 20'000'000 && filch::base::now_ns() - begun < 5'000'000'000) {
  }
  is_over = true;
  rival.join();
  ::sched_setaffinity(0, sizeof(before), &before);
#endif
  return own_delay_ns() >= 20'000'000;
}

TEST(collect, what_a_long_job_tells_at_its_end_counts_in_a_window_for_its_part_of_the_job) {
  one_worker made;
  const std::uint64_t begins = ago(100), its_end = ago(50), now = ago(0);
  made.say(made.began(), kind::job_run).asked(its_end, all_told);
  made.say(its_end, kind::run_delayed, 1'000'000).say(its_end, kind::slept_in_job, 4'000'000);
  const recording last = made.end(now).since(begins), all = made.since(0);
  EXPECT_NEAR(static_cast<double>(told_us(last, kind::run_delayed)), 5000, 1000)
      << "of 9.95 s, 50 ms lie in the window";
  EXPECT_NEAR(static_cast<double>(told_us(last, kind::slept_in_job)), 20'000, 4000);
  EXPECT_EQ(told_us(all, kind::run_delayed), 1'000'000u);
  EXPECT_EQ(told_us(all, kind::slept_in_job), 4'000'000u);
}

TEST(collect, what_began_in_the_window_counts_in_it_whole) {
  one_worker made;
  made.say(ago(90), kind::job_run).say(ago(50), kind::run_delayed, 7000).asked(ago(50), all_told);
  EXPECT_EQ(told_us(made.end(ago(40)).since(ago(200)), kind::run_delayed), 7000u);
}

TEST(collect, what_came_together_since_nobody_knows_when_is_nobody_s) {
  one_worker made;
  made.say(made.began(), kind::job_run).lose_the_first(2);
  made.say(ago(10), kind::run_delayed, 1'000'000).asked(ago(10), all_told);
  EXPECT_EQ(told_us(made.end(ago(5)).since(0), kind::run_delayed), 0u)
      << "the job may have begun hours ago";
}

TEST(collect, the_delay_of_a_job_that_lasts_counts_in_a_window_for_its_part_of_the_job) {
  if (!be_delayed())
    GTEST_SKIP() << "the kernel does not say how long threads wait for a processor";
  one_worker made;
  made.say(made.began(), kind::job_run).asked(made.began(), 0);
  const std::uint64_t seen_us = told_us(made.since(ago(100)), kind::run_delayed);
  EXPECT_LT(seen_us, own_delay_ns() / 1000 / 20) << "a hundredth of it";
  EXPECT_GT(seen_us, 0u);
}

TEST(collect, a_recording_that_has_ended_learns_no_delay_of_later) {
  if (!be_delayed())
    GTEST_SKIP() << "the kernel does not say how long threads wait for a processor";
  one_worker made;
  made.say(made.began(), kind::job_run).asked(made.began(), 0).end(ago(9900));
  EXPECT_LT(told_us(made.since(0), kind::run_delayed), own_delay_ns() / 1000 / 20)
      << "it ended after a hundredth of the time";
}

TEST(collect, what_a_worker_told_while_its_records_were_copied_counts_up_to_the_end) {
  one_worker made;
  const std::uint64_t begins = ago(100), ends = ago(50), later = ago(1);
  made.say(begins, kind::job_run)
      .end(ends)
      .say(later, kind::run_delayed, 90'000)
      .asked(later, all_told);
  EXPECT_NEAR(static_cast<double>(told_us(made.since(0), kind::run_delayed)), 45'000, 9000);
}

}  // namespace
