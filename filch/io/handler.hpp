#pragma once
#include <filch/co/frames.hpp>
#include <filch/io/context.hpp>
#include <filch/io/operation_state.hpp>

#include <asio/cancellation_signal.hpp>
#include <asio/error.hpp>
#include <asio/execution.hpp>
#include <asio/io_context.hpp>

#include <cstddef>
#include <exception>
#include <new>
#include <optional>
#include <system_error>
#include <tuple>
#include <type_traits>
#include <utility>

namespace filch::inline v0_2::io {

/// Memory for what Asio keeps of one operation, from its begin to its end. Each part of a composed
/// operation gives its own back before the next begins.
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
  /// More than an async_read of a socket keeps: mainly the buffer and this room's handler.
  alignas(std::max_align_t) std::byte room_[224];
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

/// The executor of handlers: the context's runner runs them, at once if that is the caller.
///
/// Not the context's own executor: Asio counts each copy of that which it keeps for an operation,
/// in a word that all workers share. It counts the operation anyway.
class runner_executor {
 public:
  explicit runner_executor(context& of) noexcept : of_{&of} {}

  template <class F>
  void execute(F&& function) const {
    asio::execution::execute(of_->executor(), std::forward<F>(function));
  }
  auto require(const asio::execution::blocking_t::never_t& never) const noexcept {
    return asio::require(of_->executor(), never);
  }
  template <class Allocator>
  auto require(const asio::execution::allocator_t<Allocator>& takes_memory) const noexcept {
    return asio::require(of_->executor(), takes_memory);
  }
  asio::io_context& query(const asio::execution::context_t& which) const noexcept {
    return asio::query(of_->executor(), which);
  }
  friend bool operator==(const runner_executor&, const runner_executor&) = default;

 private:
  context* of_;
};

/// The state of an operation, from its begin until its awaiter has taken the result.
template <class... Values>
struct under_way : operation_state {
  using operation_state::operation_state;
  static void* operator new(std::size_t bytes) { return co::allocate_frame(bytes); }
  static void operator delete(void* kept, std::size_t bytes) noexcept {
    co::release_frame(kept, bytes);
  }

  std::error_code error;
  std::exception_ptr thrown;  ///< By the operation, its begin, or the move of a value.
  std::optional<std::tuple<Values...>> values;
  operation_memory memory;
};

/// What Asio calls at the end of an operation.
template <class... Values>
class handler {
 public:
  explicit handler(under_way<Values...>& of) noexcept : to_{&of} {}
  handler(handler&& other) noexcept
      : to_{other.to_}, is_owed_{std::exchange(other.is_owed_, false)} {}
  handler& operator=(handler&&) = delete;
  ~handler() {
    if (is_owed_) drop();
  }

  // What Asio queries. Asio takes this executor also for objects on an executor of the pool: so
  // handlers of one operation run one at a time, and none needs a job.
  using executor_type = runner_executor;
  executor_type get_executor() const noexcept { return executor_type{to_->in}; }
  using allocator_type = operation_allocator<void*>;
  // tidy: orphans Asio calls it
  allocator_type get_allocator() const noexcept { return allocator_type{to_->memory}; }
  using cancellation_slot_type = asio::cancellation_slot;
  // tidy: orphans Asio calls it
  cancellation_slot_type get_cancellation_slot() const noexcept { return to_->cancels->slot(); }

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
  requires std::is_constructible_v<std::tuple<Values...>, Given &&...> void operator()(
      Given&&... given) {
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
    to_->complete();
  }
  // The thread that drops it may be no runner.
  void drop() noexcept {
    to_->error = asio::error::operation_aborted;
    to_->in.pass_on_from_outside(*to_);
  }

  under_way<Values...>* to_;
  bool is_owed_ = true;  ///< Neither called nor moved from yet.
};

template <class... Values>
handler<Values...> handler_of(under_way<Values...>& of) noexcept {
  return handler<Values...>{of};
}

}  // namespace filch::io
