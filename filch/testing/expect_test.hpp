#pragma once
// For tests that try a program under one schedule after another.
#include <filch/testing.hpp>
#include <filch/testing/environment_test.hpp>

#include <gtest/gtest.h>

#include <cstdio>
#include <functional>

namespace filch::inline v0_2::testing {

/// Expects that no schedule of `wanted` makes `body` fail, and prints how many were tried.
/// FILCH_SEEDS in the environment multiplies their number.
inline void expect_no_failure(const std::function<void()>& body,
                              options wanted = {.seeds = 500, .most_steps = 20'000}) {
  wanted.seeds *= static_cast<unsigned>(from_environment("FILCH_SEEDS", 1));
  wanted.most_lines = 100;
  const report found = explore(body, wanted);
  ASSERT_TRUE(found.passed()) << found.text();
  ASSERT_EQ(found.seeds_run, wanted.seeds);
  std::printf(
      "evidence: {\"kind\": \"schedule\", \"name\": \"%s\", \"seeds\": %llu, \"steps\": %llu}\n",
      ::testing::UnitTest::GetInstance()->current_test_info()->name(),
      static_cast<unsigned long long>(found.seeds_run),
      static_cast<unsigned long long>(found.steps));
}

}  // namespace filch::testing
