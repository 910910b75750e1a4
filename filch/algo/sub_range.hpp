#pragma once
#include <filch/base/language.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <ranges>
#include <type_traits>
#include <utility>

namespace filch::inline v0_2 {
namespace algo {

/// Integers that count, so not bool.
template <class I>
concept whole_number = std::integral<I> && !std::same_as<std::remove_cv_t<I>, bool>;

FILCH_EXPORT [[noreturn]] void throw_negative_index(std::intmax_t first);

[[noreturn]] FILCH_EXPORT void throw_index_too_large();

/// Whether an `I` can hold the number. Also for characters, which `std::in_range` refuses.
template <whole_number I, whole_number J>
constexpr bool holds(J number) noexcept {
  const I as_index = static_cast<I>(number);
  return static_cast<J>(as_index) == number && (as_index < I{}) == (number < J{});
}

/// `first` and `last` as indices of one type, which may be unsigned. Both are equal if the range is
/// inverted. Throws: `std::invalid_argument` if the type cannot hold both ends.
template <whole_number I, whole_number J, whole_number K>
constexpr std::pair<I, I> ends_as(J first, K last) {
  if constexpr (std::is_unsigned_v<I> && std::is_signed_v<J>) {
    if (first < 0) {
      if (std::is_unsigned_v<K> || static_cast<std::intmax_t>(last) > first)
        throw_negative_index(first);
      return {};
    }
  }
  if constexpr (std::is_unsigned_v<I> && std::is_signed_v<K>) {
    if (last < 0) return {};
  }
  if (!holds<I>(first) || !holds<I>(last)) throw_index_too_large();
  return {static_cast<I>(first), static_cast<I>(last)};
}

}  // namespace algo

/// A chunk of an index loop, which `parallel_for` passes to a body that takes ranges. Our own,
/// because libstdc++ 12's iota and subrange views do not compile with clang 14.
template <std::integral I>
class index_range {
 public:
  /// Counts. Enough of an iterator for a range-for and the classic algorithms.
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

  /// If `last` is below `first`, the range is empty and ends at `first`.
  constexpr index_range(I first, I last) noexcept
      : first_{first}, last_{last < first ? first : last} {}
  /// As `index_range(0, vector.size())`. Throws: `std::invalid_argument` if `I` cannot hold both
  /// ends, for one if it is unsigned and the range begins below 0.
  template <algo::whole_number J, algo::whole_number K>
  requires(!(std::same_as<J, I> && std::same_as<K, I>)) constexpr index_range(J first, K last)
      : index_range(algo::ends_as<I>(first, last)) {}
  constexpr iterator begin() const noexcept { return iterator{first_}; }
  constexpr iterator end() const noexcept { return iterator{last_}; }
  constexpr I first() const noexcept { return first_; }
  constexpr I last() const noexcept { return last_; }
  constexpr bool empty() const noexcept { return first_ == last_; }
  constexpr auto size() const noexcept {
    using count = std::make_unsigned_t<I>;  // the distance of two ints may not fit an int
    return static_cast<count>(static_cast<count>(last_) - static_cast<count>(first_));
  }

 private:
  constexpr explicit index_range(std::pair<I, I> ends) noexcept
      : index_range(ends.first, ends.second) {}

