#pragma once
#include <filch/base/atomic.hpp>
#include <filch/base/mutex.hpp>
#include <filch/base/stop_token.hpp>
#include <filch/co/countdown.hpp>
#include <filch/co/spawn.hpp>
#include <filch/co/task.hpp>
#include <filch/sched/pool/with_token.hpp>

#include <coroutine>
#include <cstdint>
#include <exception>
#include <optional>
#include <utility>

namespace filch::inline v0_2::co {
namespace detail {

/// A task set: spawned tasks that are awaited together and cancelled together. `scope`, `when_all`
/// and `when_any` are made of it.
class task_set : waiter {
 public:
  /// What makes the other children unneeded, so that they are cancelled. After a failure no further
  /// child begins. With `any_end` each still begins, so that `with_timeout` tries an operation
  /// whose time is over.
  enum class over_after : unsigned char { failure, any_end };
  /// Whether a child's frame is freed at its end, or kept for its result.
  enum class frames : unsigned char { freed, kept };

  /// Throws: `std::bad_alloc`.
  FILCH_EXPORT task_set(std::stop_token outer, over_after when, frames what);
  FILCH_EXPORT ~task_set();
  task_set(const task_set&) = delete;
  task_set& operator=(const task_set&) = delete;

  /// Spawns `child` in the pool of `how`, or else in that of this thread, or in `default_pool()`.
  /// Throws: as `filch::spawn`; then the child has not begun.
  FILCH_EXPORT void adopt(promise_base& child, std::coroutine_handle<> self,
                          spawn_options how = with());
  void cancel() noexcept { stop_.request_stop(); }
  std::stop_token get_token() const noexcept { return stop_.get_token(); }
  /// The child that made the others unneeded, or null. After the wait.
  const promise_base* first() const noexcept { return first_; }
  /// When that child ended, by `base::now_ns`; only with `any_end`. After the wait.
  std::uint64_t first_end_ns() const noexcept { return first_end_ns_; }

  class [[nodiscard]] joining {
   public:
    explicit joining(task_set& all) noexcept : all_{all} {}
    joining(const joining&) = delete;
    joining& operator=(const joining&) = delete;
    // A coroutine of another library may be destroyed while it waits.
    ~joining() {
      if (me_) [[unlikely]]
        all_.take_back_parent();
    }
    static bool await_ready() noexcept { return false; }
    template <class Promise>
    std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> caller,
                                          base::place where = {}) noexcept {
      me_.emplace(caller, &all_, where);
      return suspend(caller, &wait, this);
    }
    /// Throws: the first failure, with `over_after::failure`.
    void await_resume() {
      me_.reset();
      all_.rethrow();
    }

   private:
    FILCH_EXPORT static std::coroutine_handle<> wait(void* self) noexcept;
    task_set& all_;
    std::optional<awaiting_coroutine> me_;
  };
  /// Waits until all children have ended. Once.
  joining join() noexcept { return joining{*this}; }

 private:
  static void begin_child(sched::detached_job* child, sched::detached_job::fate end);
  static std::coroutine_handle<> child_ended(waiter& self, promise_base& child) noexcept;
  bool has_failed(const promise_base& child) const noexcept;
  void look_at(promise_base& child) noexcept;
  void report_unseen() noexcept;
  bool is_left_by_exception() const noexcept;
  /// False: all children have ended, and `waits` will not be notified.
  bool wait_with(waiter& waits) noexcept;
  /// Undoes the join of a parent that no longer waits.
  FILCH_EXPORT void take_back_parent() noexcept;
  FILCH_EXPORT void rethrow();

  struct cancelling {
    std::stop_source& stops;
    void operator()() const noexcept { stops.request_stop(); }
  };

