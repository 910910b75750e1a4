#pragma once
#include <filch/base/simulated_tasks.hpp>
#include <filch/co/run_loop.hpp>

#include <utility>

namespace filch::inline v0_2::co::sync {

/// Holds an `Of` until it is destroyed or `unlock` is called: then `GiveUp{}(held)`. Move-only;
/// empty if an attempt failed.
template <class Of, class GiveUp>
class [[nodiscard]] guard {
 public:
  guard() noexcept = default;
  explicit guard(Of& held) noexcept : held_{&held} { tell(); }
  guard(guard&& other) noexcept : held_{other.let_go()} { tell(); }
  guard& operator=(guard&& other) noexcept {
    if (this != &other) {
      unlock();
      held_ = other.let_go();
      tell();
    }
    return *this;
  }
  ~guard() { unlock(); }

  explicit operator bool() const noexcept { return held_ != nullptr; }
  /// Gives it up now. Does nothing if it is empty.
  void unlock() noexcept {
    if (Of* const held = let_go()) GiveUp{}(*held);
  }
  /// What it holds, or null.
  Of* mutex() const noexcept { return held_; }

 private:
  /// Tells a simulation which task holds it.
  void tell() const noexcept {
    if constexpr (base::can_simulate) {
      if (held_ != nullptr) base::lock_is_held(this, held_, running_here());
    }
  }
  Of* let_go() noexcept {
    base::lock_is_let_go(this);
    return std::exchange(held_, nullptr);
  }

  Of* held_ = nullptr;
};

}  // namespace filch::co::sync
