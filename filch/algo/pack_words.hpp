#pragma once
// Selects elements without a branch for each: 64 choices in a word, then a walk over its one bits.
#include <filch/algo/settings.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <functional>
#include <iterator>

namespace filch::inline v0_2::algo {

inline constexpr std::uint64_t word_items = 64;

/// The first `items` bits, at most 64.
constexpr std::uint64_t low_bits(std::uint64_t items) noexcept {
  return items == word_items ? ~std::uint64_t{0} : (std::uint64_t{1} << items) - 1;
}

/// Bit i is `is_chosen(from + i)`. If choices have no pattern, a branch would be mispredicted,
/// which costs as much as a dozen elements.
template <class Choice>
[[gnu::always_inline]] inline std::uint64_t choose(Choice& is_chosen, std::uint64_t from,
                                                   std::uint64_t items) {
  const auto bit = [&](std::uint64_t i, unsigned place) {
    return std::uint64_t{static_cast<bool>(is_chosen(from + i))} << place;
  };
  std::uint64_t word = 0, i = 0;
  for (; i + 4 <= items; i += 4) {
    std::uint64_t four = bit(i, 0);
    four |= bit(i + 1, 1);
    four |= bit(i + 2, 2);
    four |= bit(i + 3, 3);
    word |= four << i;
  }
  for (; i != items; ++i) word |= bit(i, 0) << i;
  return word;
}

/// Calls `visit(from + i)` for each bit i of `word` that is one, from the lowest.
template <class Visit>
[[gnu::always_inline]] inline void for_ones(std::uint64_t word, std::uint64_t from, Visit visit) {
  for (; word != 0; word &= word - 1)
    visit(from + static_cast<std::uint64_t>(std::countr_zero(word)));
}

/// Calls `visit(from, items)` for one word after the other of [from, to).
template <class Visit>
[[gnu::always_inline]] inline void for_words(std::uint64_t from, std::uint64_t to, Visit visit) {
  for (; from != to;) {
    const std::uint64_t items = (std::min)(word_items, to - from);
    visit(from, items);
    from += items;
  }
}

/// Whether the predicate holds for what `proj` makes of an element.
template <class In, class Pred, class Proj>
auto choice_by(In in, Pred& pred, Proj& proj) {
  return [in, &pred, &proj](std::uint64_t at) -> bool {
    return std::invoke(pred, std::invoke(proj, in[static_cast<std::iter_difference_t<In>>(at)]));
  };
}

}  // namespace filch::algo
