#pragma once
#include <filch/algo/chunks.hpp>

#include <algorithm>
#include <functional>
#include <iterator>
#include <ranges>

namespace filch::inline v0_2::algo {

/// A range that algorithms take: random-access and sized.
template <class R>
concept input_range = std::ranges::random_access_range<R> && std::ranges::sized_range<R>;

/// Marks a type as a stream.
struct stream_base {
  /// Whether each place gives exactly one element.
  static constexpr bool is_one_each = false;
};

/// Elements that cannot be counted beforehand, such as those that a filter lets through
/// (ranges/stream.hpp).
template <class S>
concept stream = std::derived_from<std::remove_cvref_t<S>, stream_base>;

/// The left side of a view. Refuses what cannot be run in parallel, with a message.
template <class S>
concept said_to_be_streamable = stream<S> || std::ranges::range<S>;
template <said_to_be_streamable S>
constexpr bool check_streamable() {
  if constexpr (stream<S>) {
    return true;
  } else {
    return check_range<S>();
  }
}

/// The type in which an element of a stream is kept: neither a reference nor a proxy for one.
template <stream S>
using stream_value = typename std::remove_cvref_t<S>::value;

/// The result type of a call on a temporary range: `std::ranges::dangling` in place of iterators
/// into it.
template <class It, class Result>
struct without_iterators {
  using type = Result;
};
template <class It>
struct without_iterators<It, It> {
  using type = std::ranges::dangling;
};
template <class It>
struct without_iterators<It, iterator_range<It>> {
  using type = std::ranges::dangling;
};
template <class It>
struct without_iterators<It, std::ranges::min_max_result<It>> {
  using type = std::ranges::min_max_result<std::ranges::dangling>;
};
template <class It, class Out>
struct without_iterators<It, std::ranges::in_out_result<It, Out>> {
  using type = std::ranges::in_out_result<std::ranges::dangling, Out>;
};
template <class It, class Out1, class Out2>
struct without_iterators<It, std::ranges::in_out_out_result<It, Out1, Out2>> {
  using type = std::ranges::in_out_out_result<std::ranges::dangling, Out1, Out2>;
};

/// Returns `f()`, with `std::ranges::dangling` in place of iterators into a temporary range.
template <class R, class F>
auto unless_dangling(F&& f) {
  if constexpr (std::ranges::borrowed_range<R>) {
    return f();
  } else {
    using result =
        typename without_iterators<std::ranges::iterator_t<R>, std::invoke_result_t<F>>::type;
    return static_cast<result>(f());
  }
}

/// The same for two ranges.
template <class R1, class R2, class F>
auto unless_dangling(F&& f) {
  using result = std::invoke_result_t<F>;
  using in1 = std::ranges::borrowed_iterator_t<R1>;
  using in2 = std::ranges::borrowed_iterator_t<R2>;
  if constexpr (requires(result done) { done.in1, done.in2, done.out; }) {
    return static_cast<std::ranges::in_in_out_result<in1, in2, decltype(result::out)>>(f());
  } else if constexpr (requires(result done) { done.in1, done.in2; }) {
    return static_cast<std::ranges::in_in_result<in1, in2>>(f());
  } else if constexpr (requires(result done) { done.in, done.out; }) {
    return static_cast<std::ranges::in_out_result<in1, decltype(result::out)>>(f());
  } else {
    return f();
  }
}

/// The type of the end of a range that begins at an `It`. Not an array: an array is a range of its
/// own, or an output.
template <class End, class It>
concept end_of = !std::is_array_v<std::remove_reference_t<End>> &&
                 std::sized_sentinel_for<std::remove_cvref_t<End>, It>;

/// The distance between two ends, or 0 if `last` comes before `first`.
template <class It, class End>
std::uint64_t count_of(const It& first, const End& last) {
  const auto count = last - first;
  return count > 0 ? static_cast<std::uint64_t>(count) : 0;
}
template <input_range R>
std::uint64_t count_of(R& range) {
  return static_cast<std::uint64_t>(std::ranges::size(range));
}

/// Whether `X` is a range or an iterator without random access.
template <class X>
inline constexpr bool lacks_random_access =
    std::ranges::range<X> ? !std::ranges::random_access_range<X>
                          : std::input_or_output_iterator<std::remove_cvref_t<X>> &&
                                !std::random_access_iterator<std::remove_cvref_t<X>>;
/// Whether one of these is a range, or a pair of ends, whose length is not known beforehand.
template <class... Xs>
inline constexpr bool lack_size = ((std::ranges::range<Xs> && !std::ranges::sized_range<Xs>) ||
                                   ...);
template <class It, class End, class... More>
requires std::input_or_output_iterator<std::remove_cvref_t<It>> &&
    std::sentinel_for<std::remove_cvref_t<End>, std::remove_cvref_t<It>>
inline constexpr bool lack_size<It, End, More...> =
    !std::sized_sentinel_for<std::remove_cvref_t<End>, std::remove_cvref_t<It>>;
template <settings_like How, class... More>
inline constexpr bool lack_size<How, More...> = lack_size<More...>;

template <class... Xs>
concept lack_access = (lacks_random_access<Xs> || ...) || lack_size<Xs...>;
/// Stops the compiler with a message that says which property is missing.
template <class... Xs>
constexpr void explain_access() {
  check_access<!(lacks_random_access<Xs> || ...), !lack_size<Xs...>>();
}

/// Whether an algorithm can be run with these arguments. Decides whether an array and a pointer are
/// two ends, or a range and an output.
template <class Algorithm, class It, class... More>
concept runs_from = requires(const settings how, It first, std::uint64_t count, More&&... more) {
  Algorithm::run(how, first, count, std::forward<More>(more)...);
};

template <class Algorithm, class I1, class I2, class... More>
concept runs_from_two = requires(const settings how, I1 first1, std::uint64_t count1, I2 first2,
                                 std::uint64_t count2, More&&... more) {
  Algorithm::run(how, first1, count1, first2, count2, std::forward<More>(more)...);
};

/// The outside of an algorithm over one range: with or without options, over a range, a pair of
/// iterators, or a stream.
///
/// `Algorithm::run(how, first, count, more...)` is the inside. It is called once, on a worker of
/// the pool that `how` names. An algorithm that can take elements in order also has
/// `Algorithm::run(how, stream, more...)`. Algorithms are objects, so that argument-dependent
/// lookup cannot find `std` functions of the same name.
template <class Algorithm>
struct algorithm {
  template <settings_like How, input_range R, class... More>
  requires runs_from<Algorithm, std::ranges::iterator_t<R>, More...>
  auto operator()(const How& how, R&& range, More&&... more) const {
    return unless_dangling<R>([&] {
      return start(how, std::ranges::begin(range), count_of(range), std::forward<More>(more)...);
    });
  }
  template <settings_like How, std::random_access_iterator It, end_of<It> End, class... More>
  requires runs_from<Algorithm, It, More...>
  auto operator()(const How& how, It first, End&& last, More&&... more) const {
    return start(how, first, count_of(first, last), std::forward<More>(more)...);
  }
  template <settings_like How, stream S, class... More>
  auto operator()(const How& how, const S& from, More&&... more) const {
    const settings& all = how;
    return run_in(all, [&] { return Algorithm::run(all, from, std::forward<More>(more)...); });
  }
  template <class R, class... More>
  requires(input_range<R>&& runs_from<Algorithm, std::ranges::iterator_t<R>, More...>) ||
      stream<R> auto operator()(R&& range, More&&... more) const {
    return (*this)(settings{}, std::forward<R>(range), std::forward<More>(more)...);
  }
  template <std::random_access_iterator It, end_of<It> End, class... More>
  requires runs_from<Algorithm, It, More...>
  auto operator()(It first, End&& last, More&&... more) const {
    return (*this)(settings{}, first, last, std::forward<More>(more)...);
  }

