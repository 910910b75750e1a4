#pragma once
#include <filch/algo/chunks.hpp>

#include <tuple>

namespace filch::inline v0_2 {
namespace algo {

/// Whether `F` can be called with `N` arguments of this type.
template <class F, class Argument, std::size_t N>
inline constexpr bool takes = []<std::size_t... At>(std::index_sequence<At...>) {
  return std::invocable<F&, std::enable_if_t<(At < N), Argument>...>;
}
(std::make_index_sequence<N>{});

/// Calls `body` for every point of the box; the last index varies fastest.
template <std::size_t Side = 0, std::integral I, std::size_t N, class F, class... Indices>
[[gnu::always_inline]] inline void for_points(const blocked_range<I, N>& box, F& body,
                                              Indices... outer) {
  if constexpr (Side == N) {
    body(outer...);
  } else {
    for (const I each : box.sides()[Side]) for_points<Side + 1>(box, body, outer..., each);
  }
}

template <std::integral I, std::size_t N, class F>
void loop_over_box(const settings& how, const blocked_range<I, N>& box, F& body) {
  const auto leaf = [&body](const blocked_range<I, N>& chunk) {
    if constexpr (takes<F, I, N>) {
      for_points(chunk, body);
    } else {
      static_assert(takes<F, index_range<I>, N>,
                    "the body takes an index, or an index_range, for each side of the box");
      std::apply(body, chunk.sides());
    }
  };
  run_in(how, [&] { for_chunks_of(how, box, leaf); });
}

}  // namespace algo

/// Calls `body` for every point of a box in any number of dimensions, possibly in parallel.
///
/// `body` takes one index for each side, or one `index_range` for each side. With ranges it gets
/// whole blocks.
///
/// Cost: work W, span O(log(size)) joins plus the longest body. Space: O(log(size)) stack; no
/// allocation. Blocks are nearly square, and as large as their cost allows.
/// Blocks, throws, threads: as `parallel_for` over a line.
template <std::integral I, std::size_t N, class F>
void parallel_for(const blocked_range<I, N>& box, F&& body) {
  algo::loop_over_box({}, box, body);
}
/// As above, with options (`with`). Also throws `stopped`.
template <std::integral I, std::size_t N, class F>
void parallel_for(const algo::settings& how, const blocked_range<I, N>& box, F&& body) {
  algo::loop_over_box(how, box, body);
}

}  // namespace filch
