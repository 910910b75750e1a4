#pragma once
// Chunks that must all be done even if one throws, because elements would be lost otherwise.
#include <filch/algo/chunks.hpp>

#include <algorithm>
#include <exception>
#include <iterator>
#include <utility>

namespace filch::inline v0_2::algo {

/// Calls `f` and returns what it threw, or null.
template <class F>
std::exception_ptr thrown_by(F&& f) noexcept {
  FILCH_TRY {
    f();
    return nullptr;
  }
  FILCH_CATCH_ALL { return fork::handled_exception(); }
}

/// Whether moving an element from one place to the other cannot throw.
template <class From, class To>
inline constexpr bool moves_quietly =
    noexcept(*std::declval<To&>() = std::ranges::iter_move(std::declval<From&>()));

/// Moves [first, last) to `out`, and returns its end there. If the move of one element throws, the
/// others are moved nevertheless.
/// Throws: what the first such move threw.
template <class It, class Out>
Out move_each(It first, It last, Out out) {
  if constexpr (moves_quietly<It, Out>) {
    return std::ranges::move(first, last, out).out;
  } else {
    std::exception_ptr thrown;
    for (; first != last; ++first, ++out) {
      std::exception_ptr now = thrown_by([&] { *out = std::ranges::iter_move(first); });
      if (!thrown) thrown = std::move(now);
    }
    if (thrown) std::rethrow_exception(std::move(thrown));
    return out;
  }
}

/// As `join_within`, but `right` runs even if `left` throws. Throws: what `left` threw, or else
/// what `right` threw.
template <class Left, class Right>
void join_both(const settings& how, Left&& left, Right&& right) {
  std::exception_ptr first, second;
  join_within(
      how, [&] { first = thrown_by(left); }, [&] { second = thrown_by(right); });
  if (!first) first = std::move(second);
  if (first) std::rethrow_exception(std::move(first));
}

/// As `for_chunks`, but all chunks are done even if one throws. Throws: what the lowest chunk
/// threw.
template <class Leaf>
void for_every_chunk(const settings& how, std::uint64_t count, Leaf&& leaf) {
  std::exception_ptr thrown;
  const auto keep = [&](std::uint64_t from, std::uint64_t to) {
    return thrown_by([&] { leaf(from, to); });
  };
  const auto first_of = [](std::exception_ptr left, std::exception_ptr right) {
    return left ? left : right;
  };
  if (count != 0) thrown = fold_chunks(how, count, keep, first_of);
  if (thrown) std::rethrow_exception(std::move(thrown));
}

}  // namespace filch::algo
