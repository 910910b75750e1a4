#pragma once
#include <filch/algo/algorithm.hpp>
#include <filch/algo/plain_memory.hpp>

#include <functional>

namespace filch {
namespace algo {

struct fill_fn : algorithm<fill_fn> {
  template <std::random_access_iterator Out, class T>
  static Out run(const settings& how, Out out, std::uint64_t count, T value) {
    check_writable<Out>();
    for_pieces(at_known_cost<Out>(how), out, count,
               [&](Out from, Out to) { std::ranges::fill(from, to, value); });
    return advance(out, count);
  }
};

struct generate_fn : algorithm<generate_fn> {
  template <std::random_access_iterator Out, class F>
  static Out run(const settings& how, Out out, std::uint64_t count, F&& f) {
    check_writable<Out>();
    for_pieces(how, out, count, [&](Out from, Out to) {
      for (; from != to; ++from) *from = std::invoke(f);
    });
    return advance(out, count);
  }
};

/// `value`, so many steps on. A step from a number is arithmetic, not counting: a float above 2^24
/// does not stand still, and an integer goes on from the least where it has been the greatest.
template <class T>
constexpr T counted_up(const T& value, std::uint64_t steps) {
  if constexpr (std::integral<T>) {
    using wide = std::common_type_t<
        T,
        std::uint64_t>;  // unsigned: adding to a signed number would be undefined beyond its range
    return static_cast<T>(static_cast<wide>(value) + static_cast<wide>(steps));
  } else if constexpr (std::is_arithmetic_v<T>) {
    return static_cast<T>(value + static_cast<T>(steps));
  } else {
    return value + static_cast<std::iter_difference_t<T>>(steps);
  }
}

struct iota_fn : algorithm<iota_fn> {
  template <std::random_access_iterator Out, class T>
  static Out run(const settings& how, Out out, std::uint64_t count, T value) {
    check_writable<Out>();
    for_pieces(at_known_cost<Out>(how), count, [&](std::uint64_t from, std::uint64_t to) {
      for (Out write = advance(out, from); from != to; ++from, ++write)
        *write = counted_up(value, from);
    });
    return advance(out, count);
  }
};

}  // namespace algo

/// `fill(range, value)`: assigns `value`, which is copied once before and so may be an element, to
/// every element. Returns the end.
///
/// Cost: work n assignments, span O(log n) joins plus a leaf; no allocation; plain memory is not
/// timed, so short ranges cost a loop.
/// Throws: what an assignment throws, that of the lowest piece; each element has the old value or
/// the new one. Blocks, threads: as `parallel_for`.
inline constexpr algo::explained<algo::fill_fn> fill{};

/// `generate(range, f)`: assigns `f()` to every element; `f` is called once for each, **in any
/// order and by several threads at once**. Where the element's place matters, `tabulate` passes it.
/// Returns the end. Otherwise as `fill`.
inline constexpr algo::explained<algo::generate_fn> generate{};

/// `iota(range, value)`: assigns value, value + 1, ...; `value` is a number or a random-access
/// iterator. An integer that would pass its greatest value goes on from the least. Returns the end.
/// Otherwise as `fill`.
inline constexpr algo::explained<algo::iota_fn> iota{};

}  // namespace filch
