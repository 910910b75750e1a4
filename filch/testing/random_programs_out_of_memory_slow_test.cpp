// Random programs whose allocations are refused now and then.
#include <filch/testing/explore_programs_test.hpp>
#include <filch/testing/replaced_new_test.hpp>
#include <filch/testing/scarce_memory_test.hpp>

#include <memory>
#include <string>
#include <vector>

void filch::testing::will_allocate() { scarce_memory::take(); }
void filch::testing::will_release() noexcept { scarce_memory::give_back(); }

namespace filch::inline v0_2::testing {
namespace {

class random_programs : public ::testing::Test {
 protected:
  // Makes what the process allocates once, such as room in the list of its pools, before the first
  // program.
  static void SetUpTestSuite() {
    std::vector<std::unique_ptr<thread_pool>> first(8);
    for (auto& each : first) each = std::make_unique<thread_pool>(pool_options{.workers = 1});
  }
};

TEST_F(random_programs, get_by_where_memory_is_refused) {
  explore_programs("random programs, memory refused", 4, scarcity::memory);
}

TEST_F(random_programs, are_refused_the_same_memory_each_time) {
  const auto body = [] { random_program{seed(), scarcity::memory}.run(); };
  options wanted = options_of(scarcity::memory);
  std::vector<std::string> schedules;
  for (std::uint64_t seed = 1; seed <= 40; ++seed)
    schedules.push_back(replay(seed, body, wanted).schedule);
  wanted.seeds = 40;  // after which the host threads have run other programs
  EXPECT_TRUE(explore(body, wanted).passed());
  for (std::uint64_t seed = 1; seed <= 40; ++seed)
    EXPECT_EQ(replay(seed, body, wanted).schedule, schedules[seed - 1]);
}

}  // namespace
}  // namespace filch::testing
