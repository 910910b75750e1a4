// Coroutines that are resumed by hand, in the middle of a task: what lies below them on the stack
// is not theirs.
#include <filch/co/block_on.hpp>
#include <filch/co/run_task_test.hpp>
#include <filch/co/spawn.hpp>
#include <filch/co/yield.hpp>
#include <filch/fork.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <coroutine>
#include <thread>
#include <vector>

namespace filch::inline v0_2::co {
namespace {

/// An event as in other libraries: `set` resumes the waiting coroutine on its own stack.
class inline_event {
 public:
  bool await_ready() const noexcept { return waiting_.load() == this; }
  bool await_suspend(std::coroutine_handle<> caller) noexcept {
    void* none = nullptr;
    return waiting_.compare_exchange_strong(none, caller.address());
  }
  static void await_resume() noexcept {}
  bool is_awaited() const noexcept { return waiting_.load() != nullptr; }
  void set() {
    void* const found = waiting_.exchange(this);
    if (found != nullptr && found != this) std::coroutine_handle<>::from_address(found).resume();
  }

 private:
  std::atomic<void*> waiting_{nullptr};
};

task<> await_event(inline_event& event, int& seen) {
  co_await event;
  ++seen;
}
task<> set_and_wait(int& seen) {
  inline_event event;
  join_handle<> waits = spawn(await_event(event, seen));
  while (!event.is_awaited()) co_await yield();
  event.set();
  co_await waits;
}

TEST(resumed_by_hand, a_task_that_ends_above_another_one_tells_its_waiter) {
  for (const unsigned workers : {1u, 2u}) {
    thread_pool pool{{.workers = workers}};
    int seen = 0;
    for (int i = 0; i < 100; ++i) block_on(pool, set_and_wait(seen));
    EXPECT_EQ(seen, 100);
  }
}

task<int> give_later(int value) {
  co_await yield();
  co_return value;
}
foreign put_into(std::atomic<int>& out) { out = co_await give_later(7); }
task<> go_away() { co_await yield(); }

task<int> begin_another_and_suspend() {
  std::atomic<int> out{0};
  put_into(out);
  for (int i = 0; i < 100 && out == 0; ++i) co_await spawn(go_away());
  co_return out.load();
}

TEST(resumed_by_hand, a_coroutine_of_another_library_in_a_task_goes_on) {
  thread_pool pool{{.workers = 1}};
  EXPECT_EQ(block_on(pool, begin_another_and_suspend()), 7);
}

task<int> begin_another_and_block() {
  std::atomic<int> out{0};
  put_into(out);
  filch::blocking([&] {
    while (out == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  });
  co_return out.load();
}

TEST(resumed_by_hand, a_task_may_wait_on_its_stack_for_what_it_began) {
  thread_pool pool{{.workers = 2}};
  EXPECT_EQ(block_on(pool, begin_another_and_block()), 7);
}

/// A coroutine that awaits tasks of ours and that they await, of a type unknown to them.
struct other_library {
  struct promise_type {
    std::coroutine_handle<> caller;
    other_library get_return_object() noexcept {
      return {std::coroutine_handle<promise_type>::from_promise(*this)};
    }
    static std::suspend_always initial_suspend() noexcept { return {}; }
    static auto final_suspend() noexcept {
      struct to_caller {
        static bool await_ready() noexcept { return false; }
        static std::coroutine_handle<> await_suspend(
            std::coroutine_handle<promise_type> done) noexcept {
          return done.promise().caller;
        }
        static void await_resume() noexcept {}
      };
      return to_caller{};
    }
    static void return_void() noexcept {}
    static void unhandled_exception() noexcept { std::terminate(); }
  };
  std::coroutine_handle<promise_type> frame;

  static bool await_ready() noexcept { return false; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<> caller) const noexcept {
    frame.promise().caller = caller;
    return frame;
  }
  static void await_resume() noexcept {}
};
task<int> one() { co_return 1; }
other_library add_one(int& to) { to += co_await one(); }
task<int> add_often(int times) {
  int sum = 0;
  // Frames at different addresses: one in the place of the last would be taken for it
  std::vector<other_library> all;
  for (int i = 0; i < times; ++i) co_await all.emplace_back(add_one(sum));
  for (const other_library& each : all) each.frame.destroy();
  co_return sum;
}

TEST(resumed_by_hand, calls_through_another_library_in_a_loop_need_no_more_stack_for_each) {
  thread_pool pool{{.workers = 1}};
  EXPECT_EQ(block_on(pool, add_often(100'000)), 100'000);
}

}  // namespace
}  // namespace filch::co
