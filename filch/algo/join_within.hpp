#pragma once
// A join that respects the limit on a call's threads.
#include <filch/algo/settings.hpp>
#include <filch/fork/join.hpp>

#include <type_traits>
#include <utility>

namespace filch::inline v0_2::algo {

/// A side of a join, without its type.
struct side {
  void (*run)(void* closure);
  void* closure;

  template <class F>
  static side of(F& closure) noexcept {
    return {[](void* self) { (*static_cast<F*>(self))(); },
            const_cast<std::remove_const_t<F>*>(&closure)};
  }
  void operator()() const { run(closure); }
};

/// As `filch::join` if a thread of the share is free, else one side after the other.
FILCH_EXPORT void join_in_share(share& limit, side left, side right);

/// As `filch::join`, with sides that return nothing, within the threads that `how` allows.
template <class Left, class Right>
[[gnu::always_inline]] inline void join_within(const settings& how, Left&& left, Right&& right) {
  if (share* const limit = how.limit()) [[unlikely]]
    return join_in_share(*limit, side::of(left), side::of(right));
  filch::join(std::forward<Left>(left), std::forward<Right>(right));
}

}  // namespace filch::algo
