#pragma once
// What sorting knows about elements: how two compare, how one is taken out, and which may be moved
// as bare memory.
#include <filch/algo/sorting/text.hpp>

#include <concepts>
#include <functional>
#include <iterator>
#include <memory>
#include <type_traits>
#include <utility>

namespace filch::inline v0_2::algo::sorting {

/// The caller's comparison of the caller's projections. Several workers at once use both.
template <class Comp, class Proj>
class order {
 public:
  order(Comp& comp, Proj& proj) noexcept
      : comp_{std::addressof(comp)}, proj_{std::addressof(proj)} {}
  template <class A, class B>
  bool operator()(A&& a, B&& b) const {
    return compare(std::invoke(*proj_, std::forward<A>(a)),
                   std::invoke(*proj_, std::forward<B>(b)));
  }

 private:
  template <class A, class B>
  bool compare(A&& one, B&& other) const {
    if constexpr (is_less_of_text<Comp> && is_text<std::remove_cvref_t<A>> &&
                  is_text<std::remove_cvref_t<B>>) {
      return comes_before(one, other);
    } else {
      return static_cast<bool>(std::invoke(*comp_, std::forward<A>(one), std::forward<B>(other)));
    }
  }

  Comp* comp_;
  Proj* proj_;
};
template <class Comp, class Proj>
order(Comp&, Proj&) -> order<Comp, Proj>;

/// Elements so small and plain that an unneeded move is cheaper than a mispredicted branch.
template <class T>
concept plain = std::is_trivially_copyable_v<T> && std::is_copy_constructible_v<T> &&
                std::is_copy_assignable_v<T> && sizeof(T) <= 4 * sizeof(void*);

/// An iterator as the kernels take it: a pointer if elements are plain, so that kernels are
/// compiled once for all containers.
template <class It>
auto plain_iterator(It it) {
  if constexpr (std::contiguous_iterator<It> && plain<std::iter_value_t<It>>) {
    return std::to_address(it);
  } else {
    return it;
  }
}

template <class It>
inline constexpr bool is_plain = std::is_pointer_v<It>&& plain<std::iter_value_t<It>>;

/// Elements need not support a move to themselves.
template <class It>
void swap_unless_same(It a, It b) {
  if (a != b) std::ranges::iter_swap(a, b);
}

/// An element taken out of a range, and the hole that it left. An exception puts it back into the
/// hole, so that nothing is lost, unless that move throws as well.
template <class It>
class in_hand {
 public:
  using value_type = std::iter_value_t<It>;

  explicit in_hand(It from) : value_(std::ranges::iter_move(from)), hole_{from} {}
  in_hand(const in_hand&) = delete;
  in_hand& operator=(const in_hand&) = delete;
  ~in_hand() {
    if constexpr (std::is_nothrow_assignable_v<std::iter_reference_t<It>, value_type>) {
      if (!is_down_) *hole_ = std::move(value_);
    }
  }

  value_type& value() noexcept { return value_; }
  /// Fills the hole with the element at `from`, where the hole is now.
  void fill_from(It from) {
    *hole_ = std::ranges::iter_move(from);
    hole_ = from;
  }
  void put_down() {
    is_down_ = true;
    *hole_ = std::move(value_);
  }

 private:
  value_type value_;
  It hole_;
  bool is_down_ = false;
};

}  // namespace filch::algo::sorting
