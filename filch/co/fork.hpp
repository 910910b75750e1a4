#pragma once
#include <filch/co/task.hpp>

#include <concepts>
#include <coroutine>
#include <utility>

namespace filch::inline v0_2::co {
namespace detail {

/// Whether another thread may resume a coroutine while its `await_suspend` is still running. Not if
/// the compiler keeps the result of that in the frame, as unoptimized clang does.
#if defined(__clang__) && !defined(__OPTIMIZE__)
inline constexpr bool may_publish_while_suspending = false;
#else
inline constexpr bool may_publish_while_suspending = true;
#endif

/// For `await_suspend` of `self`, the coroutine of `parent`: returns the coroutine to run, so that
/// `child` runs and thieves may take `self` meanwhile.
FILCH_EXPORT [[gnu::noinline]] std::coroutine_handle<> fork_now(std::coroutine_handle<> self,
                                                                promise_base& parent,
                                                                std::coroutine_handle<> child,
                                                                promise_base& forked) noexcept;
/// The same, but thieves may take `self` only once it has left the stack.
/// Cost: some 3 ns more.
[[gnu::noinline]] std::coroutine_handle<> fork_after_suspension(std::coroutine_handle<> self,
                                                                promise_base& parent,
                                                                std::coroutine_handle<> child,
                                                                promise_base& forked) noexcept;
/// For `suspend`: the coroutine of `promise` waits for its forked children.
FILCH_EXPORT std::coroutine_handle<> wait_at_join(void* promise) noexcept;

template <class T>
class forking;

}  // namespace detail

/// The handle of a forked child, and after the join its result.
///
/// Move-only. Keep it until the join. If it is dropped before, as when an exception leaves the
/// coroutine between fork and join, its destructor waits for the child: what the child refers to
/// outlives it.
/// Blocks:  only the destructor, without a join and if the parent was taken: the thread gives its
///          slot away and sleeps. The pool runs on while it has spares left
///          (`pool_options::max_spares`). To leave many forks at once whose children wait is a
///          deadlock: join first.
/// Threads: the thread that runs the parent.
template <class T = void>
class [[nodiscard]] forked {
 public:
  forked(forked&& other) noexcept
      : kept_{std::exchange(other.kept_, {})}, frame_{std::exchange(other.frame_, nullptr)} {}
  forked& operator=(forked&& other) noexcept {
    if (this != &other) {
      drop();
      kept_ = std::exchange(other.kept_, {});
      frame_ = std::exchange(other.frame_, nullptr);
    }
    return *this;
  }
  ~forked() { drop(); }

  /// Moves the result out. Once, and after the join: before it, the process ends with a message if
  /// another worker has taken the parent.
  /// Throws: what the child threw.
  T get() {
    if (!frame_) [[likely]]
      return kept_.take();
    FILCH_ASSERT(frame_.promise().done().is_finished(),
                 "the result of a fork is taken after the join", frame_.address());
    return frame_.promise().take();
  }

 private:
  using frame = std::coroutine_handle<promise<T>>;

  /// For a task whose parent resumes. A child that has ended without failure gives its result here.
  explicit forked(task<T>& begun) : frame_{detail::task_access::frame_of(begun)} {
    promise<T>& child = frame_.promise();
    if (!child.parent_was_taken()) [[likely]] {
      if (!child.error()) [[likely]] {
        keep_result(child);
        frame_ = nullptr;
        return;  // the task frees its frame
      }
      child.tell_failure_to_parent();
    }
    detail::task_access::release(begun);
  }
  void keep_result(promise<T>& from) {
    if constexpr (std::is_void_v<T>) {
      from.take();
    } else {
      kept_.return_value(from.take());
    }
  }
  void drop() noexcept {
    if (!frame_) [[likely]]
      return;
    frame_.promise().wait_for_end();
    frame_.destroy();
  }

