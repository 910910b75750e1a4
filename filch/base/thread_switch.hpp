#pragma once
// Lets one thread of the system run in the place of others: on their stacks, with their
// thread-local variables. A switch between simulated threads then takes no system call, and does
// not show in thread-local variables, exceptions or debuggers.

#include <filch/base/language.hpp>

#include <atomic>
#include <cstdint>

namespace filch::inline v0_2::base {

/// What a thread that does not run goes on with: its stack and its thread-local variables.
struct thread_context {
  void* stack = nullptr;
  void* locals = nullptr;
};

/// Whether `switch_threads` works: on x86-64, if Linux lets programs set the register of
/// thread-local variables (since 5.9), and without sanitizers, which follow threads themselves.
bool can_switch_threads() noexcept;

/// A thread whose stack and thread-local variables other threads use.
class lent_thread {
 public:
  /// Called by the thread, with its signals blocked: blocks until `take_back`. Until then
  /// `switch_threads` to `context` runs `run(self)`, which must not return, in its place.
  void lend(void (*run)(void*), void* self) noexcept;
  /// Call once before the first use of `context`. Yields until the thread has called `lend`.
  void await() const noexcept;
  /// Lets the thread go on, which no other thread uses any more.
  void take_back() noexcept;

  thread_context context;

 private:
  enum state : std::uint32_t { own, lent, returned };
  std::atomic<std::uint32_t> state_{own};
};

/// Keeps the state of the running thread in `from`, and goes on in `to`. Takes no system call.
void switch_threads(thread_context& from, const thread_context& to) noexcept;

}  // namespace filch::base
