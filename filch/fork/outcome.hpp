#pragma once
#include <filch/base/exceptions.hpp>

#include <exception>
#include <new>
#include <type_traits>
#include <utility>
#include <variant>

namespace filch::inline v0_2::fork {

/// The value of a side in the tuple of a join: its result (of a reference, a copy of what it
/// names), or `std::monostate` for void.
template <class F>
using result_of = std::conditional_t<std::is_void_v<std::invoke_result_t<F>>, std::monostate,
                                     std::remove_cvref_t<std::invoke_result_t<F>>>;

/// Calls `f` and returns its result, or `std::monostate` if it returns nothing.
template <class F>
[[gnu::always_inline]] inline result_of<F> call(F&& f) {
  if constexpr (std::is_void_v<std::invoke_result_t<F>>) {
    std::forward<F>(f)();
    return {};
  } else {
    return std::forward<F>(f)();
  }
}

/// The exception that is being handled. For an exception of another language there is no pointer:
/// it ends the process.
inline std::exception_ptr handled_exception() noexcept {
  std::exception_ptr handled = std::current_exception();
  if (!handled) std::terminate();
  return handled;
}

/// Room for the result or the exception of a job that runs elsewhere. Costs nothing until
/// `capture`.
template <class T>
class outcome {
 public:
  outcome() noexcept {}
  ~outcome() {}
  outcome(const outcome&) = delete;
  outcome& operator=(const outcome&) = delete;

  /// Runs `f` and stores its outcome. Call once.
  template <class F>
  void capture(F&& f) noexcept {
    ::new (static_cast<void*>(&error_)) std::exception_ptr;
    FILCH_TRY { ::new (static_cast<void*>(&value_)) T(call(std::forward<F>(f))); }
    FILCH_CATCH_ALL { error_ = handled_exception(); }
  }
  /// Returns the stored result. Throws: the stored exception.
  T take() {
    const dropper last{*this};
    if (error_) std::rethrow_exception(error_);
    return std::move(value_);
  }
  /// Destroys the stored outcome.
  void drop() noexcept {
    if (!error_) value_.~T();
    error_.~exception_ptr();
  }

 private:
  struct dropper {
    outcome& self;
    ~dropper() { self.drop(); }
  };
  union {
    T value_;
  };
  union {
    std::exception_ptr error_;  ///< Null: there is a value.
  };
};

/// A job without a result: only the exception takes room.
template <>
class outcome<std::monostate> {
 public:
  outcome() noexcept {}
  ~outcome() {}
  outcome(const outcome&) = delete;
  outcome& operator=(const outcome&) = delete;

  template <class F>
  void capture(F&& f) noexcept {
    ::new (static_cast<void*>(&error_)) std::exception_ptr;
    FILCH_TRY { call(std::forward<F>(f)); }
    FILCH_CATCH_ALL { error_ = handled_exception(); }
  }
  /// Stores the exception that is being handled.
  void capture_handled() noexcept {
    ::new (static_cast<void*>(&error_)) std::exception_ptr(handled_exception());
  }
  std::monostate take() {
    const std::exception_ptr error = std::move(error_);
    drop();
    if (error) std::rethrow_exception(error);
    return {};
  }
  void drop() noexcept { error_.~exception_ptr(); }

 private:
  union {
    std::exception_ptr error_;
  };
};

}  // namespace filch::fork
