#pragma once
// An external source for tests.
#include <filch/filch.hpp>
#include <filch/sched/worker/scheduler.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace filch::inline v0_2::sched {

/// A mailbox: a job that is put in runs on a worker.
class mailbox final : public external_source {
 public:
  explicit mailbox(thread_pool& pool) : pool_{pool} {}

  struct letter {
    std::function<void()> runs;
    priority urgency = priority::normal;
  };
  void put(std::function<void()> runs) { put_all({{std::move(runs)}}); }
  void put_all(std::vector<letter> letters) {
    const std::lock_guard guard{lock_};
    for (letter& each : letters) letters_.push_back(std::move(each));
    changed_.notify_all();
  }
  bool poll(look) noexcept override {
    std::vector<letter> taken;
    {
      const std::lock_guard guard{lock_};
      taken.swap(letters_);
    }
    for (letter& each : taken) pool_.submit(std::move(each.runs), each.urgency);
    return !taken.empty();
  }
  bool wait_for(std::uint64_t nanoseconds) noexcept override {
    std::unique_lock guard{lock_};
    ++waits;
    EXPECT_EQ(poll_scope++, 0) << "one at a time";
    EXPECT_TRUE(nanoseconds == no_deadline || nanoseconds <= 3'600'000'000'000)
        << nanoseconds << " are more than an hour";
    const auto is_over = [this] { return !letters_.empty() || is_interrupted_; };
    if (nanoseconds == no_deadline) {
      changed_.wait(guard, is_over);
    } else {
      changed_.wait_for(guard, std::chrono::nanoseconds(nanoseconds), is_over);
    }
    is_interrupted_ = false;
    --poll_scope;
    return !letters_.empty();
  }
  void interrupt() noexcept override {
    const std::lock_guard guard{lock_};
    is_interrupted_ = true;
    changed_.notify_all();
  }
  void left_alone() noexcept override { lacks_driver = true; }

  std::atomic<int> waits{0}, poll_scope{0};
  std::atomic<bool> lacks_driver{false};

 private:
  thread_pool& pool_;
  std::mutex lock_;
  std::condition_variable changed_;
  std::vector<letter> letters_;
  bool is_interrupted_ = false;
};

/// The mailbox outlives the pool, to which it submits.
class pool_with_a_mailbox {
 public:
  explicit pool_with_a_mailbox(unsigned workers)
      : pool_{std::make_unique<thread_pool>(pool_options{.workers = workers})}, box{*pool_} {
    pool_->core().attach(box);
  }
  ~pool_with_a_mailbox() { pool_.reset(); }
  thread_pool& pool() { return *pool_; }

 private:
  std::unique_ptr<thread_pool> pool_;

 public:
  mailbox box;
};

}  // namespace filch::sched
