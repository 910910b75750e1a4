#pragma once
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <ranges>
#include <type_traits>

namespace filch {

/// A piece of an index loop: what `parallel_for` passes to a body that takes ranges.
/// Our own, because libstdc++ 12's iota and subrange views do not compile with clang 14.
template <std::integral I>
class index_range {
 public:
  /// Counts; enough of an iterator for a range-for and the classic algorithms.
  class iterator {
   public:
    using value_type = I;
    using difference_type = std::ptrdiff_t;
    using iterator_category = std::input_iterator_tag;
    using reference = I;
    using pointer = void;

    constexpr iterator() noexcept = default;
    constexpr explicit iterator(I at) noexcept : at_{at} {}
    constexpr I operator*() const noexcept { return at_; }
    constexpr iterator& operator++() noexcept {
      ++at_;
      return *this;
    }
    constexpr iterator operator++(int) noexcept { return iterator{at_++}; }
    friend constexpr bool operator==(iterator, iterator) noexcept = default;

   private:
    I at_{};
  };

  constexpr index_range(I first, I last) noexcept : first_{first}, last_{last} {}
  constexpr iterator begin() const noexcept { return iterator{first_}; }
  constexpr iterator end() const noexcept { return iterator{last_}; }
  constexpr I first() const noexcept { return first_; }
  constexpr I last() const noexcept { return last_; }
  constexpr bool empty() const noexcept { return first_ == last_; }
  constexpr auto size() const noexcept {
    using count = std::make_unsigned_t<I>;  // the distance of two ints need not fit an int
    return static_cast<count>(static_cast<count>(last_) - static_cast<count>(first_));
  }

 private:
  I first_;
  I last_;
};

/// A piece of a loop over iterators.
template <std::random_access_iterator It>
class iterator_range {
 public:
  constexpr iterator_range(It first, It last) : first_{first}, last_{last} {}
  constexpr It begin() const { return first_; }
  constexpr It end() const { return last_; }
  constexpr bool empty() const { return first_ == last_; }
  constexpr auto size() const { return static_cast<std::size_t>(last_ - first_); }

 private:
  It first_;
  It last_;
};

namespace algo {

/// What a loop counts with: an integer or a random-access iterator.
template <class I>
concept loop_index = (std::integral<I> && !std::same_as<I, bool>) || std::random_access_iterator<I>;

/// The piece that a body taking ranges gets.
template <loop_index I>
constexpr auto make_piece(I first, I last) {
  if constexpr (std::integral<I>) {
    return index_range<I>(first, last);
  } else {
    return iterator_range<I>(first, last);
  }
}

template <loop_index I>
using piece_of = decltype(make_piece(std::declval<I>(), std::declval<I>()));

/// What it counts up to: another one, or what ends a range that begins there.
template <class End, class I>
concept loop_end = loop_index<I> && (std::same_as<End, I> || std::sized_sentinel_for<End, I>);

/// How many steps from `first` to `last`; 0 where the range is inverted.
template <class I, loop_end<I> End>
constexpr std::uint64_t distance(I first, End last) {
  if constexpr (std::integral<I>) {
    if (!(first < last)) return 0;
    // Unsigned: the distance of two ints need not fit an int.
    return static_cast<std::make_unsigned_t<I>>(static_cast<std::make_unsigned_t<I>>(last) - static_cast<std::make_unsigned_t<I>>(first));
  } else {
    const auto steps = last - first;
    return steps > 0 ? static_cast<std::uint64_t>(steps) : 0;
  }
}

template <loop_index I>
constexpr I advance(I first, std::uint64_t steps) {
  if constexpr (std::integral<I>) {
    return static_cast<I>(static_cast<std::make_unsigned_t<I>>(first) + static_cast<std::make_unsigned_t<I>>(steps));
  } else {
    return first + static_cast<std::iter_difference_t<I>>(steps);
  }
}

/// A body called per element: with the index, or with what the iterator refers to.
template <class F, class I>
concept element_body = (std::integral<I> && std::invocable<F&, I>) ||
                       (!std::integral<I> && requires(F& f, I i) { f(*i); });
template <class F, class I>
concept piece_body = !element_body<F, I> && std::invocable<F&, piece_of<I>>;

}  // namespace algo
}  // namespace filch

// Both hold nothing but where they begin and end.
template <std::integral I>
inline constexpr bool std::ranges::enable_borrowed_range<filch::index_range<I>> = true;
template <std::integral I>
inline constexpr bool std::ranges::enable_view<filch::index_range<I>> = true;
template <std::random_access_iterator It>
inline constexpr bool std::ranges::enable_borrowed_range<filch::iterator_range<It>> = true;
template <std::random_access_iterator It>
inline constexpr bool std::ranges::enable_view<filch::iterator_range<It>> = true;
