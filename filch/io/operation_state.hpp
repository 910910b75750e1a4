#pragma once
#include <filch/base/mutex.hpp>
#include <filch/base/panic.hpp>
#include <filch/base/simulated_tasks.hpp>
#include <filch/co/sync/waiting.hpp>
#include <filch/io/context.hpp>
#include <filch/io/pooled_signal.hpp>

#include <asio/post.hpp>

#include <coroutine>
#include <new>

namespace filch::inline v0_2::io {

/// The wait for the end of an operation. A stop request does not end this wait. It cancels the
/// operation, and the wait lasts until that has ended, as its buffer is in use up to then.
class operation_state : public detail::completion, private co::sync::wait_node {
 public:
  explicit operation_state(context& home) noexcept
      : detail::completion{&has_arrived, nullptr}, wait_node{lock_}, in{home} {
    needs_at_last(&goes_on);
  }
  ~operation_state() {
    FILCH_ASSERT(ends_left_ == 0,
                 "the awaiter of an operation is not destroyed before the operation has ended",
                 this);
  }

  context& in;
  pooled_signal cancels;

  /// Called before `caller` begins the operation and waits for it. Throws: `std::bad_alloc`; then
  /// it must not begin.
  template <class Promise>
  void begin_wait(std::coroutine_handle<Promise> caller, base::place where) {
    is_about_to_wait(caller,
                     // If it was asked to stop already, the operation begins and is cancelled
                     co::promise_of(caller));
    base::task_waits(caller.address(), {"an operation of Asio's", this}, where);
    ends_left_ = 1;
  }
  /// For `await_suspend` of `caller`, once the operation has begun or was refused: returns the
  /// coroutine to run.
  std::coroutine_handle<> wait(std::coroutine_handle<> caller) noexcept {
    return co::suspend(caller, &settle, this);
  }
  /// Called by the coroutine that has waited.
  void end_wait() { wait_node::end_wait(); }
  bool was_asked_to_stop() const noexcept { return was_asked_to_stop_; }
  /// Called by the operation's handler. The thread may be no runner, as inside the initiation.
  void complete() noexcept {
    is_completed_ = true;
    if (in.executor().running_in_this_thread()) [[likely]] {
      in.pass_on(*this);
    } else {
      in.pass_on_from_outside(*this);
    }
  }

 private:
  static void has_arrived(detail::completion& self) noexcept {
    static_cast<operation_state&>(self).one_has_ended();
  }
  // Once `mine` is listed, it may be gone.
  static std::coroutine_handle<> settle(void* self) noexcept {
    operation_state& mine = *static_cast<operation_state*>(self);
    const std::coroutine_handle<> caller = mine.wait_node::self();
    return mine.is_over_or_listed() ? caller : nullptr;
  }
  static bool goes_on(wait_node& self) noexcept {
    return static_cast<operation_state&>(self).is_over_or_listed();
  }

  /// If the task was asked to stop, before it was listed or while it was, it now waits for two
  /// ends. Neither of these waits is interrupted.
  bool is_over_or_listed() noexcept {
    bool is_to_cancel = false;
    {
      base::lock_guard guard{lock_};
      if (ends_left_ == 0) {
        at = state::served;
        return true;
      }
      if (at == state::interrupted) {
        was_asked_to_stop_ = is_to_cancel = true;
        ++ends_left_;
      }
      waiting_.push_back(*this);
    }
    if (is_to_cancel) cancel();
    return false;
  }
  /// Emits the cancellation in a handler, so that no other handler runs meanwhile: the operation
  /// may have ended. If memory for it is refused, the operation goes on to its own end.
  void cancel() noexcept {
    try {
      asio::post(in.executor(), [this] {
#pragma push_macro("emit")  // of Qt: Asio's function is called so, too
#undef emit
        if (!is_completed_) cancels->emit(asio::cancellation_type::terminal);
#pragma pop_macro("emit")
        one_has_ended();
      });
    } catch (const std::bad_alloc&) {
      one_has_ended();
    }
  }
  void one_has_ended() noexcept {
    co::sync::served_chain served;
    {
      base::lock_guard guard{lock_};
      if (--ends_left_ == 0) served.add(waiting_.serve_first());
    }
    wake_all(served);
  }

  base::mutex lock_;
  /// The operation's end, and that of the handler that cancels it.
  unsigned ends_left_ FILCH_GUARDED_BY(lock_) = 0;
  co::sync::wait_list waiting_ FILCH_GUARDED_BY(lock_);
  bool was_asked_to_stop_ = false;
  bool is_completed_ = false;  ///< For handlers only, which run one at a time.
};

}  // namespace filch::io
