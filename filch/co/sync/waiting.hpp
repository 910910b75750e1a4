#pragma once
#include <filch/base/mutex.hpp>
#include <filch/base/simulated_tasks.hpp>
#include <filch/co/cancelled.hpp>
#include <filch/co/promise.hpp>
#include <filch/co/run_loop.hpp>
#include <filch/co/sync/wait_list.hpp>

#include <coroutine>
#include <utility>

namespace filch::inline v0_2::co {
class thread_waiter;
}

namespace filch::inline v0_2::co::sync {

class cancellation_slot;

/// A waiter at a primitive: a coroutine that is suspended, a worker that gave its slot away, or an
/// external thread that sleeps.
class wait_node : public wait_link {
 public:
  explicit wait_node(base::mutex& lock) noexcept : lock_{&lock} {}
  /// The lock comes later, by `waits_at`.
  wait_node() noexcept = default;
  wait_node(const wait_node&) = delete;
  wait_node& operator=(const wait_node&) = delete;
  ~wait_node() { leave(); }

  /// Lets it go on after its wait has ended. Call without the lock. It may be gone on return.
  FILCH_EXPORT void wake() noexcept;
  /// True of a coroutine of another library, which `wake` resumes at once.
  bool runs_where_it_is_woken() const noexcept;
  /// Ends the wait unless it has ended. The thread that asks the task to stop calls this, then
  /// wakes `woken`.
  void interrupt(served_chain& woken) noexcept;
  /// Takes it out of the list that it may still be in.
  FILCH_EXPORT void withdraw() noexcept;
  base::mutex& lock() const noexcept { return *lock_; }
  /// A wake of this wakes `whole`. Set before it is listed; lasts until it is null again.
  void is_part_of(wait_node* whole) noexcept { whole_ = whole; }

 protected:
  /// Takes what a waiter needs before it goes on, however its wait has ended. True: it has it; else
  /// the need wakes it once more.
  using last_need = bool (*)(wait_node&) noexcept;
  void needs_at_last(last_need need) noexcept { need_ = need; }
  /// Before `is_about_to_wait`. Only for one that was made without a lock.
  void waits_at(base::mutex& lock) noexcept { lock_ = &lock; }
  /// Notes the coroutine that is about to wait. False: it must not, as the task was asked to stop.
  /// Throws: `std::bad_alloc`.
  FILCH_EXPORT bool is_about_to_wait(std::coroutine_handle<> self, promise_base* own);
  /// The coroutine that waits or is about to; null for a thread.
  std::coroutine_handle<> self() const noexcept {
    if (who_ == kind::ours) return own_->resumes;
    return std::coroutine_handle<>::from_address(who_ == kind::foreign ? foreign_ : nullptr);
  }
  /// After the wait. Afterwards no other thread knows of this. Throws: `cancelled`.
  void end_wait() {
    if (point_ != nullptr || is_foreign_ || at == state::interrupted) forget();
  }
  /// A coroutine of another library may be destroyed while it waits, ours cannot be. Call before
  /// members of the operation that others use are destroyed.
  void leave() noexcept {
    if (is_foreign_) [[unlikely]]
      withdraw();
  }
  /// The waiter with which the cancellation slot of `own` is armed.
  FILCH_EXPORT static wait_node& armed_by(sched::detached_job& own) noexcept;
  /// Makes its task ready, to be resumed by `how`. Only if `may_return`.
  void return_as(void (*how)(sched::detached_job*, sched::detached_job::fate)) noexcept {
    own_->make_ready(how);
  }
  /// Tells the worker that a job was to resume its task, in vain.
  FILCH_EXPORT static void goes_on_waiting() noexcept;
  /// Waits on this thread. `lists(*this)` lists it, or says that there is no need to wait.
  FILCH_EXPORT void block(bool (*lists)(wait_node&) noexcept) noexcept;

 private:
  FILCH_EXPORT void forget();
  /// True of a coroutine of another library, or one that such a coroutine has called.
  bool has_no_pool() const noexcept {
    return who_ == kind::foreign || (who_ == kind::ours && own_->root() == nullptr);
  }

