#pragma once
#include <filch/algo/pieces.hpp>

#include <ranges>

namespace filch {
namespace algo {

/// One leaf of a loop: all elements of a piece, or the piece as a whole if that is what the body takes.
template <class F, loop_index I>
[[gnu::always_inline]] inline void run_piece(F& body, I first, I last) {
  if constexpr (!std::integral<I>) check_writable<I>();
  if constexpr (element_body<F, I>) {
    for (; first != last; ++first) {
      if constexpr (std::integral<I>) {
        body(first);
      } else {
        body(*first);
      }
    }
  } else {
    static_assert(piece_body<F, I>, "the body of parallel_for takes an element (index or reference) or a piece with begin() and end()");
    body(make_piece(first, last));
  }
}

template <loop_index I, class F>
void loop_over(const settings& how, I first, std::uint64_t count, F& body) {
  const auto run = [&body](I from, I to) { run_piece(body, from, to); };
  run_in(how, [&] {
    if constexpr (element_body<F, I>) {
      for_steps(how, first, count, run);
    } else {
      for_pieces(how, first, count, run);
    }
  });
}

}  // namespace algo

/// Calls `body` for every index or element of [first, last), possibly in parallel. An empty or inverted range does nothing.
///
/// `body` takes one index (integers), one element (iterators), or a piece with `begin()` and `end()`: `index_range<I>` or `iterator_range<I>`.
/// Cost:   work W, span O(log n) joins plus the longest body; about 20 ns per leaf, where leaves grow until they take microseconds. Space:
///         O(log n) stack; no allocation.
/// Blocks: as `join` does: runs only parts of this loop, so a lock may be held.
/// Throws: of the exceptions bodies throw, the one of the lowest piece; every piece has been begun and has finished or thrown.
/// Threads: any; from outside every pool it runs in `default_pool`, on the calling thread and its workers.
template <class I, algo::loop_end<I> End, class F>
void parallel_for(I first, End last, F&& body) {
  algo::loop_over({}, first, algo::distance(first, last), body);
}

/// As above, over the elements of a sized random-access range.
template <std::ranges::random_access_range R, class F>
void parallel_for(R&& range, F&& body) {
  algo::loop_over({}, std::ranges::begin(range), static_cast<std::uint64_t>(std::ranges::distance(range)), body);
}

/// As above, with options (settings.hpp). Throws also: `stopped`.
template <class I, algo::loop_end<I> End, class F>
void parallel_for(const algo::settings& how, I first, End last, F&& body) {
  algo::loop_over(how, first, algo::distance(first, last), body);
}
template <std::ranges::random_access_range R, class F>
void parallel_for(const algo::settings& how, R&& range, F&& body) {
  algo::loop_over(how, std::ranges::begin(range), static_cast<std::uint64_t>(std::ranges::distance(range)), body);
}

}  // namespace filch
