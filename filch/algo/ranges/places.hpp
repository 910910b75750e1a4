#pragma once
#include <filch/algo/algorithm.hpp>

#include <compare>

namespace filch::inline v0_2::algo {

/// A range that a view can refer to: it has a name, or its iterators outlive it.
template <class R>
concept referable = input_range<R> && std::ranges::borrowed_range<R>;

/// An iterator whose element at an offset is `places(at)`; copies of it are a `Places::value`. If
/// elements lie elsewhere, `places.moved(at)` moves one and
/// `places.swap(at, other places, at there)` swaps two.
template <class Places>
class place_iterator {
 public:
  using iterator_concept = std::random_access_iterator_tag;
  // For the classic algorithms, which require true references in all other categories
  using iterator_category = std::input_iterator_tag;
  using value_type = typename Places::value;
  using difference_type = std::ptrdiff_t;

  constexpr place_iterator() = default;
  constexpr place_iterator(Places places, std::uint64_t at) : places_{std::move(places)}, at_{at} {}

  constexpr auto operator*() const { return places_(at_); }
  constexpr auto operator[](difference_type steps) const { return places_(moved_by(steps)); }
  constexpr place_iterator& operator+=(difference_type steps) {
    at_ = moved_by(steps);
    return *this;
  }
  constexpr place_iterator& operator-=(difference_type steps) { return *this += -steps; }
  constexpr place_iterator& operator++() { return *this += 1; }
  constexpr place_iterator& operator--() { return *this -= 1; }
  constexpr place_iterator operator++(int) { return std::exchange(*this, *this + 1); }
  constexpr place_iterator operator--(int) { return std::exchange(*this, *this - 1); }

  friend constexpr place_iterator operator+(place_iterator it, difference_type steps) {
    return it += steps;
  }
  friend constexpr place_iterator operator+(difference_type steps, place_iterator it) {
    return it += steps;
  }
  friend constexpr place_iterator operator-(place_iterator it, difference_type steps) {
    return it -= steps;
  }
  friend constexpr difference_type operator-(const place_iterator& a,
                                             const place_iterator& b) noexcept {
    return static_cast<difference_type>(a.at_ - b.at_);
  }
  friend constexpr bool operator==(const place_iterator& a, const place_iterator& b) noexcept {
    return a.at_ == b.at_;
  }
  friend constexpr auto operator<=>(const place_iterator& a, const place_iterator& b) noexcept {
    return a.at_ <=> b.at_;
  }

  friend constexpr auto iter_move(const place_iterator& it) {
    if constexpr (requires { it.places_.moved(it.at_); }) {
      return it.places_.moved(it.at_);
    } else {
      return *it;
    }
  }
  friend constexpr void iter_swap(const place_iterator& a, const place_iterator& b) requires
      requires(const Places& places) {
    places.swap(std::uint64_t{0}, places, std::uint64_t{0});
  }
  { a.places_.swap(a.at_, b.places_, b.at_); }

 private:
  constexpr std::uint64_t moved_by(difference_type steps) const noexcept {
    return at_ + static_cast<std::uint64_t>(steps);
  }

  Places places_{};
  std::uint64_t at_ = 0;
};

/// The first `size()` of these places. Refers to other ranges, which must outlive it and its
/// iterators.
template <class Places>
class place_range {
 public:
  constexpr place_range(Places places, std::uint64_t count)
      : places_{std::move(places)}, count_{count} {}

  constexpr place_iterator<Places> begin() const { return {places_, 0}; }
  constexpr place_iterator<Places> end() const { return {places_, count_}; }
  constexpr std::uint64_t size() const noexcept { return count_; }
  constexpr bool empty() const noexcept { return count_ == 0; }
  constexpr auto operator[](std::uint64_t at) const { return places_(at); }

 private:
  Places places_;
  std::uint64_t count_;
};

}  // namespace filch::algo

template <class Places>
inline constexpr bool std::ranges::enable_borrowed_range<filch::algo::place_range<Places>> = true;
template <class Places>
inline constexpr bool std::ranges::enable_view<filch::algo::place_range<Places>> = true;
