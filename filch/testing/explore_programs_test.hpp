#pragma once
// For tests that run random programs. FILCH_PROGRAMS says how many seeds, FILCH_SEED with which to
// begin.
#include <filch/base/long_stress.hpp>
#include <filch/base/sanitized_test.hpp>
#include <filch/testing.hpp>
#include <filch/testing/environment_test.hpp>
#include <filch/testing/random_program_test.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>

namespace filch::inline v0_2::testing {

inline options options_of(scarcity what) {
  options wanted;
  wanted.first_seed = from_environment("FILCH_SEED", 1);
  wanted.refused_threads = what == scarcity::threads ? 2 : 0;
  wanted.most_steps = 200'000;  // fifty times as many as most programs take
  return wanted;
}

/// A sanitizer sees what each program does, and takes several times as long; new orders are found
/// without it.
inline std::uint64_t programs_wanted() {
  return from_environment("FILCH_PROGRAMS",
                          base::long_count(base::is_sanitized ? 4'000 : 20'000, 1'000'000));
}

/// Runs one program for each `share` seeds that are wanted.
inline void explore_programs(const char* name, std::uint64_t share, scarcity what) {
  std::uint64_t jobs = 0;
  std::uint64_t refusals = 0;
  const auto body = [&] {
    random_program program{seed(), what};
    jobs += program.size();
    program.run();
    refusals += program.refusals();
  };
  options wanted = options_of(what);
  wanted.seeds = static_cast<unsigned>(programs_wanted() / share);
  const auto begin = std::chrono::steady_clock::now();
  const report found = explore(body, wanted);
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (!found.passed()) {
    EXPECT_EQ(replay(*found.failing_seed, body, wanted).text(), found.text())
        << "a failure replays byte for byte";
    FAIL() << found.text() << "replay: FILCH_PROGRAMS=" << share
           << " FILCH_SEED=" << *found.failing_seed << " ctest -R random_programs\n";
  }
  EXPECT_EQ(found.seeds_run, wanted.seeds);
  if (what == scarcity::memory && found.seeds_run >= 100) {
    EXPECT_NE(refusals, 0u) << "void: nothing was refused";
  }
  std::printf(
      "evidence: {\"kind\": \"schedule\", \"name\": \"%s\", \"seeds\": %llu, \"jobs\": %llu, "
      "\"steps\": %llu, \"switches\": "
      "%llu, \"refusals\": %llu, \"ms_per_seed\": %.2f}\n",
      name, static_cast<unsigned long long>(found.seeds_run), static_cast<unsigned long long>(jobs),
      static_cast<unsigned long long>(found.steps), static_cast<unsigned long long>(found.switches),
      static_cast<unsigned long long>(refusals),
      1000 * seconds / static_cast<double>(found.seeds_run));
}

}  // namespace filch::testing
