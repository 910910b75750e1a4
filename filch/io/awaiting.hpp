#pragma once
#include <filch/co/cancelled.hpp>
#include <filch/co/task.hpp>
#include <filch/io/context.hpp>
#include <filch/io/handler.hpp>
#include <filch/io/names.hpp>
#include <filch/io/taken_once.hpp>

#include <asio/async_result.hpp>
#include <asio/error.hpp>

#include <coroutine>
#include <cstddef>
#include <exception>
#include <memory>
#include <system_error>
#include <tuple>
#include <type_traits>
#include <utility>

namespace filch::inline v0_2::io {

/// A completion token: `std::size_t n = co_await socket.async_read_some(buffer, io::awaiting{io})`,
/// in a `filch::task`, for objects made on `io.executor()`.
///
/// Any of Asio's operations can be awaited, whether it completes with an error code, with an
/// exception as `asio::co_spawn`, or with neither as `asio::post`. The await gives what else it
/// completes with: nothing, a value, or a tuple of several. The operation begins when it is
/// awaited, and the task resumes in its pool. For `when_any` and others that want a task, make one:
/// `task<std::size_t>{socket.async_read_some(buffer, io::awaiting{io})}`.
///
/// If the task is asked to stop, the operation is cancelled, and the await waits for its end. If it
/// completed in spite of that, its result is returned. A composed operation that was cancelled half
/// way does not tell how far it came.
/// Cost:    a block from the frame lists, with room for what Asio keeps of an operation up to an
///          `async_read`. A composed operation also takes Asio's own memory for its cancellation.
/// Threads: any coroutine may await it, once. A coroutine of another library resumes where the end
///          is delivered. To destroy it while it waits ends the process with a message.
/// Throws:  `std::bad_alloc`, and then nothing has begun. What beginning the operation throws.
///          `std::system_error` with its error, or its exception. That is
///          `asio::error::operation_aborted` if it was dropped unfinished, as a function that a
///          stopped pool discards. `co::cancelled` if a stop request aborted it.
/// Lifetime: what the operation uses outlives the await. No other thread closes its object while it
///          is cancelled.
class awaiting {
 public:
  explicit awaiting(context& in) noexcept : in_{&in} {}
  context& in() const noexcept { return *in_; }

 private:
  context* in_;
};

namespace detail {

/// What the await of an operation gives. Throws: what it failed with.
template <class... Values>
auto take(under_way<Values...>& from) {
  if (from.thrown) std::rethrow_exception(std::move(from.thrown));
  if (from.error) throw std::system_error(from.error);
  if constexpr (sizeof...(Values) == 1) {
    return std::get<0>(std::move(*from.values));
  } else if constexpr (sizeof...(Values) > 1) {
    return std::move(*from.values);
  }
}

/// Whether the operation was cancelled: it tells by an error or by an exception.
template <class... Values>
bool was_aborted(const under_way<Values...>& state) {
  if (!state.thrown) return state.error == asio::error::operation_aborted;
  try {
    std::rethrow_exception(state.thrown);
  } catch (const std::system_error& failed) {
    return failed.code() == asio::error::operation_aborted;
  } catch (...) {
    return false;
  }
}

/// One of Asio's operations, to be awaited once; it begins then.
template <class State, class Initiation, class... Args>
class [[nodiscard]] operation {
 public:
  using result = decltype(take(std::declval<State&>()));

  operation(context& in, Initiation begins, Args... args)
      : in_{in}, begins_{std::move(begins)}, args_{std::move(args)...} {}
  /// For functions that take a task, such as `when_any` and `spawn`.
  operator task<result>() && { return await(std::move(*this)); }

  static bool await_ready() noexcept { return false; }
  template <class Promise>
  std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> caller,
                                        base::place where = {}) {
    FILCH_ASSERT(in_.get() != nullptr, "an operation is awaited once, and where it was moved to",
                 this);
    std::unique_ptr<State> begun{new State{*in_.get()}};
    begun->begin_wait(caller, where);
    state_ = std::move(begun);
    in_.take();
    begin();
    return state_->wait(caller);
  }
  result await_resume() {
    state_->end_wait();
    if (state_->was_asked_to_stop() && was_aborted(*state_)) throw co::cancelled();
    return take(*state_);
  }

 private:
  static task<result> await(operation self) { co_return co_await std::move(self); }
  // Not inline, as clang 14 keeps the address of `errno` across suspensions.
  [[gnu::noinline]] void begin() {
    try {
      // Made before the arguments are moved, as such a move may throw
      auto handler = handler_of(*state_);
      std::apply([&](Args&... args) { std::move(begins_)(std::move(handler), std::move(args)...); },
                 args_);
    } catch (...) {
      // The handler was dropped; its end is waited for as usual
      state_->thrown = std::current_exception();
    }
  }

  taken_once<context> in_;
  Initiation begins_;
  std::tuple<Args...> args_;
  std::unique_ptr<State> state_;
};

}  // namespace detail

}  // namespace filch::io

template <class... Values>
class asio::async_result<filch::io::awaiting, void(Values...)> {
 public:
  template <class Initiation, class... Args>
  static auto initiate(Initiation&& initiation, filch::io::awaiting token, Args&&... args) {
    using state = filch::io::under_way<std::decay_t<Values>...>;
    return filch::io::detail::operation<state, std::decay_t<Initiation>, std::decay_t<Args>...>(
        token.in(), std::forward<Initiation>(initiation), std::forward<Args>(args)...);
  }
};
template <class... Values>
class asio::async_result<filch::io::awaiting, void(std::error_code, Values...)>
    : public asio::async_result<filch::io::awaiting, void(Values...)> {};
template <class... Values>
class asio::async_result<filch::io::awaiting, void(std::exception_ptr, Values...)>
    : public asio::async_result<filch::io::awaiting, void(Values...)> {};
/// For the look-ups of a resolver, as Asio's own way takes a thread. Any other operation with such
/// results is treated as usual.
template <class Protocol>
class asio::async_result<filch::io::awaiting,
                         void(std::error_code, asio::ip::basic_resolver_results<Protocol>)> {
  using results = asio::ip::basic_resolver_results<Protocol>;

 public:
  template <class Initiation, class... Args>
  static auto initiate(Initiation&& initiation, filch::io::awaiting token, Args&&... args) {
    if constexpr (filch::io::looks_up_names<std::decay_t<Initiation>, Protocol>) {
      return filch::io::look_up<Protocol, std::decay_t<Args>...>(token.in(),
                                                                 std::forward<Args>(args)...);
    } else {
      return asio::async_result<filch::io::awaiting, void(results)>::initiate(
          std::forward<Initiation>(initiation), token, std::forward<Args>(args)...);
    }
  }
};
