#pragma once
#include <filch/algo/braces.hpp>
#include <filch/algo/output.hpp>
#include <filch/algo/sorting/merge_runs.hpp>

namespace filch::inline v0_2 {
namespace algo {

struct merge_fn : writer_of_two<merge_fn> {
  template <std::random_access_iterator I1, std::random_access_iterator I2,
            std::random_access_iterator Out, class Comp = std::ranges::less,
            class Proj1 = std::identity, class Proj2 = std::identity>
  requires std::mergeable<I1, I2, Out, Comp, Proj1, Proj2>
  static std::ranges::merge_result<I1, I2, Out> run(const settings& how, I1 first1,
                                                    std::uint64_t count1, I2 first2,
                                                    std::uint64_t count2, Out out, Comp comp = {},
                                                    Proj1 proj1 = {}, Proj2 proj2 = {}) {
    check_writable<Out>();
    const auto is_less = order_between(comp, proj1, proj2);
    const sorting::run left{sorting::plain_iterator(first1), count1};
    const sorting::run right{sorting::plain_iterator(first2), count2};
    failure failed;
    sorting::merge_runs<sorting::by_copying>({how, failed}, 0, left, right,
                                             sorting::plain_iterator(out), is_less);
    return {first1 + static_cast<std::iter_difference_t<I1>>(count1),
            first2 + static_cast<std::iter_difference_t<I2>>(count2),
            out + static_cast<std::iter_difference_t<Out>>(count1 + count2)};
  }
  template <class I1, class I2, class Out, class Comp = std::ranges::less,
            class Proj1 = std::identity, class Proj2 = std::identity>
  static auto run_two_within(const settings& how, I1 first1, std::uint64_t count1, I2 first2,
                             std::uint64_t count2, Out out, std::uint64_t room, Comp comp = {},
                             Proj1 proj1 = {}, Proj2 proj2 = {}) {
    if (room < count1 + count2) {
      count1 = sorting::left_share(sorting::run{first1, count1}, sorting::run{first2, count2}, room,
                                   order_between(comp, proj1, proj2));
      count2 = room - count1;
    }
    return run(how, first1, count1, first2, count2, out, std::move(comp), std::move(proj1),
               std::move(proj2));
  }

 private:
  template <class Comp, class Proj1, class Proj2>
  static auto order_between(Comp& comp, Proj1& proj1, Proj2& proj2) {
    return [&](auto&& right, auto&& left) {
      return static_cast<bool>(std::invoke(comp,
                                           std::invoke(proj2, std::forward<decltype(right)>(right)),
                                           std::invoke(proj1, std::forward<decltype(left)>(left))));
    };
  }
};

}  // namespace algo

/// Merges two sorted ranges into the one that begins at `out` and overlaps neither. Equal elements
/// of the first range come before those of the second, and each range's own keep their order. As
/// `std::ranges::merge`, for random-access outputs. If `out` is a range that is too short, it gets
/// the first elements of the result, and the return value says how far both inputs were read.
///
/// Cost: work O(n), span O(log^2 n) for n elements together; no allocation.
/// Blocks, threads: as `sort`.
/// Throws: what `comp`, a projection or copying an element throws; each element of the output then
/// has its old or its new value. `stopped`, checked every few thousand elements.
/// Source: sorting/merge_runs.hpp.
inline constexpr algo::comparing<algo::merge_fn> merge;

}  // namespace filch
