#pragma once
#include <utility>

namespace filch::co::sync {

/// Holds an `Of` until it is destroyed or `unlock` is called, which is `GiveUp{}(held)`. Move-only; empty where an attempt failed.
template <class Of, class GiveUp>
class [[nodiscard]] guard {
 public:
  guard() noexcept = default;
  explicit guard(Of& held) noexcept : held_{&held} {}
  guard(guard&& other) noexcept : held_{std::exchange(other.held_, nullptr)} {}
  guard& operator=(guard&& other) noexcept {
    if (this != &other) {
      unlock();
      held_ = std::exchange(other.held_, nullptr);
    }
    return *this;
  }
  ~guard() { unlock(); }

  explicit operator bool() const noexcept { return held_ != nullptr; }
  /// Gives it up now. Does nothing where it is empty.
  void unlock() noexcept {
    if (Of* const held = std::exchange(held_, nullptr)) GiveUp{}(*held);
  }
  /// What it holds, or null.
  Of* mutex() const noexcept { return held_; }

 private:
  Of* held_ = nullptr;
};

}  // namespace filch::co::sync