  countdown left_;
  waiter* parent_ = nullptr;  ///< Writer: the parent, before it counts down. Reader: the last.
  std::stop_source stop_;
  const over_after when_;
  const frames frames_;
  /// Writer: the first child that failed. Readers: children before they begin.
  base::atomic<bool> has_failed_{false};
  base::mutex lock_;
  /// Writers: children, under `lock_`. Readers: the parent, after its wait.
  const promise_base* first_ = nullptr;
  std::uint64_t first_end_ns_ = 0;  ///< As `first_`.
  std::exception_ptr error_ FILCH_GUARDED_BY(lock_);
  /// The handler of the pool in which `error_` was thrown.
  void (*on_unseen_)(std::exception_ptr) noexcept FILCH_GUARDED_BY(lock_) = nullptr;
  /// The first failure is `pool_stopped`, of a child that had not begun.
  bool was_discarded_ FILCH_GUARDED_BY(lock_) = false;
  /// Of the constructing thread. A plain function stays on it.
  const int exceptions_before_ = std::uncaught_exceptions();
  base::stop_callback<cancelling> outer_;
};

}  // namespace detail

/// A nursery: tasks that begin in it and end before it does. `co_await nursery.join()` waits for
/// all of them.
///
/// The first child that throws cancels the others, and children that have not begun never do.
/// `join` throws that exception once all have ended, and drops later ones. After `cancel` children
/// still begin, and see that they are to stop. Children may spawn further children.
///
/// A scope that is left without `join` cancels its children and waits for them in its destructor.
/// A child's exception then goes to `pool_options::on_escaped_exception`, unless an exception
/// leaves the scope. The same happens if a coroutine of another library is destroyed during its
/// join. Once the last child has ended and is about to resume it, that ends the process with a
/// message.
/// Blocks:  only the destructor without `join`: the thread gives its slot away and sleeps.
/// Threads: `spawn` by the coroutine or function that made the scope before it joins, and by its
///          children; `cancel` by any.
/// Throws:  the constructor `std::bad_alloc`; `spawn` as `filch::spawn`.
/// Lifetime: outlives its children. What they refer to must live as long: declare it before the
///          scope.
class scope {
 public:
  /// Is cancelled with `outer`, too: pass `co_await co::get_stop_token()` to be cancelled with the
  /// surrounding task.
  explicit scope(std::stop_token outer = {})
      : children_{std::move(outer), detail::task_set::over_after::failure,
                  detail::task_set::frames::freed} {}
  /// The same with options: `scope nursery{with(pool, token)}` begins its children in `pool`, which
  /// outlives it.
  template <sched::given_options How>
  explicit scope(const How& how) : scope{token_of(how)} {
    pool_ = how.pool;
  }

  /// Begins `child` on a worker of the scope's pool, and returns at once. Without one, the pool is
  /// that of the calling thread, or else `default_pool()`.
  template <class T>
  void spawn(task<T> child) {
    begin(with(), child);
  }
  /// The same with options: `spawn(with(pool, priority::high), t)`. A pool goes before that of the
  /// scope.
  template <class T>
  void spawn(detail::spawn_options how, task<T> child) {
    begin(how, child);
  }
  /// As it was called in 0.1.
  template <class T>
  [[deprecated("use spawn(with(priority), task)")]] void spawn(task<T> child, priority urgency) {
    begin(with(urgency), child);
  }
  /// Asks all present and future children to stop.
  void cancel() noexcept { children_.cancel(); }
  /// The token that the children see.
  std::stop_token get_token() const noexcept { return children_.get_token(); }
  /// Awaitable: waits until all children have ended. Once, and last. Throws: what the first failed
  /// child threw.
  auto join() noexcept { return children_.join(); }

 private:
  template <class T>
  void begin(detail::spawn_options how, task<T>& child) {
    const std::coroutine_handle<promise<T>> frame = detail::task_access::frame_of(child);
    if (how.pool == nullptr) how.pool = pool_;
    children_.adopt(frame.promise(), frame, how);
    detail::task_access::release(child);
  }
  template <class How>
  static std::stop_token token_of(const How& how) {
    if constexpr (sched::check_options<sched::a_pool | sched::a_stop_token, How>() &&
                  (How::holds & sched::a_stop_token) != 0)
      return how.token;
    else
      return {};
  }

  detail::task_set children_;
  thread_pool* pool_ = nullptr;
};

}  // namespace filch::co
