#pragma once
// What `{}` stands for if an algorithm takes a comparison and projections, as in
// `sort(range, {}, {})`.
#include <filch/algo/algorithm.hpp>

#include <tuple>

namespace filch::inline v0_2::algo {

/// The type of an argument `{}`. Braces have no type, so the compiler takes the parameter's
/// default.
struct braces {};
template <class... Args>
concept some_braces = (std::same_as<Args, braces> || ...);

/// Whether `X` behind `Before` says what an algorithm reads or writes: a range, the end of one, a
/// number of elements, or options. Otherwise `X` is a function, or braces.
template <class Before, class X>
concept a_place = std::ranges::range<X> || stream<X> || std::input_or_output_iterator<X> ||
    std::integral<X> || settings_like<X> || end_of<X, Before>;

/// An algorithm that takes `{}` for a projection. If it has a comparison `Usual`, `{}` right after
/// the last range or output stands for that.
///
/// There is one overload for each number of arguments, because only a parameter of its own can have
/// a default type.
template <class Outside, class Usual = void>
struct projecting : explained<Outside> {
  using explained<Outside>::operator();

  template <class A, class B = braces>
  requires some_braces<B>
  auto operator()(A&& a, B&& b) const { return call<A, B>(a, b); }
  template <class A, class B = braces, class C = braces>
  requires some_braces<B, C>
  auto operator()(A&& a, B&& b, C&& c) const { return call<A, B, C>(a, b, c); }
  template <class A, class B = braces, class C = braces, class D = braces>
  requires some_braces<B, C, D>
  auto operator()(A&& a, B&& b, C&& c, D&& d) const { return call<A, B, C, D>(a, b, c, d); }
  template <class A, class B, class C = braces, class D = braces, class E = braces>
  requires some_braces<C, D, E>
  auto operator()(A&& a, B&& b, C&& c, D&& d, E&& e) const {
    return call<A, B, C, D, E>(a, b, c, d, e);
  }
  template <class A, class B, class C, class D = braces, class E = braces, class F = braces>
  requires some_braces<D, E, F>
  auto operator()(A&& a, B&& b, C&& c, D&& d, E&& e, F&& f) const {
    return call<A, B, C, D, E, F>(a, b, c, d, e, f);
  }
  template <class A, class B, class C, class D, class E = braces, class F = braces,
            class G = braces>
  requires some_braces<E, F, G>
  auto operator()(A&& a, B&& b, C&& c, D&& d, E&& e, F&& f, G&& g) const {
    return call<A, B, C, D, E, F, G>(a, b, c, d, e, f, g);
  }
  template <class A, class B, class C, class D, class E, class F = braces, class G = braces,
            class H = braces>
  requires some_braces<F, G, H>
  auto operator()(A&& a, B&& b, C&& c, D&& d, E&& e, F&& f, G&& g, H&& h) const {
    return call<A, B, C, D, E, F, G, H>(a, b, c, d, e, f, g, h);
  }
  template <class A, class B, class C, class D, class E, class F, class G = braces,
            class H = braces, class I = braces>
  requires some_braces<G, H, I>
  auto operator()(A&& a, B&& b, C&& c, D&& d, E&& e, F&& f, G&& g, H&& h, I&& i) const {
    return call<A, B, C, D, E, F, G, H, I>(a, b, c, d, e, f, g, h, i);
  }

 private:
  template <class... Args>
  auto call(std::remove_reference_t<Args>&... args) const {
    return [&]<std::size_t... At>(std::index_sequence<At...>) {
      return static_cast<const explained<Outside>&>(*this)(
          meant<At, Args...>(std::forward<Args>(args))...);
    }
    (std::index_sequence_for<Args...>());
  }
  /// Argument number `At` of `Args`, with `{}` replaced by the function that it stands for.
  template <std::size_t At, class... Args, class Arg>
  static constexpr decltype(auto) meant(Arg&& arg) {
    if constexpr (!some_braces<Arg>) {
      return std::forward<Arg>(arg);
    } else {
      using all = std::tuple<std::remove_cvref_t<Args>...>;
      using before = std::tuple_element_t<(At < 2 ? 0 : At - 2), all>;
      using last = std::tuple_element_t<At - 1, all>;
      if constexpr (!std::is_void_v<Usual> && a_place<before, last>) {
        return Usual{};
      } else {
        return std::identity{};
      }
    }
  }
};

template <class Outside, class Usual = std::ranges::less>
using comparing = projecting<Outside, Usual>;

}  // namespace filch::algo
