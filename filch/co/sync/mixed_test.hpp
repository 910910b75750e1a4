#pragma once
// Runs the same operation in a coroutine, in a plain job and on an external thread, side by side.
#include <filch/co.hpp>
#include <filch/co/await_spawned_test.hpp>
#include <filch/sync.hpp>

#include <array>
#include <atomic>
#include <thread>
#include <vector>

namespace filch::inline v0_2::co::sync {

inline constexpr std::array widths{1u, 2u, 5u};

/// Runs `of_coroutine(i)`, a task, and `of_thread(i)`, a plain function, `each` times side by side:
/// as a spawned task, as a job of `pool` and on a thread of its own. Returns when all have ended.
template <class OfCoroutine, class OfThread>
void run_mixed(thread_pool& pool, int each, OfCoroutine of_coroutine, OfThread of_thread) {
  async_latch ended{static_cast<std::size_t>(each)};
  std::vector<join_handle<>> tasks;
  std::vector<std::thread> threads;
  for (int i = 0; i < each; ++i) {
    tasks.push_back(spawn(pool, of_coroutine(i)));
    pool.submit([&, i] {
      of_thread(i);
      ended.count_down();
    });
    threads.emplace_back([&, i] { of_thread(i); });
  }
  for (join_handle<>& each_task : tasks) block_on(pool, await_spawned(std::move(each_task)));
  for (std::thread& thread : threads) thread.join();
  filch::wait(ended.wait());
}

/// A coroutine of another library: runs until it is first suspended, and is destroyed with its
/// handle.
class foreign_coroutine {
 public:
  struct promise_type {
    foreign_coroutine get_return_object() noexcept {
      return foreign_coroutine{std::coroutine_handle<promise_type>::from_promise(*this)};
    }
    static std::suspend_never initial_suspend() noexcept { return {}; }
    static std::suspend_always final_suspend() noexcept { return {}; }
    static void return_void() noexcept {}
    static void unhandled_exception() noexcept { std::terminate(); }
  };
  foreign_coroutine(foreign_coroutine&& other) noexcept
      : frame_{std::exchange(other.frame_, nullptr)} {}
  ~foreign_coroutine() {
    if (frame_) frame_.destroy();
  }
  bool has_ended() const noexcept { return frame_.done(); }

 private:
  explicit foreign_coroutine(std::coroutine_handle<promise_type> frame) noexcept : frame_{frame} {}
  std::coroutine_handle<promise_type> frame_;
};

}  // namespace filch::co::sync
