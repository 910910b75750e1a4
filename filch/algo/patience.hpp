#pragma once
#include <filch/algo/divisible.hpp>
#include <filch/base/clock.hpp>
#include <filch/policy/grain.hpp>
#include <filch/sched/current.hpp>

#include <algorithm>
#include <bit>

namespace filch::algo {

/// How long a leaf goes on: to its end, unless it turns out dear while others look for work. Elements before it were cheap; of those in it nobody knows.
///
/// A leaf goes in steps of some 100 ns by what was measured before, and sees behind each whether anybody has asked its worker for work: a load, as
/// each fork makes. Only then the clock is read, and ever more rarely, as a request may stay.
/// Threads: that of the leaf; `join` brings bodies back to the fork stack that they began on.
class patience {
 public:
  /// For a leaf of so many elements that began at `begin`.
  patience(std::uint64_t items, std::uint64_t begin) noexcept : step_{step_of(items)}, begin_{begin} {}

  /// Whether the rest is for others, too.
  [[gnu::always_inline]] bool is_over() noexcept { return forks_.must_pause(bottom_) && look(); }

  /// Calls `step(from, to)` for pieces of `left` from the front, each `Multiple` times something long but for the last one, and takes them off.
  /// It takes one at least.
  template <std::uint64_t Multiple = 1, loop_index I, class Step>
  [[gnu::always_inline]] void walk(stretch<I>& left, Step&& step) {
    // In variables of its own, lest the compiler think that a body might write to them.
    const std::uint64_t most = std::max(step_, Multiple);
    const queue::fork_stack& forks = forks_;
    const queue::fork_entry* const bottom = bottom_;
    stretch<I> rest = left;
    do {
      const std::uint64_t count = std::min(most, rest.count);
      const I from = rest.first;
      rest = {algo::advance(from, count), rest.count - count};
      step(from, rest.first);
    } while (rest.count != 0 && (!forks.must_pause(bottom) || !look()));
    left = rest;
  }

 private:
  /// A leaf takes 4 us or a little more. Its loop begins anew in each step, some nanoseconds: with four times as many steps a body of 0.5 ns took 1.2 times as long.
  static constexpr std::uint64_t step_of(std::uint64_t items) noexcept { return std::bit_floor(items / 32); }

  [[gnu::noinline]] bool look() noexcept {
    if (++asked_ < next_look_) return false;
    next_look_ += std::min(next_look_, 4u);
    return policy::grain::is_long(base::ticks() - begin_, base::ticks_per_us());
  }

  const queue::fork_stack& forks_ = *sched::current_stack;
  const queue::fork_entry* const bottom_ = forks_.bottom();
  std::uint64_t step_;
  std::uint64_t begin_;
  std::uint32_t asked_ = 0;
  std::uint32_t next_look_ = 1;
};

/// A leaf that does one element after the other, and so can leave off between two of them.
template <loop_index I, class Step>
struct steps {
  Step& step;

  void operator()(const stretch<I>& whole) const { step(whole.first, whole.last()); }
  void operator()(stretch<I>& left, patience& until) const { until.walk(left, step); }
};

/// The same for a fold: `begin(at)` is made of the first element, `add(sum, from, to)` adds others to that.
template <loop_index I, class Begin, class Add>
struct folding_steps {
  Begin& begin;
  Add& add;

  auto operator()(const stretch<I>& whole) const {
    auto sum = begin(whole.first);
    add(sum, algo::advance(whole.first, 1), whole.last());
    return sum;
  }
  auto operator()(stretch<I>& left, patience& until) const {
    auto sum = begin(left.first);
    left = {algo::advance(left.first, 1), left.count - 1};
    if (left.count != 0 && !until.is_over()) until.walk(left, [&](I from, I to) { add(sum, from, to); });
    return sum;
  }
};

/// What can be run as a leaf in steps.
template <class Leaf, class Part>
concept steppable = std::invocable<Leaf&, Part&, patience&>;

}  // namespace filch::algo
