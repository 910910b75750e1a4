#pragma once
#include <filch/base/stopped.hpp>

#include <exception>

namespace filch::inline v0_2::co {

/// Thrown by an await that suspends, if the task was asked to stop before what it waits for came:
/// that has not happened then, and will not. Not a failure: a child that ends by it does not cancel
/// its scope, the scope does not throw it, and without an awaiter it is not reported.
class FILCH_EXPORT cancelled : public operation_cancelled {
 public:
  const char* what() const noexcept override {
    return "filch: the task was asked to stop while it waited";
  }
};

FILCH_EXPORT [[noreturn]] void throw_cancelled();

/// Whether `error` is `cancelled`. In a task that `was_asked` to stop also `stopped`, by which its
/// loops then end.
/// Cost: a throw and a catch, some microseconds.
FILCH_EXPORT bool is_cancellation(const std::exception_ptr& error, bool was_asked) noexcept;

}  // namespace filch::co
