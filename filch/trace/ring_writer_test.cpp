// What a worker finds out about its own pauses.
#include <filch/trace/ring_writer.hpp>

#include <filch/trace/process_files.hpp>

#include <gtest/gtest.h>

#include <unistd.h>

#include <chrono>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

namespace {

using filch::event::activity;

/// All that a `ring_writer` points to.
struct own_writer {
  static constexpr std::size_t places = 256;
  std::unique_ptr<filch::trace::row> row = std::make_unique<filch::trace::row>();
  std::unique_ptr<filch::trace::counter_snapshot> counter_snapshot =
      std::make_unique<filch::trace::counter_snapshot>();
  std::vector<filch::trace::word> words = std::vector<filch::trace::word>(2 * places);
  std::vector<filch::trace::word> sites = std::vector<filch::trace::word>(filch::trace::most_sites);
  filch::trace::ring_writer ring_writer{*row,
                                        *counter_snapshot,
                                        {row->head, words.data(), places},
                                        {sites.data(), filch::trace::most_sites}};
};

// The recorder copies all counters, then asks the kernel for a while before it switches the worker
// on.
TEST(ring_writer, an_activity_that_ended_as_recording_began_is_not_told_to_last) {
  own_writer made;
  filch::event::counters mine;
  mine.change(activity::blocked, 100);
  made.ring_writer.tell_all(mine);
  mine.change(activity::working, 150);
  mine.change(activity::parked, 170);
  made.ring_writer.tell_activity(mine);
  filch::event::counted read;
  for (std::size_t i = 0; i < read.words.size(); ++i)
    read.words[i] = made.counter_snapshot->words[i].load(filch::base::relaxed);
  EXPECT_EQ(filch::event::spent_ticks(read, activity::blocked, 1'000), 50u);
  EXPECT_EQ(filch::event::spent_ticks(read, activity::working, 1'000), 20u);
  EXPECT_EQ(filch::event::spent_ticks(read, activity::parked, 1'000), 830u);
}

TEST(ring_writer, sleep_of_a_minute_in_a_job_is_told_whole) {
  own_writer made;
  filch::event::counters mine;
  const std::uint64_t minute = 60'000'000 * filch::base::ticks_per_us();
  mine.change(activity::working, filch::base::ticks());
  made.ring_writer.adopt_thread(mine);
  // As if it had worked for a minute without any CPU time.
  mine.change(activity::searching, filch::base::ticks() + minute);
  // Two clocks are compared over this time
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  const auto since = made.ring_writer.paused(filch::base::ticks(), mine);
  const auto told = filch::trace::times_of(::getpid(), filch::trace::own_thread_id());
  if (told.on_cpu_ns == 0) GTEST_SKIP() << "the kernel does not say how long threads ran";
  EXPECT_GT(since.slept_us, 40'000'000u);
}

/// After so many microseconds, a tick each.
filch::trace::ring_writer::thread_times after(std::uint64_t held_us, std::uint64_t away_us,
                                              std::uint64_t on_cpu_us) {
  return {1'000'000, 1'000'000'000, on_cpu_us * 1000, held_us, away_us};
}

std::pair<std::uint64_t, std::uint64_t> pauses_of(
    const filch::trace::ring_writer::thread_times& now, std::uint64_t delay_us) {
  const filch::trace::ring_writer::pauses made =
      filch::trace::ring_writer::pauses_between({}, now, delay_us);
  return {made.run_delay_us, made.slept_us};
}

TEST(ring_writer, tells_the_delay_that_fell_into_its_time_with_a_slot) {
  using told = std::pair<std::uint64_t, std::uint64_t>;
  EXPECT_EQ(pauses_of(after(10'000, 0, 6'000), 4'000), told(4'000, 0));
  EXPECT_EQ(pauses_of(after(10'000, 0, 6'000), 1'000), told(1'000, 3'000));
  EXPECT_EQ(pauses_of(after(10'000, 0, 10'000), 5'000), told(0, 0))
      << "it ran all the time: the delay was without";
  EXPECT_EQ(pauses_of(after(10'000, 20'000, 26'000), 4'000), told(4'000, 0))
      << "a visitor computes elsewhere, too";
}

}  // namespace
