#include <bench/uts/filch.hpp>
#include <filch/base/long_stress.hpp>
#include <gtest/gtest.h>

namespace {

class sample_trees : public testing::TestWithParam<std::string> {};

TEST_P(sample_trees, have_the_published_counts) {
  const auto& entry = bench::uts::sample(GetParam());
  EXPECT_EQ(bench::uts::check(entry, bench::uts::serial(entry.parameters)), "");
}

TEST_P(sample_trees, have_the_published_counts_on_filch) {
  const auto& entry = bench::uts::sample(GetParam());
  filch::thread_pool pool{{.workers = 5}};
  EXPECT_EQ(
      bench::uts::check(entry, pool.run([&] { return bench::uts::on_filch(entry.parameters); })),
      "");
}

INSTANTIATE_TEST_SUITE_P(uts, sample_trees, testing::Values("T2", "T3", "T4", "T5"),
                         [](const auto& tested) { return tested.param; });

class large_sample_trees : public testing::TestWithParam<std::string> {};

TEST_P(large_sample_trees, have_the_published_counts_on_filch) {
  if (!filch::base::is_long_run()) GTEST_SKIP() << "a hundred million nodes: only with FILCH_LONG";
  const auto& entry = bench::uts::sample(GetParam());
  filch::thread_pool pool{{.workers = 5}};
  EXPECT_EQ(
      bench::uts::check(entry, pool.run([&] { return bench::uts::on_filch(entry.parameters); })),
      "");
}

INSTANTIATE_TEST_SUITE_P(uts, large_sample_trees, testing::Values("T1L", "T3L"),
                         [](const auto& tested) { return tested.param; });

}  // namespace
