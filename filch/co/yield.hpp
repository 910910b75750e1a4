#pragma once
#include <filch/base/simulation.hpp>
#include <filch/co/promise.hpp>

#include <coroutine>

namespace filch::inline v0_2::co {
namespace detail {

/// What `yield` returns, to be awaited. Has a member, and so room in the frame: clang 14 crashes
/// on loops around awaits without any.
class [[nodiscard]] yielding {
 public:
  static bool await_ready() noexcept { return false; }
  template <class Promise>
  std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> caller) noexcept {
    promise_ = promise_of(caller);
    if (promise_ == nullptr) return caller;
    promise_->resumes = caller;
    return suspend(caller, &go_last, this);
  }
  static void await_resume() noexcept {}

 private:
  static std::coroutine_handle<> go_last(void* self) noexcept {
    // So that what it may wait for can happen
    if (base::simulation* const sim = base::current_simulation()) sim->pause();
    return wake(*static_cast<yielding*>(self)->promise_);
  }
  promise_base* promise_ = nullptr;
};

}  // namespace detail

/// `co_await co::yield()` lets everything else run first that is ready on this worker: the
/// coroutine goes to the end of the ready queue, and the parent that forked it resumes. If nothing
/// waits, outside of pools, and in coroutines of other libraries, it goes on at once.
/// Cost: some 17 ns if something waits, else 9.
[[nodiscard]] inline detail::yielding yield() noexcept { return {}; }

}  // namespace filch::co
