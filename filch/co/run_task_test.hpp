#pragma once
#include <filch/co/task.hpp>

#include <exception>

namespace filch::inline v0_2::co {

/// A coroutine that knows nothing of filch: it runs when it is called, and is gone at its end.
struct foreign {
  struct promise_type {
    static foreign get_return_object() noexcept { return {}; }
    static std::suspend_never initial_suspend() noexcept { return {}; }
    static std::suspend_never final_suspend() noexcept { return {}; }
    static void return_void() noexcept {}
    static void unhandled_exception() noexcept { std::terminate(); }
  };
};

template <class T>
struct outcome : result<T> {
  std::exception_ptr error;
};

template <class T>
foreign await_into(task<T>& awaited, outcome<T>& out) {
  try {
    if constexpr (std::is_void_v<T>) {
      co_await awaited;
      out.return_void();
    } else {
      out.return_value(co_await awaited);
    }
  } catch (...) {
    out.error = std::current_exception();
  }
}

/// Runs, on this stack, a task that waits for no other thread.
template <class T>
T run_task(task<T> runs) {
  outcome<T> out;
  await_into(runs, out);
  if (out.error) std::rethrow_exception(out.error);
  return out.take();
}

}  // namespace filch::co
