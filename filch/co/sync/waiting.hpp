#pragma once
#include <filch/base/mutex.hpp>
#include <filch/base/simulated_tasks.hpp>
#include <filch/co/cancelled.hpp>
#include <filch/co/promise.hpp>
#include <filch/co/run_loop.hpp>
#include <filch/co/sync/wait_list.hpp>

#include <coroutine>
#include <utility>

namespace filch::co {
class thread_waiter;
}

namespace filch::co::sync {

class cancellation_slot;

/// Whoever waits at a primitive: a coroutine that is suspended, a worker that gave its slot away,
/// or a thread outside that sleeps.
class wait_node : public wait_link {
 public:
  explicit wait_node(base::mutex& lock) noexcept : lock_{&lock} {}
  /// Says where it waits later, by `waits_at`.
  wait_node() noexcept = default;
  wait_node(const wait_node&) = delete;
  wait_node& operator=(const wait_node&) = delete;
  ~wait_node() { leave(); }

  /// What it waited for has come, or never will. Without the lock. It may be gone on return.
  void wake() noexcept;
  /// A coroutine of another library, which `wake` resumes at once.
  bool runs_where_it_is_woken() const noexcept;
  /// Ends the wait unless it has ended. By who asks the task to stop, who then wakes `woken`.
  void interrupt(served_chain& woken) noexcept;
  /// Takes it out of the list that it may still be in.
  void withdraw() noexcept;
  base::mutex& lock() const noexcept { return *lock_; }
  /// Whoever wakes this, wakes `whole`. Before it is listed; until it is null again.
  void is_part_of(wait_node* whole) noexcept { whole_ = whole; }

 protected:
  /// What a waiter needs before it goes on, however its wait has ended. True: it has it; else this
  /// wakes it once more.
  using last_need = bool (*)(wait_node&) noexcept;
  void needs_at_last(last_need need) noexcept { need_ = need; }
  /// Before `is_about_to_wait`. Only of one that was made without a lock.
  void waits_at(base::mutex& lock) noexcept { lock_ = &lock; }
  /// Notes who is about to wait. False: it is not to, as the task was asked to stop. Throws:
  /// `std::bad_alloc`.
  bool is_about_to_wait(std::coroutine_handle<> self, promise_base* own);
  /// The coroutine that waits or is about to; null where it is a thread.
  std::coroutine_handle<> self() const noexcept {
    if (who_ == kind::ours) return own_->resumes;
    return std::coroutine_handle<>::from_address(who_ == kind::foreign ? foreign_ : nullptr);
  }
  /// After the wait: nobody else knows of this any more. Throws: `cancelled`.
  void end_wait() {
    if (point_ != nullptr || is_foreign_ || at == stage::interrupted) forget();
  }
  /// A coroutine of another library may be destroyed while it waits, ours cannot be. What others
  /// use of an operation must still be there.
  void leave() noexcept {
    if (is_foreign_) [[unlikely]]
      withdraw();
  }
  /// What `own` waits at, by which it can be asked to stop.
  static wait_node& armed_by(sched::detached_job& own) noexcept;
  /// Its task is resumed by `how`. Of one that may return.
  void return_as(void (*how)(sched::detached_job*, sched::detached_job::fate)) noexcept {
    own_->make_ready(how);
  }
  /// Of a job that was to let its task go on, in vain.
  static void goes_on_waiting() noexcept;
  /// Waits on this thread. `lists(*this)` lists it, or says that there is no need to wait.
  void block(bool (*lists)(wait_node&) noexcept) noexcept;

 private:
  void forget();
  /// A coroutine of another library, or one that such a one has called.
  bool has_no_pool() const noexcept {
    return who_ == kind::foreign || (who_ == kind::ours && own_->root() == nullptr);
  }

  enum class kind : unsigned char { ours, foreign, thread };
  // First, where the link leaves room.
  /// A coroutine of another library, which waits or did until just now.
  bool is_foreign_ = false;
  kind who_ = kind::foreign;     ///< Who waits, or did last.
  base::mutex* lock_ = nullptr;  ///< Of the primitive: guards what it is as a `wait_link`.
  union {
    promise_base* own_;      ///< Of a coroutine of ours, which it resumes.
    void* foreign_;          ///< The address of another library's.
    thread_waiter* thread_;  ///< Of a thread.
  };
  cancellation_slot* point_ = nullptr;  ///< Armed.
  wait_node* whole_ = nullptr;          ///< Whose wait this is a part of.
  last_need need_ = nullptr;
};

/// How often a coroutine finds at once what it waits for, at an object that may never run dry,
/// until others get their turn. A guess: so many take some 30 us, and a turn in the ready queue a
/// thousandth of that.
inline constexpr unsigned operations_in_turn = 1024;

void wake_each(const served_chain& served) noexcept;
/// Wakes them in their order. Without the lock.
inline void wake_all(const served_chain& served) noexcept {
  if (served.first() == nullptr) return;
  served.is_of_one() ? static_cast<wait_node*>(served.first())->wake() : wake_each(served);
}

/// What the operations of the primitives have in common that may wait: each can be awaited by a
/// coroutine and handed to `filch::wait`.
///
/// `Operation` says how it is done: `try_at_once()`, which may miss what has just come; under the
/// lock `try_locked(served)`, which adds whom it serves itself, and `list(served)`, which may, too;
/// `result()`; and `awaited()`, what it waits for. Instead of the two it may have a `try_or_list()`
/// of its own; then `select` does not take it.
template <class Operation, class Node = wait_node>
class [[nodiscard]] waiting : public Node {
 public:
  using Node::Node;

  bool await_ready() {
    // Nobody knows of it yet: an operation that is kept may be awaited again
    this->at = wait_link::stage::fresh;
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
  /// Does it, or lists itself, unless it was interrupted. True: it need not wait.
  bool try_or_list() noexcept {
    served_chain served;
    bool is_settled = true;
    {
      base::lock_guard guard{this->lock()};
      if (this->at != wait_link::stage::interrupted) is_settled = settle_or_list(served);
    }
    wake_all(served);
    return is_settled;
  }
  /// Whether it is done, though `try_at_once` said no, and only so that others get their turn.
  static bool try_for_others() noexcept { return false; }
  /// After the wait, before it throws that it was interrupted.
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
    is_there ? static_cast<void>(this->at = wait_link::stage::served) : operation().list(served);
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

namespace filch {

/// Waits on this thread for what a coroutine would `co_await`: `filch::wait(mutex.lock())`. Returns
/// what the await gives.
///
/// Cost: where nothing is to be waited for, that of the operation; else a hand-over of the slot and
/// a wake, some microseconds.
/// Blocks: a worker gives its slot away meanwhile, as in `blocking`; a thread outside of pools just
/// sleeps.
/// Threads: any. In a coroutine `co_await` is cheaper.
/// Throws:  what the operation throws, but never `co::cancelled`: nobody can ask a thread to stop.
template <class Operation, class Node>
decltype(auto) wait(co::sync::waiting<Operation, Node>&& operation) {
  if (!operation.await_ready()) operation.block();
  return operation.await_resume();
}

}  // namespace filch
