#pragma once
#include <filch/algo/ranges/stream.hpp>
#include <filch/algo/ranges/zip.hpp>

#include <functional>

namespace filch::inline v0_2 {
namespace algo {

template <stream S, class F>
class transform_stream : public stream_base {
 public:
  static constexpr bool is_one_each = S::is_one_each;
  using element = std::invoke_result_t<const F&, element_of<S>>;
  using value = std::remove_cvref_t<element>;

  constexpr transform_stream(S base, F f) : base_{std::move(base)}, f_{std::move(f)} {}
  constexpr std::uint64_t positions() const { return base_.positions(); }
  template <class Sink>
  constexpr bool visit(std::uint64_t from, std::uint64_t to, Sink&& sink) const {
    return base_.visit(from, to, [&](auto&& each) {
      return sink(std::invoke(f_, std::forward<decltype(each)>(each)));
    });
  }

 private:
  S base_;
  F f_;
};

template <stream S, class P>
class filter_stream : public stream_base {
 public:
  using element = element_of<S>;
  using value = stream_value<S>;

  constexpr filter_stream(S base, P predicate)
      : base_{std::move(base)}, predicate_{std::move(predicate)} {}
  constexpr std::uint64_t positions() const { return base_.positions(); }
  template <class Sink>
  constexpr bool visit(std::uint64_t from, std::uint64_t to, Sink&& sink) const {
    return base_.visit(from, to, [&](auto&& each) {
      return !std::invoke(predicate_, std::as_const(each)) ||
             sink(std::forward<decltype(each)>(each));
    });
  }

 private:
  S base_;
  P predicate_;
};

template <stream S, class F>
class flat_map_stream : public stream_base {
  using inner = std::invoke_result_t<const F&, element_of<S>>;

 public:
  using element = std::ranges::range_reference_t<inner>;
  using value = std::ranges::range_value_t<inner>;

  constexpr flat_map_stream(S base, F f) : base_{std::move(base)}, f_{std::move(f)} {}
  constexpr std::uint64_t positions() const { return base_.positions(); }
  template <class Sink>
  constexpr bool visit(std::uint64_t from, std::uint64_t to, Sink&& sink) const {
    return base_.visit(from, to, [&](auto&& each) {
      for (auto&& item : std::invoke(f_, std::forward<decltype(each)>(each))) {
        if (!sink(std::forward<decltype(item)>(item))) return false;
      }
      return true;
    });
  }

 private:
  S base_;
  F f_;
};

/// The elements of a chain with their offsets.
template <stream S>
class enumerate_stream : public stream_base {
 public:
  static_assert(S::is_one_each,
                "filch: views::enumerate numbers places, and what a filter or a flat_map leaves "
                "has none until it is counted: "
                "enumerate before it, or what filch::to<std::vector> makes of the chain");
  static constexpr bool is_one_each = true;
  using element = zip_reference<std::uint64_t, element_of<S>>;
  using value = std::tuple<std::uint64_t, stream_value<S>>;

  constexpr explicit enumerate_stream(S base) : base_{std::move(base)} {}
  constexpr std::uint64_t positions() const { return base_.positions(); }
  template <class Sink>
  constexpr bool visit(std::uint64_t from, std::uint64_t to, Sink&& sink) const {
    return base_.visit(from, to, [&](auto&& each) {
      return sink(element(from++, std::forward<decltype(each)>(each)));
    });
  }

 private:
  S base_;
};

struct enumerate_fn {
  template <said_to_be_streamable R>
  constexpr auto operator()(R&& range) const {
    if constexpr (!check_streamable<R>()) {
    } else if constexpr (referable<R>) {
      using places = zip_places<offset_iterator, std::ranges::iterator_t<R>>;
      return place_range<places>({{offset_iterator(), std::ranges::begin(range)}}, count_of(range));
    } else {
      using chain = decltype(as_stream(std::forward<R>(range)));
      return enumerate_stream<chain>(as_stream(std::forward<R>(range)));
    }
  }
  template <said_to_be_streamable S>
  friend constexpr auto operator|(S&& left, const enumerate_fn& right) {
    return right(std::forward<S>(left));
  }
};

template <class It>
struct chunk_places {
  using value = iterator_range<It>;

  It first{};
  std::uint64_t count = 0;
  std::uint64_t length = 1;

  constexpr value operator()(std::uint64_t at) const {
    const std::uint64_t begin = at * length;
    return {advance(first, begin), advance(first, begin + (std::min)(length, count - begin))};
  }
};

struct chunk_fn {
  /// `range | chunk(length)`.
  struct closure {
    std::uint64_t length;

    template <said_to_be_streamable S>
    friend constexpr auto operator|(S&& left, const closure& right) {
      return chunk_fn{}(std::forward<S>(left), right.length);
    }
  };

  template <said_to_be_streamable R>
  constexpr auto operator()(R&& range, std::uint64_t length) const {
    if constexpr (check_streamable<R>()) {
      static_assert(referable<R>,
                    "filch: views::chunk cuts a range that outlives it: give a temporary one a "
                    "name, and chunk what "
                    "filch::to<std::vector> makes of a chain");
      if constexpr (referable<R>) {
        using places = chunk_places<std::ranges::iterator_t<R>>;
        length = std::max<std::uint64_t>(length, 1);
        const std::uint64_t count = count_of(range);
        return place_range<places>({std::ranges::begin(range), count, length},
                                   count / length + (count % length != 0));
      }
    }
  }
  constexpr closure operator()(std::uint64_t length) const { return {length}; }
};

}  // namespace algo

/// Views for parallel algorithms. A chain of them is one pass over its source. The left side of `|`
/// is a sized random-access range or a chain. Several workers at once call the functions, as const;
/// elements keep their order.
namespace views {

/// Gives `f(element)` in place of each element. `std::views::transform` does the same and leaves a
/// range, which can be sorted or cut.
template <class F>
constexpr auto transform(F f) {
  return algo::view_closure{[made = std::move(f)]<class S>(S base) {
    return algo::transform_stream<S, F>(std::move(base), made);
  }};
}
/// Gives the elements for which `predicate` holds.
template <class P>
constexpr auto filter(P predicate) {
  return algo::view_closure{[passes = std::move(predicate)]<class S>(S base) {
    return algo::filter_stream<S, P>(std::move(base), passes);
  }};
}
/// Gives the elements of the range that `f` makes of each element.
template <class F>
constexpr auto flat_map(F f) {
  return algo::view_closure{[made = std::move(f)]<class S>(S base) {
    return algo::flat_map_stream<S, F>(std::move(base), made);
  }};
}

/// Gives each element with its offset, a `std::uint64_t`, before it: `range | enumerate` or
/// `enumerate(range)`. For a range that outlives it this is a range; for a temporary range or a
/// chain it is a chain. After a filter elements have no offsets: the compiler refuses it.
inline constexpr algo::enumerate_fn enumerate{};

/// Gives a range of chunks of `length` neighbors (0 counts as 1); the last one may be shorter.
/// `range | chunk(length)` or `chunk(range, length)`. The range must outlive it.
inline constexpr algo::chunk_fn chunk{};

}  // namespace views
}  // namespace filch
