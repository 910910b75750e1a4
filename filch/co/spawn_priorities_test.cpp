// The order in which tasks of several priorities begin and go on.
#include <filch/co/fork.hpp>
#include <filch/co/spawn.hpp>
#include <filch/co/sync/mixed_test.hpp>
#include <filch/co/yield.hpp>
#include <filch/policy/priority.hpp>

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <string>

namespace filch::inline v0_2::co {
namespace {

using sync::widths;

task<> mark_down(std::string& order, char mark) {
  order += mark;
  co_return;
}

TEST(spawn, begins_the_more_urgent_first) {
  std::string order;
  {
    thread_pool pool{{.workers = 1}};
    pool.submit([&] {
      spawn(with(priority::background), mark_down(order, 'e'));
      spawn(mark_down(order, 'c'));
      spawn(with(priority::high), mark_down(order, 'a'));
      spawn(with(priority::background), mark_down(order, 'f'));
      spawn(with(priority::normal), mark_down(order, 'd'));
      spawn(with(priority::high), mark_down(order, 'b'));
    });
  }
  EXPECT_EQ(order, "abcdef");
}

task<> wait_and_mark(async_event& event, std::string& order, char mark) {
  co_await event.wait();
  order += mark;
}
task<> mark_by_a_call(async_event& event, std::string& order, char mark) {
  co_await wait_and_mark(event, order, mark);
  co_await co::yield();
  order += mark;
}
task<> mark_by_a_fork(async_event& event, std::string& order, char mark) {
  const auto child = co_await co::fork(wait_and_mark(event, order, mark));
  co_await co::join;
  order += mark;
}

// The events are set the least urgent first.
TEST(spawn, gives_its_urgency_to_what_the_task_calls_and_forks) {
  std::string order;
  std::array<async_event, 4> events;
  {
    thread_pool pool{{.workers = 1}};
    pool.submit([&] {
      spawn(with(priority::background), mark_by_a_call(events[3], order, 'd'));
      spawn(mark_by_a_call(events[2], order, 'c'));
      spawn(with(priority::high), mark_by_a_fork(events[1], order, 'b'));
      spawn(with(priority::high), mark_by_a_call(events[0], order, 'a'));
      const auto wake = [&] {
        for (std::size_t i : {3u, 2u, 0u, 1u}) events[i].set();
      };
      pool.submit(wake, priority::background);  // behind all of them
    });
  }
  EXPECT_EQ(order, "abbaccdd");
}

/// Spawns another of its kind until `over`, and counts them.
task<> spawn_until(const std::atomic<bool>& over, priority urgency, unsigned& count) {
  if (over) co_return;
  ++count;
  spawn(with(urgency), spawn_until(over, urgency, count));
}
task<> end(std::atomic<bool>& over) {
  over = true;
  co_return;
}

TEST(spawn, lets_less_urgent_tasks_through_after_some) {
  for (const priority less : {priority::normal, priority::background}) {
    std::atomic<bool> over{false};
    unsigned high_ones = 0, normal_ones = 0;
    {
      thread_pool pool{{.workers = 1}};
      pool.submit([&] {
        spawn(with(less), end(over));
        spawn(with(priority::high), spawn_until(over, priority::high, high_ones));
        if (less == priority::background) spawn(spawn_until(over, priority::normal, normal_ones));
      });
    }
    const unsigned most = less == priority::normal
                              ? 2 * policy::priority_rotation::high_in_a_row::most
                              : 2 * policy::priority_rotation::before_background::most + 2;
    EXPECT_LE(high_ones + normal_ones, most);
    EXPECT_GT(high_ones, 1u);
  }
}

}  // namespace
}  // namespace filch::co
