#pragma once
#include <filch/graph/dependent.hpp>

#include <concepts>
#include <coroutine>
#include <memory>
#include <type_traits>
#include <utility>

namespace filch::inline v0_2 {

namespace graph {

/// A task of `spawn_after` with a result of type `T`.
template <class T>
class dependent_of : public dependent {
 public:
  /// Of one that has ended and has not failed.
  T& value() noexcept { return value_; }

 protected:
  dependent_of(const operations& how, void (*begins)(detached_job*, fate), sched::scheduler& pool,
               priority how_urgent) noexcept
      : dependent{how, begins, pool, how_urgent} {}
  ~dependent_of() {
    if (!this->has_failed()) std::destroy_at(std::addressof(value_));
  }
  template <class Make>
  void put(Make&& make) {
    ::new (static_cast<void*>(std::addressof(value_))) T(std::forward<Make>(make)());
  }

 private:
  union {
    T value_;
  };
};
template <>
class dependent_of<void> : public dependent {
 public:
  static void value() noexcept {}

 protected:
  using dependent::dependent;
  ~dependent_of() = default;
  template <class Make>
  static void put(Make&& make) {
    std::forward<Make>(make)();
  }
};

struct handle_access;

/// What an await of a handle makes: `Result` is a reference to the result, or a copy.
template <class Handle, class Result>
class [[nodiscard]] awaiting_handle {
 public:
  explicit awaiting_handle(Handle awaited) noexcept : awaited_{std::forward<Handle>(awaited)} {}
  bool await_ready() const noexcept { return awaited_.is_finished(); }
  template <class Promise>
  std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> caller,
                                        base::place where = {}) noexcept {
    return waits_.suspend(*awaited_.task_.get(), caller, co::promise_of(caller), where);
  }
  Result await_resume() {
    waits_.resumed();
    return std::forward<Handle>(awaited_).get();
  }

 private:
  Handle awaited_;
  awaiting_coroutine waits_;
};

}  // namespace graph

/// A handle of a task that `spawn_after` has spawned. Copies refer to the same task. If all are
/// dropped, the task runs on by itself.
///
/// `T` is what the task returns, without reference; void if nothing. `get` and `co_await` give it
/// to any number of callers, or throw to each what the task threw. In a coroutine the await is
/// cheaper, as no thread waits. A stop request to the awaiter does not end this wait, as with a
/// `join_handle`.
///
/// An exception counts as seen when a `get` or an await of this task, or of one that failed by it,
/// has thrown it, or when such a task has failed by another one instead. An unseen exception goes
/// to `pool_options::on_escaped_exception` when all these tasks have ended and no handle of them is
/// left. Without a handler the process ends. What a stop or a cancellation has ended is not
/// reported.
///
/// A handle without a task, as `shared_join_handle<> h;` makes it, counts as that of a task that
/// has ended. If `T` is not void, it can only be assigned to.
/// Cost:    a copy or a drop some 5 ns. The result takes memory as long as there is a handle of the
///          task, or a task that has not ended and is called with the result.
/// Threads: any; one at a time changes the same handle. A coroutine of another library resumes
///          on the thread that ended the task, and must not be destroyed while it awaits.
/// Lifetime: may outlive the pool.
/// Example: examples/merge_as_it_comes.cpp
template <class T = void>
class shared_join_handle {
  using reference = std::add_lvalue_reference_t<const T>;

 public:
  shared_join_handle() noexcept = default;

  /// Waits for the end of the task. Returns its result, valid as long as a handle of the task.
  /// Blocks: as `block_on`: a worker gives its slot away meanwhile, an external thread just sleeps.
  /// Throws: what the task threw; `pool_stopped` if it had not begun when its pool was stopped.
  reference get() const& {
    if (is_empty()) return no_result();
    task_.get()->wait();
    task_.get()->rethrow();
    return task()->value();
  }
  /// The same of a handle that is not used any more: a copy of the result, or the result moved out
  /// if nothing else holds the task any more.
  T get() && {
    static_cast<const shared_join_handle&>(*this).get();
    if constexpr (!std::is_void_v<T>) {
      static_assert(std::copy_constructible<T>,
                    "filch: the result cannot be copied out of a shared_join_handle that is a "
                    "temporary; keep the handle, and its get() returns a reference");
      const shared_join_handle last = std::move(*this);
      if (last.task_.get()->is_held_once()) return std::move(last.task()->value());
      return last.task()->value();
    }
  }
  /// True if `get` and an await would not wait.
  bool is_finished() const noexcept { return is_empty() || task_.get()->has_ended(); }

  auto operator co_await() const& noexcept {
    return graph::awaiting_handle<const shared_join_handle&, reference>{*this};
  }
  auto operator co_await() && noexcept {
    return graph::awaiting_handle<shared_join_handle, T>{std::move(*this)};
  }

 private:
  using spawned = graph::dependent_of<T>;

  explicit shared_join_handle(spawned& made) noexcept : task_{made} {}
  spawned* task() const noexcept { return static_cast<spawned*>(task_.get()); }
  /// That there is no task, which only counts as an ended one if `T` is void.
  bool is_empty() const noexcept {
    const bool is_without_task = task_.get() == nullptr;
    if constexpr (!std::is_void_v<T>)
      FILCH_ASSERT(!is_without_task, "a shared_join_handle is used after it was given a task",
                   this);
    return is_without_task;
  }
  /// What `get` returns without a task. Only if `T` is void.
  static reference no_result() noexcept {
    if constexpr (!std::is_void_v<T>) std::terminate();
  }

  graph::dependent_holder task_;
  friend struct graph::handle_access;
  template <class Handle, class Result>
  friend class graph::awaiting_handle;
};

}  // namespace filch
