#pragma once
#include <filch/algo/patience.hpp>
#include <filch/algo/settings.hpp>
#include <filch/fork/join.hpp>

#include <algorithm>

namespace filch::algo {

/// Halves a part by joins down to leaves whose size follows from what leaves cost, and folds their results.
///
/// `Leaf` maps a part to a result, `Combine` two adjacent results to one. The right half is always there for a
/// thief, whatever the left one costs; a thief starts with leaves of one item again, as its half may cost something else.
/// A node of the tree is cut in the middle, so the tree follows from the whole. Where that has to be the bracketing of the result, a
/// leaf of the loop folds all brackets below it by itself. A leaf that can leave off does so where it turns out dear (patience.hpp).
/// Cost: work W + O(log n + W / short leaf) forks, span O(log n) joins plus the longest leaf.
/// Source: Tzannes, Caragea, Barua and Vishkin, "Lazy Binary Splitting", PPoPP 2010, for splitting by demand. We differ: an
///         unstolen fork costs so little that we fork always and bound the leaves by time, not by polling a queue.
template <divisible Part, class Leaf, class Combine>
class split_loop {
 public:
  using result = std::remove_cvref_t<std::invoke_result_t<Leaf&, const Part&>>;

  split_loop(const settings& how, Leaf& leaf, Combine& combine) noexcept : how_{how}, leaf_{leaf}, combine_{combine} {}

  result run(const Part& whole) {
    if (how_.is_deterministic) bracket_ = policy::fixed_piece(whole.size(), longest_bracket);
    return begin(whole);
  }

 private:
  static constexpr std::uint64_t longest_bracket = 1024;  // enough for vector units

  /// How fast the leaves of one stretch, all run by one thread one after the other, have been.
  struct pace {
    policy::grain grain;
    std::uint64_t now = base::ticks();
    const void* owner = sched::current_stack;
  };

  result begin(const Part& whole) {
    pace fresh;
    return halve(whole, fresh);
  }

  result halve(const Part part, pace& here) {
    how_.check_stop();
    if (part.size() <= longest_leaf(here)) return run_leaf(part, here);
    auto [left, right] = filch::join([&, part] { return halve(part.left(), here); },
                                     [&, part, owner = here.owner] {
                                       // Run by its owner it goes on at the same pace; stolen, it is a loop of its own.
                                       const bool is_mine = owner == sched::current_stack && !would_be_stolen(part, here);
                                       return is_mine ? halve(part.right(), here) : begin(part.right());
                                     });
    return combine_(std::move(left), std::move(right));
  }

  /// In a run that an analysis watches nobody steals. What would be worth a steal then begins as at a thief, lest a skewed loop seem to have the
  /// long leaves of a single worker.
  bool would_be_stolen(const Part& part, const pace& here) const noexcept {
    return is_watched_ && part.size() / 2 >= leaves_of_a_steal * longest_leaf(here);
  }
  static constexpr std::uint64_t leaves_of_a_steal = 4;  // some 30 us, of which the short leaves at the beginning take 1

  std::uint64_t longest_leaf(const pace& here) const noexcept {
    return std::max(how_.grain != 0 ? how_.grain : here.grain.items(), bracket_);
  }

  result run_leaf(const Part& part, pace& here) {
    if (how_.grain != 0) return fold(part);
    if constexpr (steppable<Leaf, Part>) {
      if (!how_.is_deterministic) return run_in_steps(part, here);
    }
    result value = fold(part);
    observe(part.size(), here);
    return value;
  }

  /// What such a leaf leaves over was not cheap, so it is a loop of its own, with leaves of one item again.
  result run_in_steps(Part left, pace& here) {
    const std::uint64_t count = left.size();
    patience until(count, here.now);
    result value = leaf_(left, until);
    observe(count - left.size(), here);
    if (left.size() == 0) [[likely]]
      return value;
    value = combine_(std::move(value), begin(left));
    here.now = base::ticks();
    return value;
  }

  static void observe(std::uint64_t ran, pace& here) {
    const std::uint64_t begin = std::exchange(here.now, base::ticks());
    here.grain.observe(ran, here.now - begin, base::ticks_per_us());
  }

  result fold(const Part& part) {
    if (!how_.is_deterministic || part.size() <= bracket_) return leaf_(part);
    result left = fold(part.left());
    return combine_(std::move(left), fold(part.right()));
  }

  const settings& how_;
  const bool is_watched_ = sched::is_watched();
  std::uint64_t bracket_ = 1;  ///< Leaves are not shorter than that, and where the result is deterministic not longer.
  Leaf& leaf_;
  Combine& combine_;
};

}  // namespace filch::algo
