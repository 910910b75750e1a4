#pragma once
// How every contender with Boost.Fiber gets its threads and forks: its work-stealing scheduler on
// `workers` threads, the caller's among them; a fork is a fiber that starts at once, and its parent
// is what a thief may take.
#include <boost/fiber/algo/work_stealing.hpp>
#include <boost/fiber/condition_variable.hpp>
#include <boost/fiber/fiber.hpp>
#include <boost/fiber/fixedsize_stack.hpp>
#include <boost/fiber/mutex.hpp>
#include <boost/fiber/operations.hpp>

#include <latch>
#include <mutex>
#include <thread>
#include <type_traits>
#include <vector>

namespace bench {

/// Starts a copy of `f` as a fiber on a stack of the library's usual size.
template <class F>
boost::fibers::fiber start_fiber(const F& f) {
  return boost::fibers::fiber{boost::fibers::launch::dispatch, std::allocator_arg,
                              boost::fibers::fixedsize_stack{}, f};
}

class fiber_threads {
 public:
  explicit fiber_threads(unsigned workers) : ready_(workers) {
    for (unsigned i = 1; i < workers; ++i) {
      others_.emplace_back([this, workers] {
        join_scheduler(workers);
        std::unique_lock hold{lock_};
        done_.wait(hold, [this] { return stop_; });
      });
    }
    join_scheduler(workers);
  }
  ~fiber_threads() {
    {
      const std::lock_guard hold{lock_};
      stop_ = true;
    }
    done_.notify_all();
    for (std::thread& each : others_) each.join();
  }

  /// Runs `f` in a fiber, so that it may be resumed by any of the threads.
  template <class F>
  auto run(F&& f) {
    if constexpr (std::is_void_v<std::invoke_result_t<F&>>) {
      start_fiber(f).join();
    } else {
      std::invoke_result_t<F&> result{};
      start_fiber([&] { result = f(); }).join();
      return result;
    }
  }

 private:
  /// A thread that steals must find all others there. One thread alone has no victim and keeps the
  /// usual scheduler.
  void join_scheduler(unsigned workers) {
    if (workers > 1)
      boost::fibers::use_scheduling_algorithm<boost::fibers::algo::work_stealing>(workers);
    ready_.arrive_and_wait();
  }

  std::latch ready_;
  boost::fibers::mutex lock_;
  boost::fibers::condition_variable done_;
  bool stop_ = false;
  std::vector<std::thread> others_;
};

/// Runs two halves on Boost.Fiber: one as a fiber, the other by a direct call.
struct fiber_forked {
  template <class First, class Second>
  void operator()(const First& first, const Second& second) const {
    boost::fibers::fiber other = start_fiber(second);
    first();
    other.join();
  }
};

}  // namespace bench