  result<T> kept_;
  frame frame_;  ///< Null: the result is here, or was moved away.
  friend detail::forking<T>;
};

namespace detail {

/// What `fork` returns, to be awaited.
template <class T>
class [[nodiscard]] forking {
 public:
  explicit forking(task<T>& begins) noexcept : begins_{begins} {}
  static bool await_ready() noexcept { return false; }
  /// A template over `may_publish`, so that a program of optimized and unoptimized parts has both.
  template <class Promise, bool may_publish = may_publish_while_suspending>
  std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> parent,
                                        base::place where = {}) noexcept {
    static_assert(std::derived_from<Promise, promise_base>,
                  "a filch::task forks; coroutines of other libraries spawn");
    const std::coroutine_handle<promise<T>> child = task_access::frame_of(begins_);
    base::task_waits(parent.address(), {base::a_task, child.address()}, where);
    base::task_is_part_of(child.address(), &parent.promise().forks());
    const auto fork = may_publish ? &fork_now : &fork_after_suspension;
    return fork(parent, parent.promise(), child, child.promise());
  }
  forked<T> await_resume() { return forked<T>{begins_}; }

 private:
  task<T>& begins_;
};

/// What an await of `join` makes.
class [[nodiscard]] joining_forks {
 public:
  static bool await_ready() noexcept { return false; }
  template <class Promise>
  bool await_suspend(std::coroutine_handle<Promise> parent, base::place where = {}) noexcept {
    static_assert(std::derived_from<Promise, promise_base>,
                  "a filch::task joins what it has forked");
    promise_ = &parent.promise();
    if (promise_->forks().is_joined()) [[likely]]
      return false;
    promise_->resumes = parent;
    base::task_waits(parent.address(), {base::a_task, &promise_->forks()}, where);
    suspend(parent, &wait_at_join, promise_);
    return true;
  }
  void await_resume() { promise_->rethrow_error(); }

 private:
  promise_base* promise_ = nullptr;
};

/// The type of `join`.
struct join_tag {
  friend joining_forks operator co_await(join_tag) noexcept { return {}; }
};

}  // namespace detail

/// `auto left = co_await co::fork(f(x));` begins `f(x)` here at once, and lets any worker resume
/// the coroutine meanwhile. Until `co_await co::join` the two may run in parallel; then
/// `left.get()` is the result.
///
/// Serial order: unless another worker takes the coroutine, the child runs to its end first, as if
/// it were called. This always holds with one worker, unless the child waits or yields. After a
/// fork or a join the coroutine may resume on any worker; a plain function stays on its own.
///
/// A fork is a plain call in a coroutine that was resumed by hand, runs outside of pools, is
/// watched for its span, or is a quarter of a million forks deep. So no child may wait for what its
/// parent does after the fork: there it would wait for ever.
/// Cost:    if no worker takes the coroutine, some 3 ns more than a call of the task; no locked
///          instruction, no allocation but the child's frame. Work W_child + W_rest, span
///          max + O(1).
/// Space:   P workers keep at most P times as many frames of tasks that have not ended as one
///          worker would; see co/README.md, "A fork".
/// Blocks:  never. Cancelling: the child sees the token of its root, as in a call.
/// Throws:  what the move of a result throws. The join throws what the child threw.
/// Lifetime: what the child refers to lives until the join, or is declared before the handle. The
///          temporaries of the fork's expression do not, such as a lambda with captures that is
///          called there: they are gone once the coroutine resumes, and the child may still run.
/// Source:  Blumofe and Leiserson, JACM 1999 (busy leaves); Williams and Elliott, "Libfork:
///          portable continuation-stealing with stackless coroutines", arXiv 2402.18480. We differ:
///          parents lie private on the fork stack until a thief asks, and frames are not on stacks
///          of their own.
/// Example: examples/task_forks.cpp
template <class T>
[[nodiscard]] detail::forking<T> fork(task<T>&& begins) noexcept {
  return detail::forking<T>{begins};
}

/// `co_await co::join;` waits until all children have ended that this coroutine has forked since
/// its last join. If some threw, it then throws what the first forked of those threw. The others'
/// exceptions come out of their handles' `get`, or are dropped.
///
/// If the coroutine ends without a join, its end waits. An unseen failure of a child is then the
/// coroutine's own, even if that fails itself: it is the leftmost.
/// Cost: a compare if no worker took the coroutine; else a locked instruction. If it has to wait,
///       the last child resumes it.
inline constexpr detail::join_tag join;

}  // namespace filch::co
