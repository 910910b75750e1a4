#pragma once
#include <filch/co/promise.hpp>

#include <coroutine>
#include <type_traits>
#include <utility>

namespace filch::inline v0_2 {

namespace co::detail {
struct task_access;
}

/// What a coroutine returns that others await. It is lazy: it begins when it is awaited, and
/// `co_await` of it is a call.
///
/// `T` is an object type, a reference or void. The await moves the value out, or throws what the
/// task threw.
/// Cost:    a frame (`co::allocate_frame`) and two transfers, some 10 ns. No stack is used, however
///          deep calls nest or long a chain is.
/// Threads: made and awaited by any thread. The awaiter resumes where the task returns. Any
///          coroutine may await it, also one of another library.
/// Throws:  the call of the coroutine `std::bad_alloc`; the await what the task threw.
/// Lifetime: move-only. It owns the frame with the coroutine's parameters and locals. If it is
///          dropped before it begins, none of its body runs. Awaiting it twice or after a move, or
///          destroying it while it runs, ends the process with a message.
/// Source:  Baker, cppcoro `task<T>` (symmetric transfer; P0913). We differ: transfers are counted
///          (co/README.md).
template <class T = void>
class [[nodiscard]] task {
  static_assert(std::is_reference_v<T> || std::is_void_v<T> || std::is_move_constructible_v<T>,
                "the await moves the value out");
  using stored = std::conditional_t<std::is_void_v<T>, char, T>;
  static_assert(std::is_reference_v<T> || alignof(stored) <= __STDCPP_DEFAULT_NEW_ALIGNMENT__,
                "frames have the alignment of operator new");

 public:
  using promise_type = co::promise<T>;

  task(task&& other) noexcept : frame_{std::exchange(other.frame_, nullptr)} {}
  task& operator=(task&& other) noexcept {
    if (this != &other) {
      drop();
      frame_ = std::exchange(other.frame_, nullptr);
    }
    return *this;
  }
  ~task() { drop(); }

  /// Calls the task. Once.
  auto operator co_await() noexcept {
    FILCH_ASSERT(frame_, "a task that was moved from is not awaited", frame_.address());
    return call{frame_};
  }

 private:
  struct call {
    std::coroutine_handle<promise_type> callee;

    static bool await_ready() noexcept { return false; }
    template <class Caller>
    std::coroutine_handle<> await_suspend(std::coroutine_handle<Caller> caller,
                                          base::place where = {}) noexcept {
      callee.promise().begin(caller, co::promise_of(caller));
      base::task_waits(caller.address(), {base::a_task, callee.address()}, where);
      return co::transfer(caller, callee, callee.promise());
    }
    T await_resume() { return callee.promise().take(); }
  };

  explicit task(std::coroutine_handle<promise_type> frame) noexcept : frame_{frame} {}
  void drop() noexcept {
    if (!frame_) return;
    FILCH_ASSERT(frame_.promise().phase() != co::task_phase::running,
                 "a task is not destroyed while it runs", frame_.address());
    frame_.destroy();
  }

  std::coroutine_handle<promise_type> frame_;  ///< Null: moved from.
  friend co::promise<T>;
  friend co::detail::task_access;
};

template <class T>
class join_handle;

/// Gives the rest of this room the frame of a task.
struct co::detail::task_access {
  template <class T>
  static std::coroutine_handle<promise<T>> frame_of(const task<T>& of) noexcept {
    FILCH_ASSERT(of.frame_, "a task that was moved from is not spawned", of.frame_.address());
    return of.frame_;
  }
  /// The task gives its frame up.
  template <class T>
  static std::coroutine_handle<promise<T>> release(task<T>& from) noexcept {
    return std::exchange(from.frame_, nullptr);
  }
  /// The handle gives its task up: the caller is its awaiter.
  template <class T>
  static std::coroutine_handle<promise<T>> release(join_handle<T>& from) noexcept {
    from.promise();
    return std::exchange(from.frame_, nullptr);
  }
  /// The same as a handle: of a spawned task.
  template <class T>
  static join_handle<T> handle_of(task<T>& from) noexcept {
    return join_handle<T>{release(from)};
  }
};

template <class T>
task<T> co::promise<T>::get_return_object(base::place where, const char* function) noexcept {
  this->made_by(function);
  const auto frame = std::coroutine_handle<promise>::from_promise(*this);
  base::task_made(frame.address(), where);
  return task<T>{frame};
}

}  // namespace filch