 private:
  template <class It, class... More>
  static auto start(const settings& how, It first, std::uint64_t count, More&&... more) {
    return run_in(how,
                  [&] { return Algorithm::run(how, first, count, std::forward<More>(more)...); });
  }
};

/// The same over two ranges: `Algorithm::run(how, first1, count1, first2, count2, more...)`.
template <class Algorithm>
struct algorithm_of_two {
  template <settings_like How, input_range R1, input_range R2, class... More>
  auto operator()(const How& how, R1&& one, R2&& two, More&&... more) const {
    return unless_dangling<R1, R2>([&] {
      return start(how, std::ranges::begin(one), count_of(one), std::ranges::begin(two),
                   count_of(two), std::forward<More>(more)...);
    });
  }
  template <settings_like How, std::random_access_iterator I1, std::sized_sentinel_for<I1> E1,
            std::random_access_iterator I2, std::sized_sentinel_for<I2> E2, class... More>
  auto operator()(const How& how, I1 first1, E1 last1, I2 first2, E2 last2, More&&... more) const {
    return start(how, first1, count_of(first1, last1), first2, count_of(first2, last2),
                 std::forward<More>(more)...);
  }
  template <input_range R1, input_range R2, class... More>
  auto operator()(R1&& one, R2&& two, More&&... more) const {
    return (*this)(settings{}, std::forward<R1>(one), std::forward<R2>(two),
                   std::forward<More>(more)...);
  }
  template <std::random_access_iterator I1, std::sized_sentinel_for<I1> E1,
            std::random_access_iterator I2, std::sized_sentinel_for<I2> E2, class... More>
  auto operator()(I1 first1, E1 last1, I2 first2, E2 last2, More&&... more) const {
    return (*this)(settings{}, first1, last1, first2, last2, std::forward<More>(more)...);
  }

 private:
  template <class I1, class I2, class... More>
  static auto start(const settings& how, I1 first1, std::uint64_t count1, I2 first2,
                    std::uint64_t count2, More&&... more) {
    // For example to a back_inserter
    if constexpr (lack_access<More...> && !runs_from_two<Algorithm, I1, I2, More...>) {
      explain_access<More...>();
    } else {
      return run_in(how, [&] {
        return Algorithm::run(how, first1, count1, first2, count2, std::forward<More>(more)...);
      });
    }
  }
};

/// An algorithm that explains in one sentence why it refuses a list, or a range without an end.
template <class Outside>
struct explained : Outside {
  using Outside::operator();

  template <class... Args>
  requires lack_access<Args...> &&(!std::invocable<const Outside&, Args...>)auto operator()(
      Args&&...) const {
    explain_access<Args...>();
    return whatever_is_wanted{};
  }

 private:
  struct whatever_is_wanted {  // so that the compiler reports one error only
    template <class T>
    operator T() const;
  };
};

}  // namespace filch::algo
