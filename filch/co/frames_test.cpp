#include <filch/co/frames.hpp>

#include <filch/co/block_on.hpp>
#include <filch/co/schedule_on.hpp>
#include <filch/sched/pool.hpp>

#include <gtest/gtest.h>

#include <cstring>
#include <thread>
#include <vector>

namespace filch::co {
namespace {

TEST(frames, are_kept_by_workers_and_used_again) {
  thread_pool pool{{.workers = 1}};
  pool.run([] {
    const std::size_t before = kept_frame_bytes();
    void* const first = allocate_frame(200);
    release_frame(first, 200);
    if (kept_frame_bytes() == 0) return;  // under the address sanitizer
    EXPECT_EQ(kept_frame_bytes(), before + 224);
    EXPECT_EQ(allocate_frame(216), first) << "of the same class";
    release_frame(first, 216);
  });
}

TEST(frames, are_not_kept_outside_of_pools) {
  std::thread{[] {
    release_frame(allocate_frame(100), 100);
    EXPECT_EQ(kept_frame_bytes(), 0u);
  }}.join();
}

TEST(frames, of_any_size_have_room) {
  thread_pool pool{{.workers = 1}};
  pool.run([] {
    for (const std::size_t bytes :
         {std::size_t{1}, std::size_t{24}, std::size_t{25}, largest_kept_frame, largest_kept_frame + 1, std::size_t{100000}}) {
      void* const frame = allocate_frame(bytes);
      std::memset(frame, 7, bytes);
      release_frame(frame, bytes);
    }
  });
}

TEST(frames, are_kept_up_to_a_bound) {
  thread_pool pool{{.workers = 1}};
  pool.run([] {
    std::vector<void*> frames(2 * most_kept_bytes / largest_kept_frame);
    for (void*& each : frames) each = allocate_frame(largest_kept_frame);
    for (void* const each : frames) release_frame(each, largest_kept_frame);
    EXPECT_LE(kept_frame_bytes(), most_kept_bytes);
  });
}

task<int> give(int value) { co_return value; }

/// What a call takes, after one there and one here, of what is kept here.
task<std::size_t> call_there_and_here(thread_pool& here) {
  static_cast<void>(co_await give(1));
  co_await schedule_on(here);
  static_cast<void>(co_await give(2));
  const std::size_t before = kept_frame_bytes();
  task<int> third = give(3);
  const std::size_t taken = before - kept_frame_bytes();
  static_cast<void>(co_await third);
  co_return taken;
}

TEST(frames, of_a_coroutine_that_migrates_come_from_where_it_is) {
  thread_pool there{{.workers = 1}}, here{{.workers = 1}};
  const std::size_t taken = block_on(there, call_there_and_here(here));
  if (there.run([] { return kept_frame_bytes(); }) == 0) return;  // under the address sanitizer
  EXPECT_GE(taken, sizeof(promise<int>));
}

TEST(frames, may_be_released_by_another_worker) {
  thread_pool pool{{.workers = 1}};
  void* const frame = pool.run([] { return allocate_frame(300); });
  std::thread{[&] { pool.run([&] { release_frame(frame, 300); }); }}.join();  // and the thread's end frees what it kept
}

}  // namespace
}  // namespace filch::co
