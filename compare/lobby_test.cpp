#include <compare/crew.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>

namespace filch::compare {
namespace {

TEST(crew, every_worker_works_once_a_round) {
  std::vector<int> calls(3);
  crew three{3, [&](unsigned index) { ++calls[index]; }};
  for (int round = 1; round <= 100; ++round) {
    three.round();
    ASSERT_EQ(calls, std::vector<int>(3, round));
  }
}

TEST(crew, no_round_is_needed_to_go_home) {
  const crew idle{4, [](unsigned) { FAIL() << "worked without a round"; }};
}

TEST(lobby, the_last_to_come_ends_the_round_for_all) {
  lobby room{4};
  std::atomic<int> ends = 0;
  crew four{4, [&](unsigned index) {
              if (!room.wait_for_work(index, [] { return false; })) ++ends;
            }};
  for (int round = 1; round <= 1000; ++round) {
    room.open();
    four.round();
    ASSERT_EQ(ends.load(), 4 * round);
  }
}

TEST(lobby, work_seen_on_the_second_look_keeps_a_worker_awake) {
  lobby room{1};
  EXPECT_TRUE(room.wait_for_work(0, [] { return true; }));
  EXPECT_FALSE(room.wait_for_work(0, [] { return false; }));
}

/// Worker 0 publishes 1,000 tokens, one at a time, waiting for each to be taken; the others sleep
/// in between.
TEST(lobby, no_wake_up_is_lost) {
  for (const unsigned workers : {2u, 5u}) {
    lobby room{workers};
    std::atomic<int> token = 0, taken = 0;
    crew all{workers, [&](unsigned index) {
               for (int i = 1; index == 0 && i <= 1000; ++i) {
                 token = 1;
                 room.wake_one();
                 while (taken != i) std::this_thread::yield();
               }
               do {
                 int one = 1;
                 if (token.compare_exchange_strong(one, 0)) ++taken;
               } while (room.wait_for_work(index, [&] { return token != 0; }));
             }};
    room.open();
    all.round();
    EXPECT_EQ(taken, 1000);
  }
}

TEST(lobby, a_call_by_name_wakes_that_worker) {
  lobby room{3};
  std::atomic<unsigned> called = 0, answers = 0;
  crew three{3, [&](unsigned index) {
               for (unsigned i = 1; index == 0 && i <= 1000; ++i) {
                 const unsigned callee = 1 + i % 2;
                 called = callee;
                 room.wake(callee);
                 while (answers != i) std::this_thread::yield();
               }
               do {
                 unsigned me = index;
                 if (index != 0 && called.compare_exchange_strong(me, 0)) ++answers;
               } while (room.wait_for_work(index, [&] { return called == index && index != 0; }));
             }};
  room.open();
  three.round();
  EXPECT_EQ(answers, 1000u);
}

}  // namespace
}  // namespace filch::compare
