// A million awaits need no stack, whether or not the compiler makes calls of transfers.
#include <filch/co/run_task_test.hpp>
#include <filch/sched/pool/pool.hpp>

#include <gtest/gtest.h>

namespace filch::inline v0_2::co {
namespace {

constexpr int length = 1'000'000;

task<int> one() { co_return 1; }

task<int> loop_over(int count) {
  int sum = 0;
  for (int i = 0; i < count; ++i) sum += co_await one();
  co_return sum;
}

task<int> descend(int depth) {
  if (depth == 0) co_return 0;
  co_return 1 + co_await descend(depth - 1);
}

TEST(chain, of_a_million_awaits_in_a_loop_needs_no_stack) {
  EXPECT_EQ(run_task(loop_over(length)), length);
}
TEST(chain, of_a_million_nested_awaits_needs_no_stack) {
  EXPECT_EQ(run_task(descend(length)), length);
}

TEST(chain, of_a_million_awaits_on_a_worker_needs_no_stack) {
  thread_pool pool{{.workers = 1}};
  EXPECT_EQ(pool.run([] { return run_task(loop_over(length)) + run_task(descend(length)); }),
            2 * length);
}

}  // namespace
}  // namespace filch::co
