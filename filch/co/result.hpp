#pragma once
#include <exception>
#include <type_traits>
#include <utility>
#include <variant>

namespace filch::co {

/// What a task leaves in its frame: a value, of a reference the address, or an exception.
template <class T>
class result {
 public:
  template <class U>
  requires std::is_constructible_v<T, U&&>
  void return_value(U&& value) noexcept(std::is_nothrow_constructible_v<T, U&&>) {
    kept_.template emplace<1>(std::forward<U>(value));
  }
  void fail(std::exception_ptr error) noexcept { kept_.template emplace<2>(std::move(error)); }
  /// The exception, or null.
  std::exception_ptr error() const noexcept { return kept_.index() == 2 ? *std::get_if<2>(&kept_) : nullptr; }
  /// Gives the value up. Once. Throws: the exception.
  T take() {
    if (kept_.index() == 2) std::rethrow_exception(std::move(*std::get_if<2>(&kept_)));
    return std::move(*std::get_if<1>(&kept_));
  }

 private:
  std::variant<std::monostate, T, std::exception_ptr> kept_;
};

template <class T>
class result<T&> {
 public:
  void return_value(T& value) noexcept { value_ = __builtin_addressof(value); }
  void fail(std::exception_ptr error) noexcept { error_ = std::move(error); }
  std::exception_ptr error() const noexcept { return error_; }
  T& take() {
    if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
    return *value_;
  }

 private:
  T* value_ = nullptr;
  std::exception_ptr error_;
};

template <>
class result<void> {
 public:
  void return_void() noexcept {}
  void fail(std::exception_ptr error) noexcept { error_ = std::move(error); }
  std::exception_ptr error() const noexcept { return error_; }
  void take() {
    if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
  }

 private:
  std::exception_ptr error_;
};

}  // namespace filch::co
