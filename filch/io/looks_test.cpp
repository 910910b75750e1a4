// How many handlers a look at the context runs, and which threads look.
#include <filch/co.hpp>
#include <filch/io.hpp>
#include <filch/io/attached_test.hpp>
#include <filch/policy/tuning.hpp>

#include <asio/post.hpp>
#include <gtest/gtest.h>

#include <atomic>

namespace filch::inline v0_2::io {
namespace {

using look = context::look;

/// A context whose looks have found one handler each so often that they stop after one.
class after_lone_arrivals : public testing::Test {
 protected:
  after_lone_arrivals() {
    for (int i = 0; i < in_a_row; ++i) {
      post();
      io.poll(look::for_want_of_work);
    }
    EXPECT_EQ(ran, in_a_row);
    ran = 0;
  }
  void post() {
    asio::post(io.executor(), [this] { ++ran; });
  }
  /// How many posted functions a look runs.
  int look_for(look why) {
    const int before = ran;
    io.poll(why);
    return ran - before;
  }
  static constexpr int in_a_row = policy::single_arrivals::in_a_row;
  context io;
  int ran = 0;
};

TEST_F(after_lone_arrivals, a_look_takes_one_at_a_time_until_one_looks_for_more) {
  for (int i = 0; i < 2 * in_a_row; ++i) post();
  for (int i = 0; i < in_a_row; ++i) EXPECT_EQ(look_for(look::for_want_of_work), 1);
  EXPECT_EQ(look_for(look::for_want_of_work), in_a_row) << "it goes on to the end";
  post();
  post();
  EXPECT_EQ(look_for(look::for_want_of_work), 2);
}

TEST_F(after_lone_arrivals, a_look_between_jobs_takes_all) {
  for (int i = 0; i < 3; ++i) post();
  EXPECT_EQ(look_for(look::between_jobs), 3);
}

/// Like the completion of an operation whose handler has run.
struct noted_arrival : detail::completion {
  noted_arrival()
      : detail::completion{.deliver = [](detail::completion& self) noexcept {
          ++static_cast<noted_arrival&>(self).count;
        }} {}
  int count = 0;
};

TEST_F(after_lone_arrivals, a_worker_woken_by_the_next_takes_no_more_until_that_has_run) {
  noted_arrival arrived;
  asio::post(io.executor(), [&] { io.pass_on(arrived); });
  post();
  EXPECT_TRUE(io.wait_for(context::no_deadline));
  EXPECT_EQ(look_for(look::for_want_of_work), 0);
  EXPECT_EQ(arrived.count, 1);
  EXPECT_EQ(look_for(look::for_want_of_work), 1);
}

TEST_F(after_lone_arrivals, a_worker_that_has_not_slept_looks) {
  noted_arrival arrived;
  io.pass_on_from_outside(arrived);
  post();
  EXPECT_TRUE(io.wait_for(context::no_deadline)) << "something had arrived before";
  EXPECT_EQ(look_for(look::for_want_of_work), 1);
  EXPECT_EQ(arrived.count, 1);
}

TEST_F(after_lone_arrivals, a_worker_that_has_slept_in_vain_looks) {
  io.interrupt();
  EXPECT_FALSE(io.wait_for(context::no_deadline));
  post();
  EXPECT_EQ(look_for(look::for_want_of_work), 1);
}

task<int> turns_until_many_have_run(context& io) {
  for (int i = 0; i < 3 * policy::single_arrivals::in_a_row; ++i)
    co_await asio::post(io.executor(), awaiting{io});
  constexpr int many = 8;
  std::atomic<int> ran{0};
  for (int i = 0; i < many; ++i) asio::post(io.executor(), [&] { ++ran; });
  int turns = 0;
  for (; ran < many; ++turns) co_await co::yield();
  co_return turns;
}

TEST(io_context, that_had_lone_arrivals_keeps_many_waiting_no_longer_where_others_work) {
  context io;
  thread_pool pool({.workers = 1});
  io.attach(pool);
  EXPECT_LE(block_on(spawn(pool, turns_until_many_have_run(io))), 128)
      << "a worker looks once in 61 jobs";
}

}  // namespace
}  // namespace filch::io
