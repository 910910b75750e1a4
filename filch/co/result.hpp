#pragma once
#include <filch/base/panic.hpp>

#include <optional>
#include <type_traits>
#include <utility>

namespace filch::inline v0_2::co {

/// What a task leaves in its frame when it returns: a value, or the address of a reference.
template <class T>
class result {
 public:
  template <class U>
  requires std::is_constructible_v<T, U&&>
  void return_value(U&& value) noexcept(std::is_nothrow_constructible_v<T, U&&>) {
    value_.emplace(std::forward<U>(value));
  }
  T take() {
    FILCH_ASSERT(value_.has_value(),
                 "a result is taken from the handle that has it, not from one that was moved away",
                 this);
    return std::move(*value_);
  }

 private:
  std::optional<T> value_;
};

template <class T>
class result<T&> : result<T*> {
 public:
  void return_value(T& value) noexcept { result<T*>::return_value(__builtin_addressof(value)); }
  T& take() { return *result<T*>::take(); }
};

template <>
class result<void> {
 public:
  void return_void() noexcept {}
  void take() noexcept {}
};

}  // namespace filch::co