  I first_;
  I last_;
};
template <std::integral I>
index_range(I, I) -> index_range<I>;

template <algo::whole_number J, algo::whole_number K>
index_range(J, K) -> index_range<std::common_type_t<J, K>>;

/// A chunk of a loop over iterators.
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

/// The counter of a loop: an integer or a random-access iterator.
template <class I>
concept loop_index = whole_number<I> || std::random_access_iterator<I>;

/// The chunk for a body that takes ranges.
template <loop_index I>
constexpr auto make_chunk(I first, I last) {
  if constexpr (std::integral<I>) {
    return index_range<I>(first, last);
  } else {
    return iterator_range<I>(first, last);
  }
}

template <loop_index I>
using chunk_of = decltype(make_chunk(std::declval<I>(), std::declval<I>()));

/// The end of a loop: a number, perhaps of another type, or the end of a range.
template <class End, class I>
concept loop_end = (whole_number<I> && whole_number<End>) ||
                   (std::random_access_iterator<I> && std::sized_sentinel_for<End, I>);

/// The number of steps from `first` to `last`; 0 if the range is inverted.
template <class I, loop_end<I> End>
requires(!std::integral<I> || std::same_as<I, End>) constexpr std::uint64_t
    distance(I first, End last) {
  if constexpr (std::integral<I>) {
    if (!(first < last)) return 0;
    // Unsigned: the distance of two ints may not fit an int.
    return static_cast<std::make_unsigned_t<I>>(static_cast<std::make_unsigned_t<I>>(last) -
                                                static_cast<std::make_unsigned_t<I>>(first));
  } else {
    const auto steps = last - first;
    return steps > 0 ? static_cast<std::uint64_t>(steps) : 0;
  }
}

template <loop_index I>
constexpr I advance(I first, std::uint64_t steps) {
  if constexpr (std::integral<I>) {
    return static_cast<I>(static_cast<std::make_unsigned_t<I>>(first) +
                          static_cast<std::make_unsigned_t<I>>(steps));
  } else {
    return first + static_cast<std::iter_difference_t<I>>(steps);
  }
}

/// Stops the compiler if a range is not random-access or not sized.
template <bool HasRandomAccess, bool IsSized>
constexpr bool check_access() {
  static_assert(
      HasRandomAccess,
      "filch: a parallel algorithm needs random access to what it reads and writes, because it "
      "begins in many places "
      "at once: a vector instead of a list, a vector of that size instead of a back_inserter");
  static_assert(!HasRandomAccess || IsSized,
                "filch: a parallel algorithm needs a sized range, because it divides it; give it "
                "an end at a known distance, as "
                "std::views::iota(0, n) has");
  return HasRandomAccess && IsSized;
}
/// The same if a number of elements is no integer.
template <class N>
constexpr bool check_count() {
  static_assert(whole_number<N>, "filch: a number of elements is an integer");
  return whole_number<N>;
}
/// The same for a range, and for what is no range.
template <class R>
constexpr bool check_range() {
  static_assert(std::ranges::range<R>,
                "filch: a loop goes over a range, or from an index or iterator to another");
  if constexpr (std::ranges::range<R>) {
    return check_access<std::ranges::random_access_range<R>, std::ranges::sized_range<R>>();
  }
  return false;
}
/// The same for two ends.
template <class I, class End>
constexpr bool check_ends() {
  constexpr bool are_ends = (whole_number<I> && whole_number<End>) ||
                            (std::input_or_output_iterator<I> && std::sentinel_for<End, I>);
  static_assert(are_ends,
                "filch: a loop goes from an integer to an integer, or from an iterator to the end "
                "of its range; floating-point "
                "numbers, truth values and enumerations are no indices");
  if constexpr (are_ends && !std::integral<I>) {
    return check_access<std::random_access_iterator<I>, std::sized_sentinel_for<End, I>>();
  }
  return are_ends;
}

/// A body that is called for each element, with the index or with what the iterator refers to.
template <class F, class I>
concept element_body = (std::integral<I> && std::invocable<F&, I>) ||
                       (!std::integral<I> && requires(F & f, I i) { f(*i); });
template <class F, class I>
concept chunk_body = !element_body<F, I> && std::invocable<F&, chunk_of<I>>;

}  // namespace algo
}  // namespace filch

// Both hold only where they begin and end.
template <std::integral I>
inline constexpr bool std::ranges::enable_borrowed_range<filch::index_range<I>> = true;
template <std::integral I>
inline constexpr bool std::ranges::enable_view<filch::index_range<I>> = true;
template <std::random_access_iterator It>
inline constexpr bool std::ranges::enable_borrowed_range<filch::iterator_range<It>> = true;
template <std::random_access_iterator It>
inline constexpr bool std::ranges::enable_view<filch::iterator_range<It>> = true;
