#include <bench/grain/judging.hpp>
#include <filch/base/rng.hpp>
#include <gtest/gtest.h>

#include <cmath>

namespace {

using namespace bench::grain;

constexpr double bar = 1.05;

/// Rounds of a contender that takes `seconds` or up to `noise` times that more, mostly little.
samples noisy(filch::base::split_mix64& random, std::size_t rounds, double seconds, double noise) {
  samples all(rounds);
  for (double& each : all) {
    const double draw = static_cast<double>(random() >> 11) * 0x1p-53;
    each = seconds * (1 + noise * draw * draw);
  }
  return all;
}

std::vector<samples> six_equal(filch::base::split_mix64& random, std::size_t rounds, double noise) {
  std::vector<samples> all;
  for (int i = 0; i < 6; ++i) all.push_back(noisy(random, rounds, 1, noise));
  return all;
}

double least_median(const std::vector<samples>& all) {
  double least = INFINITY;
  for (const samples& each : all) least = std::min(least, bench::settling::median(each));
  return least;
}

TEST(grain_sweep, a_contender_as_fast_as_six_others_is_not_behind_the_best_of_them) {
  filch::base::split_mix64 random{1};
  constexpr int trials = 400;
  double to_least = 0, to_fastest = 0;
  int missed = 0;
  for (int i = 0; i < trials; ++i) {
    const std::vector<samples> others = six_equal(random, 15, 0.5);
    const samples ours = noisy(random, 15, 1, 0.5);
    const interval found = median_interval(ratios_to_fastest(ours, others));
    to_least += bench::settling::median(ours) / least_median(others);
    to_fastest += found.middle;
    missed += judge(found, bar) == verdict::missed ? 1 : 0;
  }
  EXPECT_GT(to_least / trials, 1.04) << "the least of six medians is below each: without that "
                                        "there would be nothing to guard against";
  EXPECT_NEAR(to_fastest / trials, 1, 0.01);
  EXPECT_EQ(missed, 0);
}

TEST(grain_sweep, ten_percent_are_missed_and_none_are_held) {
  filch::base::split_mix64 random{2};
  const std::vector<samples> others = six_equal(random, 301, 0.1);
  EXPECT_EQ(judge(median_interval(ratios_to_fastest(noisy(random, 301, 1.1, 0.1), others)), bar),
            verdict::missed);
  EXPECT_EQ(judge(median_interval(ratios_to_fastest(noisy(random, 301, 1.0, 0.1), others)), bar),
            verdict::held);
}

TEST(grain_sweep, the_best_of_others_is_found_although_it_is_only_one) {
  filch::base::split_mix64 random{3};
  std::vector<samples> others = six_equal(random, 101, 0.05);
  others[4] = noisy(random, 101, 0.9, 0.05);
  EXPECT_EQ(judge(median_interval(ratios_to_fastest(noisy(random, 101, 1, 0.05), others)), bar),
            verdict::missed);
}

TEST(grain_sweep, what_comes_over_all_alike_in_a_round_does_not_count) {
  filch::base::split_mix64 random{4};
  std::vector<samples> others = six_equal(random, 101, 0.02);
  samples ours = noisy(random, 101, 1, 0.02);
  for (std::size_t round = 0; round < ours.size(); round += 3) {
    ours[round] *= 5;
    for (samples& each : others) each[round] *= 5;
  }
  EXPECT_EQ(judge(median_interval(ratios_to_fastest(ours, others)), bar), verdict::held);
}

TEST(grain_sweep, ten_rounds_cannot_tell) {
  EXPECT_EQ(judge(median_interval(samples(10, 2.0)), bar), verdict::open);
  EXPECT_EQ(judge(median_interval(samples(11, 2.0)), bar), verdict::missed);
  EXPECT_EQ(judge(median_interval(samples(1000, 2.0)), bar), verdict::missed)
      << "a chance below the least double is none";
}

TEST(grain_sweep, a_plain_loop_is_allowed_two_microseconds_and_a_twentieth_more) {
  const samples plain{1e-6, 1e-3, 100e-6};
  const std::vector<double> found =
      ratios_to_allowed({1.05e-6 + 2e-6, 1.05e-3 + 2e-6, 2 * (105e-6 + 2e-6)}, plain);
  EXPECT_NEAR(found[0], 1, 1e-9);
  EXPECT_NEAR(found[1], 1, 1e-9);
  EXPECT_NEAR(found[2], 2, 1e-9);
}

}  // namespace
