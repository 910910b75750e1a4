#pragma once
// An element for tests: knows how many of its kind live, and throws when told to.
#include <atomic>
#include <compare>
#include <utility>

namespace filch::inline v0_2::algo {

/// Copying, assigning from an lvalue, or making one from a number counts down `steps_left`; the
/// step that finds it at 0 throws.
class fragile {
 public:
  struct broken {};

  explicit(false) fragile(int number) : number_{step(number)} { ++live; }
  fragile(const fragile& other) : number_{step(other.number_)} { ++live; }
  fragile(fragile&& other) noexcept : number_{std::exchange(other.number_, -1)} { ++live; }
  fragile& operator=(const fragile& other) {
    number_ = step(other.number_);
    return *this;
  }
  fragile& operator=(fragile&& other) noexcept {
    number_ = std::exchange(other.number_, -1);
    return *this;
  }
  ~fragile() { --live; }

  int number() const noexcept { return number_; }
  friend bool operator==(const fragile&, const fragile&) = default;
  friend auto operator<=>(const fragile&, const fragile&) = default;

  /// Calls `f` with the first step failing, then the second, and so on, until `f` gets through.
  /// `after(threw)` looks at what is left.
  template <class F, class After>
  static void at_every_step(F f, After after) {
    for (int steps = 0, threw = true; threw; ++steps) {
      steps_left = steps;
      try {
        f();
        threw = false;
      } catch (broken) {
      }
      steps_left = unbreakable;
      after(threw != 0);
    }
  }

  static inline std::atomic<int> live{0};

 private:
  static constexpr int unbreakable = 1'000'000'000;
  static inline std::atomic<int> steps_left{unbreakable};

  static int step(int number) {
    if (steps_left.fetch_sub(1) == 0) throw broken{};
    return number;
  }

  int number_;
};

}  // namespace filch::algo
