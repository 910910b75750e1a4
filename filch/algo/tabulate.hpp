#pragma once
#include <filch/algo/algorithm.hpp>
#include <filch/algo/dynarray.hpp>

#include <functional>

namespace filch::inline v0_2 {
namespace algo {

struct tabulate_fn : algorithm<tabulate_fn> {
  using algorithm<tabulate_fn>::operator();

  template <settings_like How, class N, class F>
  requires std::is_arithmetic_v<N>
  auto operator()(const How& given, N count, F&& f) const {
    const settings& how = given;
    if constexpr (check_count<N>()) {
      using value = std::remove_cvref_t<std::invoke_result_t<F&, std::size_t>>;
      const auto length = count > N{0} ? static_cast<std::size_t>(count) : 0;
      return run_in(how, [&] {
        return dynarray<value>::made_by(length,
                                        [&](value* first) { construct(how, first, length, f); });
      });
    }
  }
  template <class N, class F>
  requires std::is_arithmetic_v<N>
  auto operator()(N count, F&& f) const { return (*this)(settings{}, count, std::forward<F>(f)); }

  template <std::random_access_iterator Out, class F>
  static Out run(const settings& how, Out out, std::uint64_t count, F&& f) {
    check_writable<Out>();
    for_chunks(how, count, [&](std::uint64_t from, std::uint64_t to) {
      std::size_t at = from;
      for (Out write = advance(out, from); at != to; ++at, ++write)
        *write = std::invoke(f, std::size_t{at});
    });
    return advance(out, count);
  }

 private:
  template <class T, class F>
  static void construct(const settings& how, T* first, std::uint64_t count, F& f) {
    const auto leaf = [&](std::uint64_t from, std::uint64_t to) {
      live_run<T> made(first + from);
      // The argument of `f` lives as long as the result of `f`, which may refer to it
      for (std::size_t i = from; i != to; ++i) {
        made.append(
            [&f, at = i]() mutable -> decltype(auto) { return std::invoke(f, std::move(at)); });
      }
      return made;
    };
    fold_chunks(how, count, leaf, [](auto left, auto right) {
      return live_run<T>(std::move(left).and_then(std::move(right)));
    }).give_up();
  }
};

}  // namespace algo

/// `tabulate(n, f)`: returns a `dynarray` of f(0), ..., f(n - 1). `tabulate(range, f)`: assigns
/// f(i) to element i and returns the end.
///
/// `f` is called once for each index, in any order. Elements are constructed in their final place,
/// so they need neither a default value nor a move.
///
/// Cost: work W, span O(log n) joins plus the longest call; the array is the only allocation.
/// Throws: what the lowest chunk threw; of the array nothing remains. `std::bad_alloc`.
/// Blocks, threads: as `parallel_for`.
inline constexpr algo::explained<algo::tabulate_fn> tabulate{};

}  // namespace filch
