#pragma once
#include <filch/co/cancelled.hpp>
#include <filch/co/sync/async_event.hpp>
#include <filch/co/task.hpp>
#include <filch/io/context.hpp>
#include <filch/io/names.hpp>

#include <asio/async_result.hpp>
#include <asio/cancellation_signal.hpp>
#include <asio/error.hpp>
#include <asio/post.hpp>

#include <cstddef>
#include <exception>
#include <new>
#include <optional>
#include <system_error>
#include <tuple>
#include <type_traits>
#include <utility>

namespace filch::io {

/// A completion token: `std::size_t n = co_await socket.async_read_some(buffer, io::awaiting{io})`, in a `filch::task`, for what was made on `io.executor()`.
///
/// Any operation of Asio's may be awaited, whether it completes with an error code, with an exception as `asio::co_spawn`, or with neither as `asio::post`.
/// Gives what else it completes with: nothing, a value, or a tuple of several. The operation begins when it is awaited, and the task goes on where tasks of its pool do.
/// Cost:     a frame, in which lies what Asio keeps of the operation, where that is no more than of an `async_read`; Asio's own for the cancellation.
/// Throws:   an await `std::system_error` with the error of the operation, or its exception; what beginning it throws; `asio::error::operation_aborted` where it was
///           dropped unfinished, as a function that a stopped pool discards; `co::cancelled` where the task was asked to stop, once the operation has ended by that;
///           what came in spite of the request is returned. A composed operation that was cancelled half way does not tell how far it came.
/// Lifetime: what the operation uses outlives the await; its object is closed by nobody else while it is cancelled.
class awaiting {
 public:
  explicit awaiting(context& in) noexcept : in_{&in} {}
  context& in() const noexcept { return *in_; }

 private:
  context* in_;
};

/// Memory for what Asio keeps of one operation, from its begin to its end; a part of a composed one gives its own back before the next begins.
class operation_memory {
 public:
  operation_memory() noexcept = default;
  operation_memory(const operation_memory&) = delete;
  operation_memory& operator=(const operation_memory&) = delete;

  void* allocate(std::size_t bytes) {
    if (is_taken_ || bytes > sizeof(room_)) return ::operator new(bytes);
    is_taken_ = true;
    return room_;
  }
  void deallocate(void* at) noexcept {
    if (at != room_) return ::operator delete(at);
    is_taken_ = false;
  }

 private:
  alignas(std::max_align_t)
      std::byte room_[224];  ///< More than an async_read of a socket keeps, most of it the buffer and this room's handler.
  bool is_taken_ = false;
};

template <class T>
class operation_allocator {
 public:
  using value_type = T;
  explicit operation_allocator(operation_memory& from) noexcept : from_{&from} {}
  template <class U>
  operation_allocator(const operation_allocator<U>& other) noexcept : from_{other.from_} {}
  T* allocate(std::size_t count) {
    static_assert(alignof(T) <= alignof(std::max_align_t));
    return static_cast<T*>(from_->allocate(count * sizeof(T)));
  }
  void deallocate(T* at, std::size_t) noexcept { from_->deallocate(at); }
  friend bool operator==(const operation_allocator&, const operation_allocator&) = default;

 private:
  operation_memory* from_;
  template <class U>
  friend class operation_allocator;
};

/// An operation under way, in the frame of who awaits it. Nobody else uses it after `ended`.
template <class... Values>
struct under_way : arrival {
  explicit under_way(context& home) noexcept : arrival{&has_ended, nullptr}, in{home} {}
  static void has_ended(arrival& self) noexcept { static_cast<under_way&>(self).ended.set(); }

  context& in;
  async_event ended;
  bool is_completed = false;  ///< Of handlers only, which run one at a time.
  std::error_code error;
  std::exception_ptr thrown;  ///< By the move of a value.
  std::optional<std::tuple<Values...>> values;
  asio::cancellation_signal cancels;
  operation_memory memory;
};

/// What Asio calls at the end of an operation.
template <class... Values>
class handler {
 public:
  explicit handler(under_way<Values...>& of) noexcept : to_{&of} {}
  handler(handler&& other) noexcept : to_{other.to_}, is_owed_{std::exchange(other.is_owed_, false)} {}
  handler& operator=(handler&&) = delete;
  ~handler() {
    if (is_owed_) drop();
  }

  // What Asio asks for. The executor also for what was made on one of the pool: so handlers of one operation run one at a time, and none
  // needs a job.
  using executor_type = asio::io_context::executor_type;
  executor_type get_executor() const noexcept { return to_->in.executor(); }
  using allocator_type = operation_allocator<void*>;
  // tidy: orphans Asio calls it
  allocator_type get_allocator() const noexcept { return allocator_type{to_->memory}; }
  using cancellation_slot_type = asio::cancellation_slot;
  // tidy: orphans Asio calls it
  cancellation_slot_type get_cancellation_slot() const noexcept { return to_->cancels.slot(); }

