#pragma once
#include <filch/algo/output.hpp>
#include <filch/algo/walk.hpp>

#include <functional>

namespace filch::inline v0_2 {
namespace algo {

struct adjacent_difference_fn : writer<adjacent_difference_fn> {
  template <std::random_access_iterator In, std::random_access_iterator Out,
            class Op = std::minus<>>
  static auto run(const settings& how, In in, std::uint64_t count, Out out, Op op = {}) {
    check_writable<Out>();
    constexpr bool calls_nobody = plain_numbers<In, Out> && std::same_as<Op, std::minus<>>;
    for_chunks(calls_nobody ? at_known_cost<In, Out>(how) : how.with_same_limit(), count,
               [&](std::uint64_t from, std::uint64_t to) {
                 if (from == 0) *out = *in, ++from;
                 const auto difference = [&](auto&& right, auto&& left) -> decltype(auto) {
                   return std::invoke(op, right, left);
                 };
                 assign_each(to - from, difference, advance(out, from), advance(in, from),
                             advance(in, from - 1));
               });
    return std::ranges::in_out_result<In, Out>{advance(in, count), advance(out, count)};
  }
};

}  // namespace algo

/// `adjacent_difference(range, out, op = minus)`: assigns `out[0] = range[0]` and
/// `out[i] = op(range[i], range[i - 1])`. Returns both ends. `out` may be a range: its end then
/// ends the algorithm.
///
/// The output must not overlap the input, not even in place: a chunk reads the last element of the
/// chunk before it.
///
/// Cost: work W, span O(log n) joins plus the longest call; no allocation.
/// Throws: what the lowest chunk threw; each element of the output then has its old or its new
/// value.
/// Blocks, threads: as `parallel_for`.
inline constexpr algo::explained<algo::adjacent_difference_fn> adjacent_difference{};

}  // namespace filch
