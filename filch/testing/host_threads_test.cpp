// What simulated threads keep apart, although one thread of the system executes all of them.
#include <filch/testing.hpp>

#include <gtest/gtest.h>

#include <functional>

namespace filch::inline v0_2 {
namespace {

void expect_passes(const std::function<void()>& body) {
  const testing::report found = testing::explore(body, {.seeds = 200});
  EXPECT_TRUE(found.passed()) << found.text();
  EXPECT_EQ(found.threads_left, 0u);
}

thread_local int of_this_thread = 0;

void throw_and_look(int mine) {
  for (int i = 0; i < 5; ++i) {
    of_this_thread = mine;
    try {
      testing::point("before it throws");
      throw mine;
    } catch (int caught) {
      testing::point("while it is handled");
      testing::check(caught == mine, "the exception is this thread's");
      testing::check(of_this_thread == mine, "the variable is this thread's");
      try {
        throw;
      } catch (int again) {
        testing::check(again == mine, "the exception in flight is this thread's");
      }
    }
  }
}

TEST(host_threads, keep_variables_and_exceptions_apart) {
  expect_passes([] {
    testing::thread other("other", [] { throw_and_look(2); });
    throw_and_look(1);
  });
}

TEST(host_threads, let_declared_work_take_time_on_the_clock) {
  expect_passes([] {
    constexpr std::uint64_t five_seconds = 5'000'000'000;
    const std::uint64_t begin = base::now_ns();
    testing::spend(five_seconds);
    testing::check(base::now_ns() - begin >= five_seconds, "five seconds have passed");
  });
}

TEST(host_threads, wake_those_whose_time_comes_while_another_one_computes) {
  expect_passes([] {
    testing::shared<int> order{"order", 0};
    testing::thread early{"early", [&] {
                            testing::nap(std::chrono::milliseconds(1));
                            order.write(1);
                          }};
    testing::spend(2'000'000'000);
    testing::nap(std::chrono::seconds(1));
    testing::check(order.read() == 1, "a millisecond is shorter than three seconds");
  });
}

}  // namespace
}  // namespace filch
