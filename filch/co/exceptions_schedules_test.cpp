// Exceptions while another one is in flight, under one schedule after another.
#include <filch/co.hpp>
#include <filch/sync.hpp>
#include <filch/testing/expect_test.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <stdexcept>

namespace filch::inline v0_2::testing {
namespace {

/// Calls `act` while an exception is in flight.
template <class Act>
void unwind_through(Act act) {
  struct clean_up {
    Act& act;
    ~clean_up() { act(); }
  };
  try {
    const clean_up last{act};
    throw 1;
  } catch (int) {
  }
}

task<> fail(async_event& failing) {
  failing.set();
  throw std::runtime_error("of a child");
  co_return;
}
task<> leave_by_exception() {
  async_event failing;
  co::scope nursery;
  nursery.spawn(fail(failing));
  co_await failing.wait();
  throw std::logic_error("of the task that made the scope");
}

TEST(co_exceptions_schedules, a_scope_that_is_left_by_one_tells_of_no_other) {
  expect_no_failure([] {
    thread_pool pool{{.workers = 2}};
    bool threw = false;
    unwind_through([&] {
      try {
        block_on(pool, leave_by_exception());
      } catch (const std::logic_error&) {
        threw = true;
      }
    });
    check(threw, "the exception comes out");
  });
}

TEST(co_exceptions_schedules, one_that_nobody_will_see_is_found_while_another_one_is_on_its_way) {
  const report found = explore(
      [] {
        async_event failing;
        thread_pool pool{{.workers = 1}};
        join_handle<> lost = spawn(pool, fail(failing));
        while (!lost.is_finished()) nap(std::chrono::microseconds(1));
        unwind_through([&] { lost.detach(); });
      },
      {.seeds = 5});
  EXPECT_NE(found.failure.find("of a child"), std::string::npos) << found.text();
}

}  // namespace
}  // namespace filch::testing
