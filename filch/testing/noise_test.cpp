// Noise stops real threads at points, and nowhere else.
#include <filch/filch.hpp>
#include <filch/testing.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <thread>

namespace filch::inline v0_2::testing {
namespace {

using namespace std::chrono_literals;

void pass_here(int times) {
  for (; times > 0; --times) point("here");
}
void pass_there(int times) {
  for (; times > 0; --times) point("there");
}

TEST(noise, stops_a_thread_at_each_point_if_it_is_asked_to) {
  const noise made{{.one_in = 1, .longest = 0ns}};
  pass_here(100);
  EXPECT_EQ(made.stops(), 100u);
}

TEST(noise, stops_a_thread_at_one_point_in_so_many_on_average) {
  const noise made{{.one_in = 10, .longest = 0ns}};
  pass_here(20'000);
  EXPECT_NEAR(static_cast<double>(made.stops()), 2000, 200);
}

TEST(noise, keeps_to_the_function_that_is_named) {
  const noise made{{.one_in = 1, .longest = 0ns, .function = "pass_there"}};
  pass_here(100);
  EXPECT_EQ(made.stops(), 0u);
  pass_there(7);
  EXPECT_EQ(made.stops(), 7u);
}

std::uint64_t stops_under(std::uint64_t seed) {
  const noise made{{.seed = seed, .one_in = 7, .longest = 0ns}};
  pass_here(1000);
  return made.stops();
}

TEST(noise, of_one_seed_stops_a_thread_at_the_same_points) {
  EXPECT_EQ(stops_under(1), stops_under(1));
  EXPECT_NE(stops_under(1), stops_under(2));
}

TEST(noise, is_over_when_it_has_ended_and_leaves_errno_alone) {
  errno = ERANGE;
  {
    const noise made{{.one_in = 1}};
    pass_here(10);
  }
  EXPECT_EQ(errno, ERANGE);
  const auto begin = std::chrono::steady_clock::now();
  pass_here(100'000);  // a stop each would take seconds
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 1s);
}

TEST(noise, stops_workers) {
  const noise made{{.one_in = 16}};
  thread_pool pool{{.workers = 3}};
  std::atomic<int> ran{0};
  pool.run([&] { parallel_for(0, 1000, [&](int) { ++ran; }); });
  EXPECT_EQ(ran, 1000);
  EXPECT_GT(made.stops(), 0u);
}

// Both write what they have read plus one: an update by the other one in between is lost.
int lost_of_two_writers() {
  std::atomic<int> count{0}, ready{0};
  const auto write = [&] {
    ++ready;
    while (ready != 2) std::this_thread::yield();
    for (int i = 0; i < 100; ++i) {
      const int seen = count;
      point("between");
      count = seen + 1;
    }
  };
  std::thread other{write};
  write();
  other.join();
  return 200 - count;
}

TEST(noise, between_two_accesses_lets_others_come_between) {
  const noise made{{.one_in = 2}};
  int lost = 0;
  for (int left = 100; left > 0 && lost == 0; --left)
    lost = lost_of_two_writers();  // a busy machine may run one behind the other
  EXPECT_GT(lost, 0);
}

TEST(functions_passed, names_each_once) {
  const std::vector<std::string> passed = functions_passed([] {
    pass_here(3);
    thread_pool pool{{.workers = 2}};
    pool.run([] { pass_there(1); });
  });
  for (const char* const wanted : {"pass_here", "pass_there", "take_open"})
    EXPECT_EQ(std::ranges::count(passed, wanted), 1) << wanted;
  EXPECT_TRUE(std::ranges::is_sorted(passed));
}

}  // namespace
}  // namespace filch::testing
