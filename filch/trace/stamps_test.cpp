// Which records of jobs have a stamp of their own.
#include <filch/trace/stamps.hpp>

#include <gtest/gtest.h>

#include <vector>

namespace {

/// A clock that only the test moves, and that counts looks.
struct hand_clock {
  static inline std::uint64_t time = 0;
  static inline unsigned looks = 0;
  static std::uint64_t now() noexcept {
    ++looks;
    return time;
  }
};

class stamps : public testing::Test {
 protected:
  using sut = filch::trace::basic_stamps<hand_clock>;
  static constexpr std::uint64_t short_ticks = 40;

  stamps() { hand_clock::time = 1000, hand_clock::looks = 0; }
  static void pass(std::uint64_t ticks) { hand_clock::time += ticks; }
  /// A leaf of 60 ticks, and then what follows it `after` ticks later; returns the stamp of what
  /// follows.
  std::uint64_t run_leaf(std::uint64_t after, std::uint64_t moment = 5) {
    times.of_begin(1);
    pass(60);
    ended = times.of_end(2);
    pass(after);
    return times.of_begin(moment);
  }

  sut times{short_ticks};
  std::uint64_t ended = 0;
};

TEST_F(stamps, begin_and_end_of_a_leaf_are_exact) {
  for (int i = 0; i < 20; ++i) {
    pass(1000);
    times.note(hand_clock::time);
    pass(7);
    EXPECT_EQ(times.of_begin(1), hand_clock::time);
    pass(60);
    EXPECT_EQ(times.of_end(1), hand_clock::time);
  }
}

TEST_F(stamps, one_serves_the_end_of_a_job_and_what_comes_right_after) {
  EXPECT_EQ(run_leaf(10), hand_clock::time) << "the first time it looks";
  for (unsigned i = 0; i < sut::most_repeats; ++i) {
    run_leaf(10);
    EXPECT_EQ(times.of_begin(9), hand_clock::time)
        << "a begin after a begin has a stamp of its own";
    EXPECT_EQ(hand_clock::time, ended + 10);
  }
}

TEST_F(stamps, repeats_end_and_it_looks_again) {
  run_leaf(10);
  unsigned repeated = 0;
  for (unsigned i = 0; i < 4 * (sut::most_repeats + 1); ++i)
    repeated += run_leaf(10) == ended ? 1 : 0;
  EXPECT_EQ(repeated, 4 * sut::most_repeats);
}

TEST_F(stamps, what_takes_its_time_after_a_job_is_stamped_each_time) {
  for (int i = 0; i < 50; ++i) EXPECT_EQ(run_leaf(short_ticks), hand_clock::time);
}

TEST_F(stamps, a_moment_is_known_by_itself) {
  run_leaf(10, 5);
  EXPECT_EQ(run_leaf(10'000, 6), hand_clock::time) << "nothing is known of that one";
  EXPECT_EQ(run_leaf(10, 5), ended);
}

TEST_F(stamps, never_go_back) {
  std::uint64_t latest = 0;
  const auto expect_no_less = [&](std::uint64_t stamp) {
    EXPECT_GE(stamp, latest);
    latest = stamp;
  };
  for (std::uint64_t i = 0; i < 1000; ++i) {
    pass(i * 7 % 31);
    if (i % 5 == 0) times.note(hand_clock::time), latest = hand_clock::time;
    expect_no_less(i % 3 == 0 ? times.of_begin(i % 4) : times.of_end(i % 4));
  }
}

}  // namespace
