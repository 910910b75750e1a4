#include <filch/co/frames.hpp>

#include <filch/base/sanitized_test.hpp>
#include <filch/co/block_on.hpp>
#include <filch/co/schedule_on.hpp>
#include <filch/sched/pool/pool.hpp>

#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <thread>
#include <vector>

namespace filch::inline v0_2::co {
namespace {

using base::is_sanitized;

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
         {std::size_t{1}, std::size_t{24}, std::size_t{25}, largest_kept_frame,
          largest_kept_frame + 1, std::size_t{100000}}) {
      void* const frame = allocate_frame(bytes);
      std::memset(frame, 7, bytes);
      release_frame(frame, bytes);
    }
  });
}

constexpr std::size_t frame_bytes = 1'016;

/// Releases so many frames that all but two chains go to the depot. Returns their addresses.
std::vector<void*> release_together(std::size_t bytes, std::size_t of = frame_bytes) {
  std::vector<void*> frames(bytes / of);
  for (void*& each : frames) each = allocate_frame(of);
  for (void* const each : frames) release_frame(each, of);
  return frames;
}

TEST(frames, are_kept_up_to_a_bound) {
  thread_pool pool{{.workers = 1}};
  pool.run([] {
    release_together(most_shared_bytes + 2 * most_kept_bytes);
    EXPECT_LE(kept_frame_bytes(), most_kept_bytes);
    EXPECT_LE(shared_frame_bytes(), most_shared_bytes);
    const bool keeps_some = kept_frame_bytes() != 0;  // not under the address sanitizer
    EXPECT_EQ(shared_frame_bytes() > most_shared_bytes / 2, keeps_some);
  });
}

TEST(frames, of_one_size_give_way_to_those_of_another_that_are_fewer) {
  thread_pool pool{{.workers = 1}};
  pool.run([] {
    release_together(2 * most_shared_bytes, frame_bytes);
    if (kept_frame_bytes() == 0) return;  // under the address sanitizer
    EXPECT_EQ(shared_frame_bytes(), most_shared_bytes);
    constexpr std::size_t others = frame_bytes - 32;
    release_together(most_shared_bytes / 4, others);
    EXPECT_EQ(shared_frame_bytes(), most_shared_bytes);
    std::vector<void*> again(most_shared_bytes / 4 / others);
    for (void*& each : again) each = allocate_frame(others);
    EXPECT_LT(shared_frame_bytes(), most_shared_bytes - most_shared_bytes / 8)
        << "the depot had most of them";
    for (void* const each : again) release_frame(each, others);
  });
}

TEST(frames, that_one_worker_has_no_room_for_another_one_uses) {
  thread_pool pool{{.workers = 2}};
  // This thread keeps frames meanwhile, so that the depot is not emptied
  pool.run([] { release_together(frame_bytes); });
  if (kept_frame_bytes() == 0) return;  // under the address sanitizer
  // On a thread that keeps no frames yet
  const auto in_pool = [&](auto f) { std::thread{[&] { pool.run(f); }}.join(); };
  std::vector<void*> released;
  in_pool([&] { released = release_together(most_kept_bytes); });
  const std::size_t shared = shared_frame_bytes();
  in_pool([&] {
    void* const frame = allocate_frame(frame_bytes);
    EXPECT_NE(std::find(released.begin(), released.end(), frame), released.end());
    EXPECT_EQ(shared_frame_bytes(), shared - chain_bytes);
    release_frame(frame, frame_bytes);
  });
}

// In a process of its own: here threads of other tests may keep some.
TEST(frames_death_test, are_given_back_when_no_thread_is_left_that_keeps_some) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        std::thread{[] {
          thread_pool pool{{.workers = 1}};
          pool.run([] { release_together(most_kept_bytes); });
        }}.join();
        ::_exit(shared_frame_bytes() == 0 ? 0 : 1);
      },
      testing::ExitedWithCode(0), "");
}

TEST(frames, of_a_child_process_wait_for_no_thread_of_its_parent) {
  if (is_sanitized) GTEST_SKIP() << "of a process with threads no sanitizer follows the child";
  thread_pool pool{{.workers = 2}};
  pool.run([] { release_together(frame_bytes); });  // from now on this thread keeps frames
  std::atomic<bool> is_over{false};
  std::thread churns{[&] {
    pool.run([&] {
      while (!is_over) release_together(most_kept_bytes);
    });
  }};
  for (int i = 0; i != 200; ++i) {
    const pid_t child = ::fork();
    if (child == 0) {
      ::alarm(10);
      release_together(4 * chain_bytes);
      ::_exit(0);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  }
  is_over = true;
  churns.join();
}

task<int> give(int value) { co_return value; }

/// How many kept bytes a call takes here, after one call there and one here.
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
  // And the thread's end frees what it kept
  std::thread{[&] { pool.run([&] { release_frame(frame, 300); }); }}.join();
}

}  // namespace
}  // namespace filch::co