  template <class... Given>
  void operator()(std::error_code error, Given&&... given) {
    to_->error = error;
    end(std::forward<Given>(given)...);
  }
  template <class... Given>
  void operator()(std::exception_ptr thrown, Given&&... given) {
    to_->thrown = std::move(thrown);
    end(std::forward<Given>(given)...);
  }
  template <class... Given>
  requires std::is_constructible_v<std::tuple<Values...>, Given &&...> void operator()(Given&&... given) {
    end(std::forward<Given>(given)...);
  }

 private:
  template <class... Given>
  void end(Given&&... given) {
    try {
      to_->values.emplace(std::forward<Given>(given)...);
    } catch (...) {
      to_->thrown = std::current_exception();
    }
    is_owed_ = false;
    to_->is_completed = true;
    to_->in.pass_on(*to_);
  }
  // Whoever does that may be no runner, so somebody must be made to look.
  void drop() noexcept {
    context& in = to_->in;
    to_->error = asio::error::operation_aborted;
    in.pass_on(*to_);
    in.interrupt();
  }

  under_way<Values...>* to_;
  bool is_owed_ = true;  ///< Not called yet, nor moved from.
};

/// By a handler, so that it meets no other one: the operation may have ended. `told` says when that has run.
/// Where memory for it is refused, the operation goes on to its own end.
template <class State>
void cancel(State& state, async_event& told) noexcept {
  try {
    asio::post(state.in.executor(), [&state, &told] {
      if (!state.is_completed) state.cancels.emit(asio::cancellation_type::terminal);
      told.set();
    });
  } catch (const std::bad_alloc&) {
    told.set();
  }
}

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

/// By a request for that, whether it says so by an error or by an exception.
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

using uninterrupted_wait = co::sync::uninterrupted<async_event::waiting>;

/// Until the operation has ended, whatever happens: before that its buffer is not free.
template <class... Values, class Initiation, class... Args>
auto perform(context& in, Initiation initiation, Args... args) -> task<decltype(take(std::declval<under_way<Values...>&>()))> {
  under_way<Values...> state{in};
  std::exception_ptr refused;
  try {
    std::move(initiation)(handler<Values...>{state}, std::move(args)...);
  } catch (...) {
    refused = std::current_exception();
  }
  if (refused) {
    co_await uninterrupted_wait(state.ended);  // its handler was dropped
    std::rethrow_exception(std::move(refused));
  }
  std::exception_ptr left;  // The wait was: by `cancelled`, or since it was refused memory.
  try {
    co_await state.ended.wait();
  } catch (...) {
    left = std::current_exception();
  }
  if (left) {
    async_event told;
    cancel(state, told);
    co_await uninterrupted_wait(told);
    co_await uninterrupted_wait(state.ended);
    if (was_aborted(state) || !co::is_cancellation(left)) std::rethrow_exception(std::move(left));
  }
  co_return take(state);
}

}  // namespace filch::io

template <class... Values>
class asio::async_result<filch::io::awaiting, void(Values...)> {
 public:
  template <class Initiation, class... Args>
  static auto initiate(Initiation&& initiation, filch::io::awaiting token, Args&&... args) {
    return filch::io::perform<std::decay_t<Values>...>(token.in(), std::forward<Initiation>(initiation),
                                                       std::forward<Args>(args)...);
  }
};
template <class... Values>
class asio::async_result<filch::io::awaiting, void(std::error_code, Values...)>
    : public asio::async_result<filch::io::awaiting, void(Values...)> {};
template <class... Values>
class asio::async_result<filch::io::awaiting, void(std::exception_ptr, Values...)>
    : public asio::async_result<filch::io::awaiting, void(Values...)> {};
/// Of a resolver, whose own way takes a thread. Anything else that ends with such results is an operation as any.
template <class Protocol>
class asio::async_result<filch::io::awaiting, void(std::error_code, asio::ip::basic_resolver_results<Protocol>)> {
  using results = asio::ip::basic_resolver_results<Protocol>;

 public:
  template <class Initiation, class... Args>
  static filch::task<results> initiate(Initiation&& initiation, filch::io::awaiting token, Args&&... args) {
    if constexpr (filch::io::looks_up_names<std::decay_t<Initiation>, Protocol>) {
      return filch::io::look_up<Protocol, std::decay_t<Args>...>(token.in(), std::forward<Args>(args)...);
    } else {
      return asio::async_result<filch::io::awaiting, void(results)>::initiate(std::forward<Initiation>(initiation), token,
                                                                              std::forward<Args>(args)...);
    }
  }
};
