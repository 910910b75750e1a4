#pragma once
// Removal in place: `remove_if`, `unique`.
#include <filch/algo/algorithm.hpp>
#include <filch/algo/braces.hpp>
#include <filch/algo/pack_words.hpp>
#include <filch/algo/single_pass_scan.hpp>

#include <functional>

namespace filch::inline v0_2 {
namespace algo {

/// What a single-pass scan does for removal. The carry is the end of the elements that stay, where
/// the next one goes.
///
/// Beyond the front a chunk is first closed up within itself, and later moved to the end, one chunk
/// after the other: before its turn, the places there may hold elements that have not left yet.
/// `Stays` decides:
///
///   word(from, items, end)  as bits, which elements stay; `end - 1` is the last that stayed before
///                           `from`, unless `end` is `nothing_before`
///   joins(end, from)        whether the first that stayed in its chunk, at `from`, also stays
///                           behind `end - 1`
template <class It, class Stays>
class removal_kernel {
 public:
  using carry = std::uint64_t;
  struct aggregate {
    std::uint64_t from;
    std::uint64_t items;
  };
  static constexpr std::uint64_t nothing_before = 0;

  removal_kernel(It in, Stays& stays) : in_{in}, stays_{stays} {}

  std::uint64_t through(std::uint64_t from, std::uint64_t to, std::uint64_t end) {
    for_words(from, to, [&](std::uint64_t at, std::uint64_t items) {
      end = close_up(stays_.word(at, items, end), at, items, end);
    });
    return end;
  }
  aggregate ahead(std::uint64_t from, std::uint64_t to) {
    std::uint64_t end = from;
    for_words(from, to, [&](std::uint64_t at, std::uint64_t items) {
      end = close_up(stays_.word(at, items, end == from ? nothing_before : end), at, items, end);
    });
    return {from, end - from};
  }
  std::uint64_t past(std::uint64_t end, const aggregate& run) {
    if (run.items == 0) return end;
    const std::uint64_t dropped = stays_.joins(end, run.from) ? 0 : 1;
    return move_run(run.from + dropped, run.items - dropped, end);
  }

 private:
  auto at(std::uint64_t offset) const {
    return in_ + static_cast<std::iter_difference_t<It>>(offset);
  }

  /// Moves the elements of the one bits of `word` to `end`. Returns the new end.
  std::uint64_t close_up(std::uint64_t word, std::uint64_t from, std::uint64_t items,
                         std::uint64_t end) {
    if (word == low_bits(items)) return move_run(from, items, end);
    for_ones(word, from, [&](std::uint64_t one) {
      if (one != end) *at(end) = std::ranges::iter_move(at(one));
      ++end;
    });
    return end;
  }
  std::uint64_t move_run(std::uint64_t from, std::uint64_t items, std::uint64_t end) {
    if (from != end) std::ranges::move(at(from), at(from + items), at(end));
    return end + items;
  }

  const It in_;
  Stays& stays_;
};

/// Closes up [from, count); all elements before `from` stay. Returns what is left over behind the
/// new end.
template <class It, class Stays>
iterator_range<It> close_gaps(const settings& how, It in, std::uint64_t from, std::uint64_t count,
                              Stays stays) {
  removal_kernel<It, Stays> kernel{in, stays};
  const std::uint64_t end = single_pass_scan<decltype(kernel)>(how, kernel).run(from, count, from);
  return {advance(in, end), advance(in, count)};
}

template <class It, class Pred, class Proj>
struct stays_unless {
  It in;
  Pred& pred;
  Proj& proj;

  std::uint64_t word(std::uint64_t from, std::uint64_t items, std::uint64_t) {
    const auto stays = [&](std::uint64_t at) {
      return !std::invoke(pred, std::invoke(proj, in[static_cast<std::iter_difference_t<It>>(at)]));
    };
    return choose(stays, from, items);
  }
  bool joins(std::uint64_t, std::uint64_t) const noexcept { return true; }
};

template <class It, class Same, class Proj>
struct stays_if_other {
  It in;
  Same& same;
  Proj& proj;

  /// Compares the first with the last that stayed, the others with their neighbors, which no word
  /// before this one has moved.
  std::uint64_t word(std::uint64_t from, std::uint64_t items, std::uint64_t end) {
    const bool is_first_other = end == 0 || joins(end, from);
    const auto is_other = [this](std::uint64_t at) { return joins(at, at); };
    return (items == 1 ? 0 : choose(is_other, from + 1, items - 1) << 1) |
           std::uint64_t{is_first_other};
  }
  /// Whether the element at `at` differs from the one before `end`.
  bool joins(std::uint64_t end, std::uint64_t at) {
    return !std::invoke(same,
                        std::invoke(proj, in[static_cast<std::iter_difference_t<It>>(end - 1)]),
                        std::invoke(proj, in[static_cast<std::iter_difference_t<It>>(at)]));
  }
};

struct remove_if_fn : algorithm<remove_if_fn> {
  template <std::permutable It, class Pred, class Proj = std::identity>
  static iterator_range<It> run(const settings& how, It in, std::uint64_t count, Pred pred,
                                Proj proj = {}) {
    check_writable<It>();
    return close_gaps(how, in, 0, count, stays_unless<It, Pred, Proj>{in, pred, proj});
  }
};

struct unique_fn : algorithm<unique_fn> {
  template <std::permutable It, class Same = std::ranges::equal_to, class Proj = std::identity>
  static iterator_range<It> run(const settings& how, It in, std::uint64_t count, Same same = {},
                                Proj proj = {}) {
    check_writable<It>();
    return close_gaps(how, in, std::min<std::uint64_t>(count, 1), count,
                      stays_if_other<It, Same, Proj>{in, same, proj});
  }
};

}  // namespace algo

/// `remove_if([how,] range or first, last, pred[, proj])`: moves the elements for which `pred` does
/// not hold to the front, in order. Returns the rest, from the new end to the old one; its values
/// are unspecified.
///
/// Cost: work n: each element is tested once, and moved once on one worker, twice if others help.
/// Span O(n / p) on p workers for testing, and n moves of whole runs one after the other. Almost no
/// memory.
/// Throws: what `pred`, `proj` and moves throw, `stopped`. The elements that stay are then still
/// there, in order, except one that a throwing move had in hand. Between them may be elements that
/// were moved from or would be removed.
inline constexpr algo::projecting<algo::remove_if_fn> remove_if;

/// `unique([how,] range or first, last[, same[, proj]])`: keeps the first of neighbors that are the
/// same. `same` must be an equivalence, as for `std::unique`. It is called for elements that are
/// neighbors in the input or in the result, about once for each. Otherwise as `remove_if`.
inline constexpr algo::comparing<algo::unique_fn, std::ranges::equal_to> unique;

}  // namespace filch
