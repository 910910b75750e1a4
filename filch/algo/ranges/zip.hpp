#pragma once
// Several ranges as one range of tuples that can be written, moved and swapped. So sorting it sorts
// all of them by one.
#include <filch/algo/ranges/places.hpp>

#include <algorithm>
#include <tuple>

namespace filch::inline v0_2 {
namespace algo {

/// The reference type of a zip: a tuple of references. Unlike `std::tuple` before C++23, a constant
/// one also assigns through its references, as a proxy reference must, unless one of these is
/// constant.
template <class... References>
class zip_reference : public std::tuple<References...> {
 public:
  using std::tuple<References...>::tuple;
  template <class... Ts>
  requires(std::is_constructible_v<References, Ts&>&&...) constexpr zip_reference(
      std::tuple<Ts...>& values)
      : std::tuple<References...>(
            std::apply([](Ts&... each) { return std::tuple<References...>(each...); }, values)) {}
  zip_reference(const zip_reference&) = default;
  zip_reference(zip_reference&&) = default;

  constexpr const zip_reference& operator=(const zip_reference& other) const
      requires(std::is_assignable_v<const References&, const References&>&&...) {
    return assign(other, all);
  }
  template <class... Ts>
  constexpr const zip_reference& operator=(const std::tuple<Ts...>& other) const
      noexcept((std::is_nothrow_assignable_v<const References&, const Ts&> &&
                ...)) requires(std::is_assignable_v<const References&, const Ts&>&&...) {
    return assign(other, all);
  }
  template <class... Ts>
  constexpr const zip_reference& operator=(std::tuple<Ts...>&& other) const
      noexcept((std::is_nothrow_assignable_v<const References&, Ts> &&
                ...)) requires(std::is_assignable_v<const References&, Ts>&&...) {
    return assign(std::move(other), all);
  }

  /// Swaps what is referred to. A call of `std::swap` by that name would copy references instead.
  friend constexpr void swap(zip_reference a, zip_reference b) requires(
      std::is_swappable_with_v<References, References>&&...) {
    a.swap_each(b, all);
  }

 private:
  static constexpr std::index_sequence_for<References...> all{};

  template <std::size_t... At>
  constexpr void swap_each(zip_reference& other, std::index_sequence<At...>) {
    using std::swap;
    (swap(std::get<At>(*this), std::get<At>(other)), ...);
  }

  template <class Tuple, std::size_t... At>
  constexpr const zip_reference& assign(Tuple&& other, std::index_sequence<At...>) const {
    ((std::get<At>(*this) = std::get<At>(std::forward<Tuple>(other))), ...);
    return *this;
  }
};

template <class... Its>
struct zip_places {
  using value = std::tuple<std::iter_value_t<Its>...>;
  using reference = zip_reference<std::iter_reference_t<Its>...>;
  using rvalue_reference = zip_reference<std::iter_rvalue_reference_t<Its>...>;

  std::tuple<Its...> firsts;

  constexpr reference operator()(std::uint64_t at) const {
    return std::apply([at](const Its&... first) { return reference(*advance(first, at)...); },
                      firsts);
  }
  constexpr rvalue_reference moved(std::uint64_t at) const {
    return std::apply(
        [at](const Its&... first) {
          return rvalue_reference(std::ranges::iter_move(advance(first, at))...);
        },
        firsts);
  }
  constexpr void swap(std::uint64_t at, const zip_places& other, std::uint64_t there) const
      requires(std::indirectly_swappable<Its>&&...) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (std::ranges::iter_swap(advance(std::get<I>(firsts), at),
                              advance(std::get<I>(other.firsts), there)),
       ...);
    }
    (std::index_sequence_for<Its...>{});
  }
};

template <class... Rs>
using zip_range = place_range<zip_places<std::ranges::iterator_t<Rs>...>>;

/// Numbers, counted from 0.
struct offset_places {
  using value = std::uint64_t;
  constexpr std::uint64_t operator()(std::uint64_t at) const noexcept { return at; }
};
using offset_iterator = place_iterator<offset_places>;

template <class... References>
inline constexpr bool shares_words<zip_reference<References...>> = (shares_words<References> ||
                                                                    ...);

}  // namespace algo

namespace views {

/// Gives a range of tuples with the elements of several ranges at each place, up to the end of the
/// shortest. It can be written if all of them can:
/// `filch::sort(views::zip(keys, values), {}, key_of)` sorts both. The ranges must outlive it.
template <class... Rs>
constexpr auto zip(Rs&&... ranges) {
  if constexpr ((algo::check_streamable<Rs>() && ...)) {
    static_assert((algo::referable<Rs> && ...),
                  "filch: views::zip refers to ranges that outlive it: give a temporary one a "
                  "name, and zip what "
                  "filch::to<std::vector> makes of a chain");
    if constexpr ((algo::referable<Rs> && ...)) {
      return algo::zip_range<Rs...>({{std::ranges::begin(ranges)...}},
                                    (std::min)({algo::count_of(ranges)...}));
    }
  }
}

}  // namespace views
}  // namespace filch

template <class... References>
struct std::tuple_size<filch::algo::zip_reference<References...>>
    : std::tuple_size<std::tuple<References...>> {};
template <std::size_t I, class... References>
struct std::tuple_element<I, filch::algo::zip_reference<References...>>
    : std::tuple_element<I, std::tuple<References...>> {};

// As for `std::tuple` from C++23 on: references to the common type of the elements.
template <class... Ts, class... Us, template <class> class QualifyT,
          template <class> class QualifyU>
requires(sizeof...(Ts) == sizeof...(Us)) &&
    (std::common_reference_with<QualifyT<Ts>, QualifyU<Us>> &&
     ...) struct std::basic_common_reference<filch::algo::zip_reference<Ts...>,
                                             filch::algo::zip_reference<Us...>, QualifyT,
                                             QualifyU> {
  using type = filch::algo::zip_reference<std::common_reference_t<QualifyT<Ts>, QualifyU<Us>>...>;
};
template <class... Ts, class... Us, template <class> class QualifyT,
          template <class> class QualifyU>
requires(sizeof...(Ts) == sizeof...(Us)) &&
    (std::common_reference_with<QualifyT<Ts>, QualifyU<Us>> &&
     ...) struct std::basic_common_reference<filch::algo::zip_reference<Ts...>, std::tuple<Us...>,
                                             QualifyT, QualifyU> {
  using type = filch::algo::zip_reference<std::common_reference_t<QualifyT<Ts>, QualifyU<Us>>...>;
};
template <class... Ts, class... Us, template <class> class QualifyT,
          template <class> class QualifyU>
requires(sizeof...(Ts) == sizeof...(Us)) &&
    (std::common_reference_with<QualifyT<Ts>, QualifyU<Us>> &&
     ...) struct std::basic_common_reference<std::tuple<Ts...>, filch::algo::zip_reference<Us...>,
                                             QualifyT, QualifyU> {
  using type = filch::algo::zip_reference<std::common_reference_t<QualifyT<Ts>, QualifyU<Us>>...>;
};
