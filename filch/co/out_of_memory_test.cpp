// What becomes of a call of a coroutine whose frame is refused.
#include <filch/co/block_on.hpp>
#include <filch/co/run_task_test.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>
#include <thread>
#include <utility>

namespace {

thread_local bool refuses = false;

[[gnu::noinline]] void* allocate(std::size_t bytes) {
  void* const block = refuses ? nullptr : std::malloc(bytes);
  if (block == nullptr) throw std::bad_alloc();
  return block;
}

}  // namespace

void* operator new(std::size_t bytes) { return allocate(bytes); }
[[gnu::noinline]] void operator delete(void* block) noexcept { std::free(block); }
[[gnu::noinline]] void operator delete(void* block, std::size_t) noexcept { std::free(block); }

namespace filch::co {
namespace {

struct counted {
  explicit counted(int& all) noexcept : alive{&all} { ++*alive; }
  counted(const counted& other) noexcept : alive{other.alive} { ++*alive; }
  ~counted() { --*alive; }
  counted& operator=(const counted&) = delete;
  int* alive;
};

// Not inlined: clang may do without a frame where it sees that the task goes nowhere.
[[gnu::noinline]] task<> note(counted, bool& ran) {
  ran = true;
  co_return;
}

TEST(out_of_memory, is_thrown_by_the_call_of_a_coroutine_and_leaves_nothing_behind) {
  int alive = 0;
  bool ran = false, thrown = false;
  refuses = true;
  try {
    const task<> never = note(counted{alive}, ran);
  } catch (const std::bad_alloc&) {
    thrown = true;
  }
  refuses = false;
  EXPECT_TRUE(thrown);
  EXPECT_FALSE(ran);
  EXPECT_EQ(alive, 0);
}

[[gnu::noinline]] task<int> give(int value) { co_return value; }

task<int> call_with_nothing_left() {
  try {
    refuses = true;
    co_return co_await give(1);
  } catch (const std::bad_alloc&) {
    refuses = false;
    co_return -1;
  }
}

TEST(out_of_memory, can_be_caught_by_the_coroutine_that_calls) { EXPECT_EQ(run_task(call_with_nothing_left()), -1); }

TEST(out_of_memory, ends_a_task_that_a_stopped_pool_drops) {
  thread_pool pool({.workers = 1});
  std::atomic<bool> is_queued{false};
  pool.submit([&] {
    while (!is_queued) std::this_thread::yield();
    pool.request_stop();
    refuses = true;  // the worker, which drops the task next, has no memory to say why
  });
  spawned<int> dropped = spawn(pool, give(1));
  is_queued = true;
  EXPECT_THROW(block_on(std::move(dropped)), std::bad_alloc);
}

}  // namespace
}  // namespace filch::co
