#pragma once
#include <filch/algo/algorithm.hpp>
#include <filch/algo/plain_memory.hpp>

#include <functional>

namespace filch::inline v0_2 {
namespace algo {

struct fill_fn : algorithm<fill_fn> {
  template <std::random_access_iterator Out, class T>
  static Out run(const settings& how, Out out, std::uint64_t count, T value) {
    check_writable<Out>();
    for_chunks(at_known_cost<Out>(how), out, count,
               [&](Out from, Out to) { std::ranges::fill(from, to, value); });
    return advance(out, count);
  }
};

struct generate_fn : algorithm<generate_fn> {
  template <std::random_access_iterator Out, class F>
  static Out run(const settings& how, Out out, std::uint64_t count, F&& f) {
    check_writable<Out>();
    for_chunks(how, out, count, [&](Out from, Out to) {
      for (; from != to; ++from) *from = std::invoke(f);
    });
    return advance(out, count);
  }
};

/// `value` advanced by that many steps. For a number this is one addition, not counting: a float
/// above 2^24 does not stand still, and an integer wraps from its greatest value to its least.
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
    for_chunks(at_known_cost<Out>(how), count, [&](std::uint64_t from, std::uint64_t to) {
      for (Out write = advance(out, from); from != to; ++from, ++write)
        *write = counted_up(value, from);
    });
    return advance(out, count);
  }
};

}  // namespace algo

/// `fill(range, value)`: assigns `value` to every element. Returns the end. `value` is copied once
/// beforehand, so it may be an element of the range.
///
/// Cost: work n assignments, span O(log n) joins plus a leaf; no allocation. Plain memory is not
/// timed, so a short range costs a loop.
/// Throws: what an assignment of the lowest chunk throws; each element then has its old or its new
/// value.
/// Blocks, threads: as `parallel_for`.
inline constexpr algo::explained<algo::fill_fn> fill{};

/// `generate(range, f)`: assigns `f()` to every element. Returns the end. `f` is called once for
/// each element, **in any order and by several threads at once**. If the place matters, use
/// `tabulate`, which passes it. Otherwise as `fill`.
inline constexpr algo::explained<algo::generate_fn> generate{};

/// `iota(range, value)`: assigns value, value + 1, and so on. Returns the end. `value` is a number
/// or a random-access iterator. An integer wraps from its greatest value to its least. Otherwise as
/// `fill`.
inline constexpr algo::explained<algo::iota_fn> iota{};

}  // namespace filch
