#pragma once
#include <filch/algo/plain_memory.hpp>

#include <functional>
#include <utility>

namespace filch::inline v0_2::algo {

/// Contiguous numbers: a loop over them is worth vectorizing.
template <class... It>
concept plain_numbers = (plain_memory<It> && ...) &&
                        (std::is_arithmetic_v<std::iter_value_t<It>> && ...);

/// The length of inner loops over numbers. Constant, since g++ 12 vectorizes at -O2 only loops
/// without a remainder.
inline constexpr int walk_block = 32;

/// Calls `f(*it)` for `count` elements from `it` on.
template <class It, class F>
[[gnu::always_inline]] inline void visit_each(std::uint64_t count, It it, F&& f) {
  if constexpr (plain_numbers<It>) {
    for (; count >= walk_block; count -= walk_block, it += walk_block) {
      for (int k = 0; k != walk_block; ++k) f(it[k]);
    }
  }
  for (; count != 0; --count, ++it) f(*it);
}

/// Assigns `*out = f(*in...)` for `count` elements from there on. For numbers it tells the compiler
/// that no written element is read later by another iteration. That is true if the output does not
/// overlap an input, or begins where the input begins.
template <class F, class Out, class... In>
[[gnu::always_inline]] inline void assign_each(std::uint64_t count, F&& f, Out out, In... in) {
  if constexpr (plain_numbers<Out, In...>) {
    for (; count >= walk_block; count -= walk_block, out += walk_block, ((in += walk_block), ...)) {
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC ivdep
#endif
      for (int k = 0; k != walk_block; ++k) out[k] = f(in[k]...);
    }
  }
  for (; count != 0; --count, ++out, (++in, ...)) *out = f(*in...);
}

}  // namespace filch::algo
