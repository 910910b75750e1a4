#pragma once
#include <filch/co/task.hpp>

#include <concepts>
#include <coroutine>
#include <utility>

namespace filch::co {

/// Whether another thread may resume a coroutine while its `await_suspend` is still running: not
/// where the compiler keeps what that returns in the frame, as clang does when it does not
/// optimise.
#if defined(__clang__) && !defined(__OPTIMIZE__)
inline constexpr bool may_publish_while_suspending = false;
#else
inline constexpr bool may_publish_while_suspending = true;
#endif

/// What `await_suspend` of `self`, the coroutine of `parent`, returns so that `child` runs and
/// thieves may take `self` meanwhile.
[[gnu::noinline]] std::coroutine_handle<> fork_now(std::coroutine_handle<> self,
                                                   promise_base& parent,
                                                   std::coroutine_handle<> child,
                                                   promise_base& forked) noexcept;
/// The same, but thieves may take `self` only once it has left the stack. Cost: some 3 ns more.
[[gnu::noinline]] std::coroutine_handle<> fork_after_suspension(std::coroutine_handle<> self,
                                                                promise_base& parent,
                                                                std::coroutine_handle<> child,
                                                                promise_base& forked) noexcept;
/// For `suspend`: the coroutine of the promise waits for what it has forked.
std::coroutine_handle<> wait_at_join(void* promise) noexcept;

template <class T>
class forking;

/// What has been forked, and after the join its result.
///
/// Move-only. To be kept until the join: where it is dropped before, as when an exception leaves
/// the coroutine between fork and join, its destructor waits for the child, so that nothing the
/// child refers to is gone before it has ended.
/// Blocks: the destructor alone, without a join, and where the parent was taken: the thread gives
/// its slot away and sleeps. So the pool goes on while
///          it has spares left (`pool_options::max_spares`): to leave many forks at once, with
///          children that wait, is a deadlock. Join first.
/// Threads: whoever runs the parent.
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

  /// Gives the result up. Once, after the join; before, it is there only if nobody has taken the
  /// parent, and else the process ends with a message.
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

  /// Of a task whose parent goes on. One that has ended is done with, unless it has failed.
  explicit forked(task<T>& begun) : frame_{task_access::frame_of(begun)} {
    promise<T>& child = frame_.promise();
    if (!child.parent_was_taken()) [[likely]] {
      if (!child.error()) [[likely]] {
        keep_result(child);
        frame_ = nullptr;
        return;  // the task frees its frame
      }
      child.tell_failure_to_parent();
    }
    task_access::release(begun);
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
  friend forking<T>;
};

template <class T>
class [[nodiscard]] forking {
 public:
  explicit forking(task<T>& begins) noexcept : begins_{begins} {}
  static bool await_ready() noexcept { return false; }
  /// Two functions, so that a program of parts that are optimised and parts that are not has both.
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

/// `auto left = co_await co::fork(f(x));` begins `f(x)` here and at once, and lets any worker go on
/// with the coroutine meanwhile. Until `co_await co::join` the two may run at the same time; then
/// `left.get()` is the result.
///
/// Serial order: while nobody takes the coroutine, the child runs to its end before it goes on, as
/// if it were called; so it is with one worker, unless the child waits for something or yields. On
/// which worker the coroutine goes on after a fork or a join is left open; a plain function stays
/// on its own. A coroutine that was resumed by hand, one that runs outside of pools or a quarter of
/// a million forks deep, and one that is watched for its span forks by a call. So no child may wait
/// for what its parent does only after the fork: there it would wait for ever.
/// Cost: where nobody takes the coroutine, some 3 ns more than a call of the task; no locked
/// instruction, no allocation but the child's frame.
///          Work W_child + W_rest, span max + O(1).
/// Space: P workers keep at most P times as many frames of tasks that have not ended as one worker
/// would; see co/README.md, "A fork".
/// Blocks:  never. Cancelling: the child sees the token of its root, as in a call.
/// Throws:  nothing of the child's: that comes out of the join. What the move of a result throws.
/// Lifetime: what the child refers to lives until the join, or is declared before the handle. So
/// not the temporaries of the fork's own expression, as
///          the closure of a lambda with captures that is called there: they are gone once the
///          coroutine goes on, and the child may run yet.
/// Source: Blumofe and Leiserson, JACM 1999 (busy leaves); Williams and Elliott, "Libfork: portable
/// continuation-stealing with stackless
///          coroutines", arXiv 2402.18480. We differ: parents lie private on the fork stack until a
///          thief asks, and frames are not on stacks of their own.
template <class T>
[[nodiscard]] forking<T> fork(task<T>&& begins) noexcept {
  return forking<T>{begins};
}

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

/// `co_await co::join;` waits until all has ended that this coroutine has forked since its last
/// join. Where one of them threw, throws what the one forked first of those threw, once all have
/// ended; the others' exceptions come out of their handles' `get`, or are dropped.
///
/// Where the coroutine ends without it, its end waits. A failure that nobody has seen by then is
/// the coroutine's own, even if that fails itself: it is the leftmost.
/// Cost: a compare where nobody took the coroutine; else a locked instruction, and if it has to
/// wait the last child goes on with it.
struct join_tag {
  friend joining_forks operator co_await(join_tag) noexcept { return {}; }
};
inline constexpr join_tag join;

}  // namespace filch::co
