#pragma once
#include <filch/base/panic.hpp>
#include <filch/co/frames.hpp>
#include <filch/co/result.hpp>
#include <filch/co/run_loop.hpp>
#include <filch/sched/detached_job.hpp>

#include <coroutine>
#include <exception>
#include <utility>

namespace filch {
template <class T>
class task;
}

namespace filch::co {

enum class task_phase : unsigned char { not_begun, running, finished };

/// What every task's frame begins with. It is the job by which a worker resumes the task, or whoever the task returns to: of one call
/// only one of the two is ever to be resumed.
class promise_base : public sched::detached_job {
 public:
  promise_base() noexcept;
  promise_base(const promise_base&) = delete;
  promise_base& operator=(const promise_base&) = delete;

  static void* operator new(std::size_t bytes) { return allocate_frame(bytes); }
  static void operator delete(void* frame, std::size_t bytes) noexcept { release_frame(frame, bytes); }

  /// Puts the job at the end of the ready queue of the worker that this is, or else where that worker's pool takes it from.
  void make_ready() noexcept;
  /// The task is called. Once.
  void begin(std::coroutine_handle<> from) noexcept {
    FILCH_ASSERT(phase == task_phase::not_begun, "a task is awaited once", phase);
    phase = task_phase::running;
    caller_ = from;
  }
  /// The task has returned. Who runs next.
  std::coroutine_handle<> leave() noexcept {
    phase = task_phase::finished;
    return transfer(caller_, *this);
  }

  std::coroutine_handle<> resumes;  ///< By the job. Written before it is made ready.
  task_phase phase = task_phase::not_begun;

 protected:
  ~promise_base() = default;

 private:
  std::coroutine_handle<> caller_;
};

struct return_to_caller {
  static bool await_ready() noexcept { return false; }
  template <class Promise>
  static std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> finished) noexcept {
    return finished.promise().leave();
  }
  static void await_resume() noexcept {}
};

template <class T>
class promise final : public promise_base, public result<T> {
 public:
  task<T> get_return_object() noexcept;
  static std::suspend_always initial_suspend() noexcept { return {}; }
  static return_to_caller final_suspend() noexcept { return {}; }
  void unhandled_exception() noexcept { this->fail(std::current_exception()); }
};

}  // namespace filch::co
