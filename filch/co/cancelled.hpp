#pragma once
#include <filch/base/language.hpp>

#include <exception>

namespace filch::co {

/// Thrown by an await of something that suspends, where the task was asked to stop before that
/// came: it has not happened then, and will not. Not a failure: a scope whose child ends by it is
/// not cancelled by that and does not throw it, and where nobody awaits the task nothing is told.
class cancelled : public std::exception {
 public:
  const char* what() const noexcept override {
    return "filch: the task was asked to stop while it waited";
  }
};

[[noreturn]] void throw_cancelled();

/// Whether `error` is `cancelled`, or in a task that `was_asked` to stop `stopped`, by which its
/// loops end then.
/// Cost: a throw and a catch, some microseconds.
bool is_cancellation(const std::exception_ptr& error, bool was_asked) noexcept;

}  // namespace filch::co
