// Whole pools of real threads that stop for a moment at points: anywhere, and in one function after
// another.
#include <filch/base/long_stress.hpp>
#include <filch/co.hpp>
#include <filch/sched/pool/post_office_stress.hpp>
#include <filch/testing.hpp>
#include <filch/timers.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <string>

namespace filch::inline v0_2::testing {
namespace {

using namespace std::chrono_literals;
using sched::post_office;

int fib(int n) {
  if (n < 2) return n;
  const auto [a, b] = join([=] { return fib(n - 1); }, [=] { return fib(n - 2); });
  return a + b;
}
task<> sleep_and_count(std::chrono::microseconds length, std::atomic<int>& count) {
  co_await sleep_for(length);
  ++count;
}

/// Uses each kind of work once, in a pool of its own. Returns how many of its `steps_of_everything`
/// steps gave the right result.
constexpr int steps_of_everything = 5;
int do_everything(unsigned workers) {
  std::atomic<int> submitted{0}, slept{0}, grouped{0}, looped{0};
  int value = 0;
  {
    thread_pool pool{{.workers = workers}};
    for (int i = 0; i < 8; ++i) pool.submit([&] { blocking([&] { ++submitted; }); });
    for (int i = 0; i < 4; ++i)
      spawn(pool, sleep_and_count(std::chrono::microseconds(i * 50), slept));
    value = pool.run([] { return fib(10); });
    pool.run([&] {
      task_group group;
      for (int i = 0; i < 10; ++i) group.run([&] { ++grouped; });
      parallel_for(0, 100, [&](int) { ++looped; });
      group.wait();
    });
  }
  return (value == 55) + (submitted == 8) + (slept == 4) + (grouped == 10) + (looped == 100);
}

class noise_stress : public ::testing::TestWithParam<unsigned> {};
INSTANTIATE_TEST_SUITE_P(by_workers, noise_stress, ::testing::Values(1, 2, 4, 16),
                         ::testing::PrintToStringParamName());

TEST_P(noise_stress, pools_that_stop_anywhere_lose_nothing) {
  const unsigned workers = GetParam();
  std::uint64_t hand_offs = 0;
  bool holds = true;
  for (const unsigned one_in : {4u, 64u, 1024u}) {
    const noise made{{.seed = one_in, .one_in = one_in}};
    sched::expect_a_lost_wake_is_noticed("testing.stops_once_in_" + std::to_string(one_in) +
                                             "_points_at_" + std::to_string(workers) + "_workers",
                                         workers);
    if (HasFailure()) return;
    const std::uint64_t count = base::long_count(600 / (workers + 2), 100'000);
    post_office office{workers};
    const std::uint64_t ran = office.hand_off(count, sched::patience_ns);
    EXPECT_EQ(ran, count);
    for (std::uint64_t i = base::long_count(3, 1000); i > 0; --i)
      EXPECT_EQ(do_everything(workers), steps_of_everything);
    EXPECT_GT(made.stops(), 0u);
    hand_offs += ran;
    holds = holds && !HasFailure();
  }
  base::print_stress_evidence(
      ("testing.noisy_hand_offs_at_" + std::to_string(workers) + "_workers").c_str(), hand_offs,
      workers, holds);
}

TEST(noise_stress, pools_that_stop_in_one_function_after_another_lose_nothing) {
  const std::vector<std::string> functions = functions_passed([] {
    for (const unsigned workers : {1u, 3u}) do_everything(workers);
    post_office{2}.hand_off(200, sched::patience_ns);
  });
  EXPECT_GE(functions.size(), 30u);
  std::uint64_t hand_offs = 0;
  std::size_t silent = 0;
  for (const std::string& each : functions) {
    const noise made{{.one_in = 2, .longest = 200us, .function = each}};
    ASSERT_TRUE(sched::notices_a_lost_job("testing.stops_in_" + each, 2))
        << "void: a job that never runs goes unseen";
    for (std::uint64_t i = base::long_count(1, 50); i > 0; --i) {
      post_office office{2};
      const std::uint64_t ran = office.hand_off(20, sched::patience_ns);
      EXPECT_EQ(ran, 20u) << "stops in " << each;
      hand_offs += ran;
      EXPECT_EQ(do_everything(3), steps_of_everything) << "stops in " << each;
    }
    silent += made.stops() == 0;
  }
  EXPECT_LT(silent, functions.size() / 2) << "of so many functions few were passed again";
  base::print_stress_evidence("testing.hand_offs_beside_stops_in_one_function_after_another",
                              hand_offs, 3, !HasFailure());
}

}  // namespace
}  // namespace filch::testing
