#pragma once
#include <filch/algo/sub_range.hpp>
#include <filch/base/clock.hpp>
#include <filch/fork/join.hpp>
#include <filch/policy/grain.hpp>

namespace filch::algo {

/// Halves a range by joins down to leaves whose size follows from what leaves cost, and folds their results.
///
/// `Leaf` maps a piece [first, last) to a result, `Combine` two adjacent results to one. The right half is always there for a
/// thief, whatever the left one costs; a thief starts with leaves of one item again, as its half may cost something else.
/// Cost: work W + O(log n + W / short leaf) forks, span O(log n) joins plus the longest leaf.
/// Source: Tzannes, Caragea, Barua and Vishkin, "Lazy Binary Splitting", PPoPP 2010, for splitting by demand. We differ: an
///         unstolen fork costs so little that we fork always and bound the leaves by time, not by polling a queue.
template <loop_index I, class Leaf, class Combine>
class split_loop {
 public:
  using result = std::remove_cvref_t<std::invoke_result_t<Leaf&, I, I>>;

  split_loop(Leaf& leaf, Combine& combine) noexcept : leaf_{leaf}, combine_{combine} {}

  result run(I first, std::uint64_t count) {
    pace fresh;
    return halve(first, count, fresh);
  }

 private:
  /// How fast the leaves of one stretch, all run by one thread one after the other, have been.
  struct pace {
    policy::grain grain;
    std::uint64_t now = base::ticks();
    const void* owner = sched::current_stack;
  };

  result halve(I first, std::uint64_t count, pace& here) {
    if (count <= here.grain.items()) return run_leaf(first, count, here);
    const std::uint64_t left_count = count / 2;
    auto [left, right] =
        filch::join([&, first] { return halve(first, left_count, here); },
                    [&, first, owner = here.owner] {
                      const I middle = advance(first, left_count);
                      // Run by its owner it goes on at the same pace; stolen, it is a loop of its own.
                      return owner == sched::current_stack ? halve(middle, count - left_count, here) : run(middle, count - left_count);
                    });
    return combine_(std::move(left), std::move(right));
  }

  result run_leaf(I first, std::uint64_t count, pace& here) {
    const std::uint64_t begin = here.now;
    result value = leaf_(first, advance(first, count));
    here.now = base::ticks();
    here.grain.observe(count, here.now - begin, base::ticks_per_us());
    return value;
  }

  Leaf& leaf_;
  Combine& combine_;
};

}  // namespace filch::algo
