#pragma once
#include <filch/algo/algorithm.hpp>
#include <filch/algo/braces.hpp>
#include <filch/algo/ranges/stream.hpp>
#include <filch/algo/walk.hpp>

#include <functional>

namespace filch::inline v0_2 {
namespace algo {

struct for_each_fn : algorithm<for_each_fn> {
  template <std::random_access_iterator It, class F, class Proj = std::identity>
  static It run(const settings& how, It first, std::uint64_t count, F&& body, Proj proj = {}) {
    check_writable<It>();
    for_short_chunks(how, count, [&](std::uint64_t from, std::uint64_t to) {
      visit_each(to - from, advance(first, from), [&](auto&& each) {
        std::invoke(body, std::invoke(proj, std::forward<decltype(each)>(each)));
      });
    });
    return advance(first, count);
  }
  template <stream S, class F>
  static void run(const settings& how, const S& from, F&& body) {
    check_references<element_of<S>>();
    for_short_chunks(how, from.positions(), [&](std::uint64_t begin, std::uint64_t end) {
      from.visit(begin, end, [&](auto&& each) {
        std::invoke(body, std::forward<decltype(each)>(each));
        return true;
      });
    });
  }
};

struct for_each_chunk_fn : algorithm<for_each_chunk_fn> {
  template <std::random_access_iterator It, class F>
  static It run(const settings& how, It first, std::uint64_t count, F&& body) {
    check_writable<It>();
    for_chunks(how, first, count,
               [&](It from, It to) { std::invoke(body, iterator_range<It>(from, to)); });
    return advance(first, count);
  }
};

}  // namespace algo

/// `for_each(range, body, proj)`: calls `body(proj(element))` once for each element, in any order,
/// possibly in parallel. Returns the end.
///
/// For a stream, `for_each(stream, body)` returns nothing. As in P3179, and unlike `std::ranges`,
/// `body` is not returned: all chunks call the one object that was passed.
///
/// Cost: work W, span O(log n) joins plus the longest body; no allocation.
/// Throws: as `parallel_for`, what the lowest chunk threw. An element whose body did not run is
/// unchanged.
/// Blocks, threads: as `parallel_for`.
inline constexpr algo::projecting<algo::for_each_fn> for_each{};

/// `for_each_chunk(range, body)`: calls `body(chunk)` with an `iterator_range` for chunks that
/// cover the range. Their length follows from the measured cost of earlier chunks, or is bounded by
/// `grain_items`. For bodies that share work between neighbors. Otherwise as `for_each`.
inline constexpr algo::explained<algo::for_each_chunk_fn> for_each_chunk{};

}  // namespace filch
