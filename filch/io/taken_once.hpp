#pragma once
#include <filch/base/language.hpp>

#include <utility>

namespace filch::inline v0_2::io {

/// A pointer to what an operation begins with: null once it was taken or moved from.
template <class T>
class taken_once {
 public:
  explicit taken_once(T& at) noexcept : at_{&at} {}
  taken_once(taken_once&& other) noexcept : at_{other.take()} {}
  taken_once& operator=(taken_once&& other) noexcept {
    at_ = other.take();
    return *this;
  }
  ~taken_once() = default;
  T* get() const noexcept { return at_; }
  T* take() noexcept { return std::exchange(at_, nullptr); }

 private:
  T* at_;
};

}  // namespace filch::io
