// The protocol under orders of events that a seed decides.
#include <filch/base/corpus_fuzz.hpp>
#include <filch/base/long_stress.hpp>
#include <filch/dist/simulated_ranks_test.hpp>

namespace filch::inline v0_2::dist {
namespace {

using base::first_seed;

/// A run of its seed: 1 to 8 ranks, few tasks, so that ends and steals are most of it.
simulated_options some_options(std::uint64_t seed) {
  base::split_mix64 random{seed * 3 + 1};
  simulated_options made;
  made.ranks = 1 + static_cast<int>(random() % 8);
  made.protocol.random_tries = static_cast<unsigned>(random() % 4);
  made.protocol.lifeline_base = 2 + static_cast<int>(random() % 3);
  made.protocol.wave_pause_ns = 0;
  made.grain = 1 + random() % 2;
  made.rooted = random() % 2 == 0 ? 1 : made.ranks;
  for (std::uint64_t roots = random() % 4; roots > 0; --roots)
    made.roots.push_back({random(), random() % 6});
  return made;
}

void expect_exact(const simulated_options& options, std::uint64_t seed) {
  simulated_run run{options, seed};
  const bool ended = run.run(1'000'000);
  ASSERT_TRUE(ended) << "no end; FILCH_SEED=" << seed;
  ASSERT_EQ(run.error, "") << "FILCH_SEED=" << seed;
  for (auto& each : run.ranks) {
    ASSERT_EQ(each->machine.failure(), "") << "FILCH_SEED=" << seed;
    ASSERT_EQ(each->total, run.expected) << "FILCH_SEED=" << seed;
  }
}

std::uint64_t many() { return base::long_count(20'000, 2'000'000); }

void print_evidence(const char* name, std::uint64_t seeds) {
  std::printf("evidence: {\"kind\": \"schedule\", \"name\": \"%s\", \"seeds\": %llu}\n", name,
              static_cast<unsigned long long>(seeds));
}

TEST(dist_schedules, every_run_ends_with_the_exact_count_and_leaves_no_message) {
  for (std::uint64_t seed = first_seed(); seed < first_seed() + many(); ++seed) {
    const simulated_options options = some_options(seed);
    expect_exact(options, seed);
    if (HasFatalFailure()) return;
    simulated_run run{options, seed};
    run.run(1'000'000);
    ASSERT_TRUE(run.is_clean()) << "FILCH_SEED=" << seed;
  }
  print_evidence("counting_waves", many());
}

TEST(dist_schedules, the_ring_finds_the_same_end) {
  for (std::uint64_t seed = first_seed(); seed < first_seed() + many() / 4; ++seed) {
    simulated_options options = some_options(seed);
    options.protocol.uses_ring = true;
    expect_exact(options, seed);
    if (HasFatalFailure()) return;
  }
  print_evidence("token_ring", many() / 4);
}

TEST(dist_schedules, checkpoints_at_any_moment_hold_every_task_once) {
  std::uint64_t checkpoints = 0;
  for (std::uint64_t seed = first_seed(); seed < first_seed() + many() / 2; ++seed) {
    simulated_options options = some_options(seed);
    options.writes_checkpoints = true;
    expect_exact(options, seed);
    if (HasFatalFailure()) return;
    simulated_run run{options, seed};
    run.run(1'000'000);
    checkpoints += run.checkpoints;
  }
  EXPECT_GT(checkpoints, many() / 20);
  print_evidence("checkpoints", many() / 2);
}

TEST(dist_schedules, what_comes_twice_or_from_an_earlier_run_is_dropped) {
  std::uint64_t dropped = 0;
  for (std::uint64_t seed = first_seed(); seed < first_seed() + many() / 10; ++seed) {
    simulated_options options = some_options(seed);
    options.repeated = 100;
    options.stale = 100;
    simulated_run run{options, seed};
    ASSERT_TRUE(run.run(1'000'000)) << "FILCH_SEED=" << seed;
    ASSERT_EQ(run.error, "") << "FILCH_SEED=" << seed;
    for (auto& each : run.ranks) {
      ASSERT_EQ(each->total, run.expected) << "FILCH_SEED=" << seed;
      dropped += each->dropped;
    }
  }
  EXPECT_GT(dropped, many() / 10);
}

/// Each rank fails, or has the exact total; and with a fault one fails at least, unless the fault
/// came after its end.
void expect_failure_or_exact(const simulated_options& options, std::uint64_t seed,
                             std::uint64_t& failed) {
  simulated_run run{options, seed};
  ASSERT_TRUE(run.run(1'000'000)) << "no end; FILCH_SEED=" << seed;
  ASSERT_EQ(run.error, "") << "FILCH_SEED=" << seed;
  for (auto& each : run.ranks) {
    if (each->machine.has_failed()) {
      ASSERT_NE(each->machine.failure(), "") << "FILCH_SEED=" << seed;
    } else {
      ASSERT_EQ(each->total, run.expected) << "FILCH_SEED=" << seed;
    }
  }
  if (run.faults == 0) {
    ASSERT_FALSE(run.any_failed()) << "FILCH_SEED=" << seed;
  }
  failed += run.any_failed();
}

TEST(dist_schedules, a_lost_message_ends_in_a_failure_and_never_in_a_wrong_count) {
  std::uint64_t failed = 0;
  for (std::uint64_t seed = first_seed(); seed < first_seed() + many() / 4; ++seed) {
    simulated_options options = some_options(seed);
    options.protocol.patience_ns = 1'000'000;
    options.writes_checkpoints = seed % 2 == 0;
    options.lost = 20;
    expect_failure_or_exact(options, seed, failed);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(failed, many() / 40);
  print_evidence("losses", many() / 4);
}

TEST(dist_schedules, any_single_lost_message_ends_in_a_failure) {
  std::uint64_t failed = 0;
  for (std::uint64_t seed = first_seed(); seed < first_seed() + many() / 2; ++seed) {
    simulated_options options = some_options(seed);
    options.protocol.patience_ns = 1'000'000;
    options.protocol.wave_pause_ns = 1000;
    options.writes_checkpoints = seed % 2 == 0;
    options.lost_at = seed * 7919 % 150;
    expect_failure_or_exact(options, seed, failed);
    if (HasFatalFailure()) return;
    simulated_run run{options, seed};
    run.run(1'000'000);
    ASSERT_EQ(run.any_failed(), run.faults != 0) << "FILCH_SEED=" << seed;
  }
  EXPECT_GT(failed, many() / 10);
  print_evidence("a_single_loss", many() / 2);
}

TEST(dist_schedules, an_order_that_no_transport_may_have_ends_in_a_failure) {
  std::uint64_t failed = 0;
  for (std::uint64_t seed = first_seed(); seed < first_seed() + many() / 10; ++seed) {
    simulated_options options = some_options(seed);
    options.protocol.patience_ns = 1'000'000;
    options.overtaking = 100;
    expect_failure_or_exact(options, seed, failed);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(failed, many() / 1000);
}

}  // namespace
}  // namespace filch::dist
