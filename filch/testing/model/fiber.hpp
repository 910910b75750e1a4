#pragma once
#include <csetjmp>
#include <cstddef>
#include <memory>

namespace filch::inline v0_2::testing {

/// A stack on which one thread's part of a simulated execution runs. A run may be abandoned.
///
/// Cost:     a switch is a `_setjmp` and a `_longjmp`, without the system calls of a ucontext
///           switch; so is the begin of every run except the first.
/// Lifetime: abandoning a fiber between two switches runs no destructors; the simulated heap has
///           its allocations.
class fiber {
 public:
  using body = void (*)(void* argument);

  fiber();
  ~fiber();
  fiber(const fiber&) = delete;
  fiber& operator=(const fiber&) = delete;

  /// Prepares a new run of `run(argument)`, which must never return: its last act is to switch
  /// away.
  void prepare(body run, void* argument);
  /// Switches from `from` to this fiber; `from` goes on after a switch back to it.
  void switch_from(std::jmp_buf& from);
  /// Called on this fiber: switches to `to`, and goes on after a switch back to it.
  void pause(std::jmp_buf& to);
  std::jmp_buf& place() { return place_; }

 private:
  static constexpr std::size_t stack_bytes = std::size_t{256} << 10;
  static void enter(unsigned high, unsigned low);
  void enter_for_the_first_time();

  std::unique_ptr<std::byte[]> stack_;
  std::jmp_buf place_;   ///< Where it was left.
  std::jmp_buf bottom_;  ///< Where each run begins.
  bool has_bottom_ = false;
  body run_ = nullptr;
  void* argument_ = nullptr;
  bool has_started_ = false;
};

}  // namespace filch::testing
