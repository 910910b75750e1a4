#pragma once
#include <filch/co/cancelled.hpp>
#include <filch/co/promise.hpp>

#include <coroutine>
#include <utility>

namespace filch::co {

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

/// `co_await co::get_stop_token()` gives the token by which whoever holds the handle of the spawned
/// task asks it, and what it calls, to stop. Does not suspend. In a coroutine without such a handle
/// above it, a token that never asks.
/// Throws: `std::bad_alloc`, where it is the first to need one.
[[nodiscard]] inline stop_token_of_caller get_stop_token() noexcept { return {}; }

/// What `throw_if_stopped` awaits.
class [[nodiscard]] check_of_caller : public stop_token_of_caller {
 public:
  void await_resume() {
    if (stop_token_of_caller::await_resume().stop_requested()) throw_cancelled();
  }
};

/// `co_await co::throw_if_stopped()` ends the task by `co::cancelled` if it is asked to stop, as
/// every wait does: for the middle of a long computation. Does not suspend.
/// Cost:   some 10 ns. Throws: `co::cancelled`; as `get_stop_token`.
[[nodiscard]] inline check_of_caller throw_if_stopped() noexcept { return {}; }

}  // namespace filch::co
