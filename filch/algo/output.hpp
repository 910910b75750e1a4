#pragma once
// Outputs that are ranges, as in P3179: an algorithm ends when its output is full.
#include <filch/algo/algorithm.hpp>

namespace filch::inline v0_2::algo {

/// A range whose elements can be written in any order.
template <class R>
concept output_range = input_range<R> &&
    std::indirectly_writable<std::ranges::iterator_t<R>, std::ranges::range_rvalue_reference_t<R>>;

/// Whether the arguments begin with an output or another input.
template <class... More>
inline constexpr bool begin_with_elements = false;
template <class First, class... More>
inline constexpr bool begin_with_elements<First, More...> =
    std::ranges::range<First> || std::input_or_output_iterator<std::remove_cvref_t<First>>;

/// Throws `std::length_error`: an output range has no room for the result, and nothing was written.
[[noreturn]] void throw_output_too_short();

/// An algorithm over one range whose output may be a range. It then calls
/// `Algorithm::run_within(how, first, count, out, room, more...)`; an algorithm that writes one
/// element for each writes as many as there is room for. `MayHaveTwo`: it also takes two inputs, as
/// `writer_of_two`.
template <class Algorithm, bool MayHaveTwo = false>
struct writer : algorithm<Algorithm> {
  using algorithm<Algorithm>::operator();

  template <settings_like How, input_range R, output_range Out, class... More>
  requires(!MayHaveTwo || !begin_with_elements<More...>) auto operator()(const How& given,
                                                                         R&& range, Out&& out,
                                                                         More&&... more) const {
    const settings& how = given;
    using result = std::ranges::in_out_result<std::ranges::borrowed_iterator_t<R>,
                                              std::ranges::borrowed_iterator_t<Out>>;
    return static_cast<result>(run_in(how, [&] {
      return Algorithm::run_within(how, std::ranges::begin(range), count_of(range),
                                   std::ranges::begin(out), count_of(out),
                                   std::forward<More>(more)...);
    }));
  }
  template <input_range R, output_range Out, class... More>
  requires(!MayHaveTwo || !begin_with_elements<More...>) auto operator()(R&& range, Out&& out,
                                                                         More&&... more) const {
    return (*this)(settings{}, std::forward<R>(range), std::forward<Out>(out),
                   std::forward<More>(more)...);
  }

  template <class It, class Out, class... More>
  static auto run_within(const settings& how, It first, std::uint64_t count, Out out,
                         std::uint64_t room, More&&... more) {
    return Algorithm::run(how, first, (std::min)(count, room), out, std::forward<More>(more)...);
  }
};

/// The same over two ranges: `Algorithm::run_two_within(how, first1, count1, first2, count2, out,
/// room, more...)`.
template <class Algorithm>
struct writer_of_two : algorithm_of_two<Algorithm> {
  using algorithm_of_two<Algorithm>::operator();

  template <settings_like How, input_range R1, input_range R2, output_range Out, class... More>
  auto operator()(const How& given, R1&& one, R2&& two, Out&& out, More&&... more) const {
    const settings& how = given;
    using end = std::ranges::borrowed_iterator_t<Out>;
    const auto done = unless_dangling<R1, R2>([&] {
      return run_in(how, [&] {
        return Algorithm::run_two_within(
            how, std::ranges::begin(one), count_of(one), std::ranges::begin(two), count_of(two),
            std::ranges::begin(out), count_of(out), std::forward<More>(more)...);
      });
    });
    if constexpr (requires { done.in1; }) {
      return std::ranges::in_in_out_result<decltype(done.in1), decltype(done.in2), end>{
          done.in1, done.in2, end(done.out)};
    } else {
      return std::ranges::in_out_result<decltype(done.in), end>{done.in, end(done.out)};
    }
  }
  template <input_range R1, input_range R2, output_range Out, class... More>
  auto operator()(R1&& one, R2&& two, Out&& out, More&&... more) const {
    return (*this)(settings{}, std::forward<R1>(one), std::forward<R2>(two), std::forward<Out>(out),
                   std::forward<More>(more)...);
  }

  template <class I1, class I2, class Out, class... More>
  static auto run_two_within(const settings& how, I1 first1, std::uint64_t count1, I2 first2,
                             std::uint64_t count2, Out out, std::uint64_t room, More&&... more) {
    return Algorithm::run(how, first1, (std::min)(count1, room), first2, count2, out,
                          std::forward<More>(more)...);
  }
};

}  // namespace filch::algo
