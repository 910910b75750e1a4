#pragma once
#include <filch/co/cancelled.hpp>
#include <filch/co/promise.hpp>

#include <coroutine>
#include <utility>

namespace filch::inline v0_2::co {
namespace detail {

/// What `get_stop_token` returns, to be awaited.
class [[nodiscard]] stop_token_of_caller {
 public:
  static bool await_ready() noexcept { return false; }
  template <class Promise>
  bool await_suspend(std::coroutine_handle<Promise> caller) {
    if (promise_base* const promise = promise_of(caller);
        promise != nullptr && promise->root() != nullptr) {
      found_ = promise->stop_token();
    }
    return false;
  }
  std::stop_token await_resume() noexcept { return std::move(found_); }

 private:
  std::stop_token found_;
};

/// What `throw_if_stopped` returns, to be awaited.
class [[nodiscard]] check_of_caller : public stop_token_of_caller {
 public:
  void await_resume() {
    if (stop_token_of_caller::await_resume().stop_requested()) throw_cancelled();
  }
};

}  // namespace detail

/// `co_await co::get_stop_token()` gives the token by which the holder of the spawned task's handle
/// asks the task, and what it calls, to stop. Does not suspend. In a coroutine without such a
/// handle above it, it gives a token that never asks.
/// Throws: `std::bad_alloc`, if the task has no token yet.
[[nodiscard]] inline detail::stop_token_of_caller get_stop_token() noexcept { return {}; }

/// `co_await co::throw_if_stopped()` throws `co::cancelled` if the task was asked to stop, as every
/// wait does: for the middle of a long computation. Does not suspend.
/// Cost:   some 10 ns. Throws: `co::cancelled`; as `get_stop_token`.
[[nodiscard]] inline detail::check_of_caller throw_if_stopped() noexcept { return {}; }

}  // namespace filch::co
