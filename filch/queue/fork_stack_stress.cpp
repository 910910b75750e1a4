// Every job on a fork stack under real threads runs once, and its join sees it. A run counts only
// if, in the same shape, the test would have noticed the mistakes that this shape can show.
#include <filch/base/long_stress.hpp>
#include <filch/queue/broken_sync_stress.hpp>
#include <filch/queue/fork_stack_stress.hpp>
#include <filch/queue/yielding_sync_stress.hpp>

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>

namespace {

using filch::base::notices, filch::base::now_ns;
using filch::queue::fork_rush;
using filch::queue::stress_pops;

/// One run: how many thieves steal from an owner that forks in bursts, how it pops, over which
/// policy.
template <class Sync>
struct fork_shape {
  std::string name;
  unsigned thief_count;
  std::size_t burst;
  stress_pops how;

  template <class BrokenSync>
  bool sees(const char* mistake) const {
    constexpr std::size_t round_jobs = 1 << 17;
    return notices(name, mistake, [&] {
      fork_rush<BrokenSync> broken{thief_count, burst, how, round_jobs,
                                   filch::base::little_patience_ns};
      return broken.run_until(0) > 0;
    });
  }
  /// In bursts of one the fence is seldom missed, since the owner usually waits for the lock by
  /// then. With more thieves than processors a race shows late, as most thieves do not run.
  bool is_calibrated() const {
    using namespace filch::queue;
    if (!filch::base::can_calibrate()) return true;
    if (!sees<forgetful<Sync>>("a claim that is not written down")) return false;
    const bool misses_fences =
        burst > 1 && thief_count == 1 && how == stress_pops::private_first && buffers_stores;
    return !misses_fences || sees<fenceless<Sync>>("exposing by force without its fence");
  }
};

stress_pops shipped_pops() {
  return filch::base::has_asymmetric_fence() ? stress_pops::private_first
                                             : stress_pops::always_settling;
}

class fork_stack_stress : public testing::TestWithParam<std::size_t> {
 public:
  static const char* words_of(stress_pops how) {
    switch (how) {
      case stress_pops::private_first: return "";
      case stress_pops::always_settling: return "that_settles_";
      case stress_pops::pausing_now_and_then: return "that_pauses_pops_";
    }
    return "";
  }
  static void rush(stress_pops how, std::initializer_list<unsigned> thief_counts) {
    for (const unsigned thief_count : thief_counts) {
      using filch::base::real_sync;
      const std::string name = std::string("queue.fork_stack_") + words_of(how) + "in_bursts_of_" +
                               std::to_string(GetParam()) + "_with_" + std::to_string(thief_count) +
                               "_thieves";
      ASSERT_TRUE((fork_shape<real_sync>{name, thief_count, GetParam(), how}.is_calibrated()))
          << "void: a mistake goes unseen";
      fork_rush<real_sync> threads{thief_count, GetParam(), how};
      std::size_t faults = 0;
      do faults = threads.run_until(now_ns() + 170'000'000);
      while (faults == 0 && threads.operations() < filch::base::long_count(0, 10'000'000));
      EXPECT_EQ(faults, 0u) << thief_count << " thieves";
      filch::base::print_stress_evidence(name.c_str(), threads.operations(), 1 + thief_count,
                                         faults == 0);
    }
  }
};

TEST_P(fork_stack_stress, every_job_runs_exactly_once) { rush(shipped_pops(), {1, 2, 5, 15}); }

TEST_P(fork_stack_stress, every_job_of_an_owner_that_always_settles_runs_exactly_once) {
  rush(stress_pops::always_settling, {1, 2, 5, 15});
}

TEST_P(fork_stack_stress, every_job_runs_exactly_once_though_pops_pause_now_and_then) {
  if (!filch::base::has_asymmetric_fence()) GTEST_SKIP() << "every pop settles";
  rush(stress_pops::pausing_now_and_then, {2, 5});
}

TEST_P(fork_stack_stress, every_job_runs_exactly_once_though_threads_yield_anywhere) {
  using filch::queue::yielding_sync;
  const std::string name =
      "queue.fork_stack_with_yields_in_bursts_of_" + std::to_string(GetParam());
  ASSERT_TRUE((fork_shape<yielding_sync>{name, 3, GetParam(), shipped_pops()}.is_calibrated()))
      << "void: a mistake goes unseen";
  fork_rush<yielding_sync> threads{3, GetParam(), shipped_pops()};
  const std::size_t faults =
      threads.run_until(now_ns() + filch::base::long_count(300'000'000, 60'000'000'000));
  EXPECT_EQ(faults, 0u);
  filch::base::print_stress_evidence(name.c_str(), threads.operations(), 4, faults == 0);
}

INSTANTIATE_TEST_SUITE_P(in_bursts_of, fork_stack_stress, testing::Values(1, 2, 3, 7, 64),
                         testing::PrintToStringParamName());

}  // namespace
