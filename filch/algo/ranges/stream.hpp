#pragma once
#include <filch/algo/algorithm.hpp>

#include <concepts>
#include <memory>
#include <type_traits>
#include <utility>

namespace filch::inline v0_2::algo {

// A stream has an `element`, which passes by, and a `value`, in which an element is kept.
// `positions()` places give none, one or many elements each. `visit(from, to, sink)` passes the
// elements of the places [from, to) to `sink` in order, as long as `sink` returns true, and returns
// whether it got to the end. Several threads may visit different places at once. So a whole chain
// of views is one loop over its source, and nothing is stored between its links.

/// A range as a stream of its elements. Refers to a range with a name, and owns a temporary one.
template <class R>
class source_stream : public stream_base {
  using seen =
      std::conditional_t<std::is_lvalue_reference_v<R>, std::remove_reference_t<R>, const R>;

 public:
  static constexpr bool is_one_each = true;
  using element = std::ranges::range_reference_t<seen>;
  using value = std::ranges::range_value_t<seen>;

  constexpr explicit source_stream(R&& range) : range_{keep(std::forward<R>(range))} {}

  constexpr std::uint64_t positions() const { return count_of(range()); }
  template <class Sink>
  constexpr bool visit(std::uint64_t from, std::uint64_t to, Sink&& sink) const {
    auto at = advance(std::ranges::begin(range()), from);
    for (; from != to; ++from, ++at) {
      if (!sink(*at)) return false;
    }
    return true;
  }

 private:
  using kept = std::conditional_t<std::is_lvalue_reference_v<R>, std::remove_reference_t<R>*, R>;

  static constexpr kept keep(R&& range) {
    if constexpr (std::is_lvalue_reference_v<R>) {
      return std::addressof(range);
    } else {
      return std::move(range);
    }
  }
  constexpr auto& range() const {
    if constexpr (std::is_lvalue_reference_v<R>) {
      return *range_;
    } else {
      return range_;
    }
  }
  kept range_;
};

/// The left side of a view as a stream: a stream passes through, a range becomes one.
template <class S>
requires stream<S>
constexpr std::remove_cvref_t<S> as_stream(S&& s) { return std::forward<S>(s); }
template <input_range R>
constexpr source_stream<R> as_stream(R&& range) {
  return source_stream<R>(std::forward<R>(range));
}

template <stream S>
using element_of = typename std::remove_cvref_t<S>::element;

/// The right side of `range | views::something(...)`.
template <class Make>
struct view_closure {
  Make make;

  template <said_to_be_streamable S>
  friend constexpr auto operator|(S&& left, const view_closure& right) {
    if constexpr (check_streamable<S>()) return right.make(as_stream(std::forward<S>(left)));
  }
};
template <class Make>
view_closure(Make) -> view_closure<Make>;

}  // namespace filch::algo