  enum class kind : unsigned char { ours, foreign, thread };
  // First, as `wait_link` has padding left.
  /// A coroutine of another library, which waits or did until just now.
  bool is_foreign_ = false;
  kind who_ = kind::foreign;     ///< What waits, or did last.
  base::mutex* lock_ = nullptr;  ///< Of the primitive: guards the `wait_link`.
  union {
    promise_base* own_;      ///< Of a coroutine of ours, which it resumes.
    void* foreign_;          ///< The address of a coroutine of another library.
    thread_waiter* thread_;  ///< Of a thread.
  };
  cancellation_slot* point_ = nullptr;  ///< Armed.
  wait_node* whole_ = nullptr;          ///< The waiter that this is a part of.
  last_need need_ = nullptr;
};

/// After so many operations that need not wait, at an object that may never run dry, a coroutine
/// yields. The operation is done, so it is no wait: a stop request does not refuse it. A guess: so
/// many take some 30 us, and a turn in the ready queue a thousandth of that. 256 made one receiver
/// beside four senders 6 to 9 % slower.
inline constexpr unsigned operations_in_turn = 1024;

FILCH_EXPORT void wake_each(const served_chain& served) noexcept;
/// Wakes them in their order. Without the lock.
inline void wake_all(const served_chain& served) noexcept {
  if (served.first() == nullptr) return;
  served.is_of_one() ? static_cast<wait_node*>(served.first())->wake() : wake_each(served);
}

/// An operation of a primitive that may wait: a coroutine can await it, and `filch::wait` takes it.
///
/// `Operation` has `try_at_once()`, which may miss what has just come; `result()`; and `awaited()`,
/// what it waits for. Under the lock it has `try_locked(served)` and `list(served)`, which add the
/// waiters that they serve to `served`. Instead of these two it may have a `try_or_list()` of its
/// own; then `select` does not take it.
template <class Operation, class Node = wait_node>
class [[nodiscard]] waiting : public Node {
 public:
  using Node::Node;

  bool await_ready() {
    // No other thread knows of it yet. An operation that is kept may be awaited again.
    this->at = wait_link::state::fresh;
    return operation().try_at_once();
  }
  template <class Promise>
  std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> caller,
                                        base::place where = {}) {
    if (operation().try_for_others()) return yield_if_exhausted(caller, promise_of(caller));
    if (!this->is_about_to_wait(caller, promise_of(caller))) return caller;
    base::task_waits(caller.address(), operation().awaited(), where);
    return suspend(caller, &settle, this);
  }
  decltype(auto) await_resume() {
    operation().ended();
    this->end_wait();
    return operation().result();
  }
  /// Does the operation or lists itself, unless it was interrupted. True: it need not wait.
  bool try_or_list() noexcept {
    served_chain served;
    bool is_settled = true;
    {
      base::lock_guard guard{this->lock()};
      if (this->at != wait_link::state::interrupted) is_settled = settle_or_list(served);
    }
    wake_all(served);
    return is_settled;
  }
  /// True: the operation is done, and `try_at_once` only said no so that the coroutine yields.
  static bool try_for_others() noexcept { return false; }
  /// After the wait, before an interrupted one throws.
  static void ended() noexcept {}
  /// Instead of `await_suspend`: waits on this thread.
  void block() {
    if (operation().try_for_others()) return;
    const base::waiting_for why{operation().awaited()};
    Node::block(
        [](wait_node& self) noexcept { return static_cast<Operation&>(self).try_or_list(); });
  }

 private:
  Operation& operation() noexcept { return static_cast<Operation&>(*this); }
  bool settle_or_list(served_chain& served) noexcept {
    const bool is_there = operation().try_locked(served);
    is_there ? static_cast<void>(this->at = wait_link::state::served) : operation().list(served);
    return is_there;
  }
  // Once it is listed, it may be gone.
  static std::coroutine_handle<> settle(void* self) noexcept {
    waiting& mine = *static_cast<waiting*>(self);
    const std::coroutine_handle<> caller = mine.self();
    return mine.operation().try_or_list() ? caller : nullptr;
  }
};

}  // namespace filch::co::sync

namespace filch::inline v0_2 {

/// Waits on this thread for what a coroutine would `co_await`: `filch::wait(mutex.lock())`. Returns
/// what the await gives.
///
/// Cost: that of the operation if it need not wait; else a hand-over of the slot and a wake, some
/// microseconds.
/// Blocks: a worker gives its slot to a spare meanwhile, as in `blocking`. If all
/// `pool_options::max_spares` wait, no thread is left to end their wait. An external thread just
/// sleeps.
/// Threads: any. In a coroutine `co_await` is cheaper.
/// Throws:  what the operation throws, but never `co::cancelled`: a thread cannot be asked to stop.
template <class Operation, class Node>
decltype(auto) wait(co::sync::waiting<Operation, Node>&& operation) {
  if (!operation.await_ready()) operation.block();
  return operation.await_resume();
}

}  // namespace filch
