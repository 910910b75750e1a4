#pragma once
#include <filch/algo/output.hpp>
#include <filch/algo/plain_memory.hpp>

namespace filch::inline v0_2 {
namespace algo {

struct copy_fn : writer<copy_fn> {
  template <std::random_access_iterator In, std::random_access_iterator Out>
  static auto run(const settings& how, In in, std::uint64_t count, Out out) {
    check_writable<Out>();
    for_chunks(at_known_cost<In, Out>(how), count, [&](std::uint64_t from, std::uint64_t to) {
      std::ranges::copy(advance(in, from), advance(in, to), advance(out, from));
    });
    return std::ranges::in_out_result<In, Out>{advance(in, count), advance(out, count)};
  }
};

}  // namespace algo

/// `copy(range, out)`: copies every element. Returns both ends. The output must not overlap the
/// input. `out` is an iterator, or a range: then as many elements are copied as fit.
///
/// To move elements, use `transform` with a function that returns an rvalue: `std::move_iterator`
/// is an input iterator in C++20.
///
/// Cost: work n copies, span O(log n) joins plus a leaf; no allocation. Plain memory is not timed,
/// so a short range costs a memmove.
/// Throws: what the lowest chunk threw; each element of the output then has its old or its new
/// value.
/// Blocks, threads: as `parallel_for`.
inline constexpr algo::explained<algo::copy_fn> copy{};

}  // namespace filch
