#pragma once
#include <filch/algo/braces.hpp>
#include <filch/algo/output.hpp>
#include <filch/algo/walk.hpp>

#include <functional>

namespace filch::inline v0_2 {
namespace algo {

struct transform_fn : writer<transform_fn, true>, writer_of_two<transform_fn> {
  using writer<transform_fn, true>::operator();
  using writer_of_two<transform_fn>::operator();

  template <std::random_access_iterator In, std::random_access_iterator Out, class F,
            class Proj = std::identity>
  requires requires(F& f, Proj& proj, In in) { std::invoke(f, std::invoke(proj, *in)); }
  static auto run(const settings& how, In in, std::uint64_t count, Out out, F&& f, Proj proj = {}) {
    check_writable<Out>();
    const auto mapped = [&](auto&& each) -> decltype(auto) {
      return std::invoke(f, std::invoke(proj, std::forward<decltype(each)>(each)));
    };
    for_short_chunks(how, count, [&](std::uint64_t from, std::uint64_t to) {
      assign_each(to - from, mapped, advance(out, from), advance(in, from));
    });
    return std::ranges::in_out_result<In, Out>{advance(in, count), advance(out, count)};
  }

  template <std::random_access_iterator In1, std::random_access_iterator In2,
            std::random_access_iterator Out, class F, class Proj1 = std::identity,
            class Proj2 = std::identity>
  static auto run(const settings& how, In1 in1, std::uint64_t count1, In2 in2, std::uint64_t count2,
                  Out out, F&& f, Proj1 proj1 = {}, Proj2 proj2 = {}) {
    check_writable<Out>();
    const std::uint64_t count = (std::min)(count1, count2);
    const auto mapped = [&](auto&& left, auto&& right) -> decltype(auto) {
      return std::invoke(f, std::invoke(proj1, std::forward<decltype(left)>(left)),
                         std::invoke(proj2, std::forward<decltype(right)>(right)));
    };
    for_short_chunks(how, count, [&](std::uint64_t from, std::uint64_t to) {
      assign_each(to - from, mapped, advance(out, from), advance(in1, from), advance(in2, from));
    });
    return std::ranges::in_in_out_result<In1, In2, Out>{advance(in1, count), advance(in2, count),
                                                        advance(out, count)};
  }
};

}  // namespace algo

/// `transform(range, out, f, proj)`: assigns `out[i] = f(proj(range[i]))`.
/// `transform(range1, range2, out, f, proj1, proj2)`: assigns
/// `out[i] = f(proj1(range1[i]), proj2(range2[i]))`, up to the end of the shorter range. If `out`
/// is a range, its end counts too. Returns the ends that were reached, as `std::ranges::transform`.
///
/// `out` may be the beginning of an input, and must not overlap one otherwise. `f` is called once
/// for each element, in any order.
///
/// Cost: work W, span O(log n) joins plus the longest call; no allocation.
/// Throws: what the lowest chunk threw; each element of the output then has its old or its new
/// value.
/// Blocks, threads: as `parallel_for`.
inline constexpr algo::projecting<algo::transform_fn> transform{};

}  // namespace filch
