#pragma once
#include <filch/algo/failure.hpp>
#include <filch/algo/join_within.hpp>
#include <filch/algo/patience.hpp>
#include <filch/algo/settings.hpp>

#include <algorithm>

namespace filch::inline v0_2::algo {

/// Halves a range by joins, down to leaves whose size follows from what leaves cost.
///
/// `Leaf` runs a range: `run(range, sum)` adds it to the value at `sum`, if the loop has values. A
/// range for which `own()` makes a place has a value of its own, which is combined with that of the
/// range before it.
///
/// The right half is always available to a thief, whatever the left half costs. A thief starts with
/// leaves of one item again, because its half may cost something else. Once a leaf has thrown, no
/// leaf behind it begins on any thread, and leaves in chunks end early (failure.hpp). A leaf that
/// can end early does so when it turns out to be expensive (patience.hpp).
///
/// Each node of the tree is cut in the middle, so the tree follows from the whole. With
/// `deterministic` every half has a value, and a leaf of the loop folds all brackets below it by
/// itself. Otherwise a thread adds one leaf after the other to one value, and values meet only
/// after a steal.
///
/// Cost: work W + O(log n + W / short leaf) forks, span O(log n) joins plus the longest leaf.
/// Source: Tzannes, Caragea, Barua and Vishkin, "Lazy Binary Splitting", PPoPP 2010, for splitting
/// by demand. We differ: an unstolen fork is so cheap that we always fork, and bound the leaves by
/// time instead of polling a queue.
template <divisible Range, class Leaf>
class split_loop {
 public:
  split_loop(const settings& how, Leaf& leaf) noexcept : how_{how}, leaf_{leaf} {}

  void run(const Range& whole, void* sum) {
    if (how_.is_deterministic) bracket_ = policy::fixed_chunk(whole.size(), longest_bracket);
    begin(whole, 0, sum);
  }

  /// The speed of the leaves that one thread has run one after the other.
  struct pace {
    policy::grain grain;
    std::uint64_t now = base::ticks();
    const void* owner = sched::current_stack;
  };

  /// The right half of a range. On its owner it goes on at the same pace; on a thief it is a loop
  /// of its own.
  struct right_half {
    split_loop& loop;
    Range range;
    std::uint64_t at;
    pace& here;
    const void* owner;
    void* sum;
    typename Leaf::own_sum& own;

    void operator()() const { loop.run_right(*this); }
    auto known_by() const noexcept requires requires(const Leaf& leaf) { leaf.site(); }
    { return loop.leaf_.site(); }
  };

 private:
  static constexpr std::uint64_t longest_bracket = 1024;  // enough for vector units

  void run_right(const right_half& of) {
    const bool is_mine = of.owner == sched::current_stack;
    const std::uint64_t middle = add(of.at, of.range.left().size());
    void* const sum = is_mine && !how_.is_deterministic ? of.sum : of.own.make();
    if (is_mine && !would_be_stolen(of.range, of.here))
      return halve(of.range.right(), middle, of.here, sum);
    begin(of.range.right(), middle, sum);
  }

  /// Begins a range that has `at` elements of the whole before it.
  void begin(const Range& range, std::uint64_t at, void* sum) {
    pace fresh;
    halve(range, at, fresh, sum);
  }

  void halve(const Range range, std::uint64_t at, pace& here, void* sum) {
    how_.check_stop();
    if (range.size() <= longest_leaf(here)) return run_leaf(range, at, here, sum);
    typename Leaf::own_sum own = leaf_.own();
    join_within(
        how_, [&, range, at] { halve(range.left(), at, here, sum); },
        right_half{*this, range, at, here, here.owner, sum, own});
    if (own.is_made()) combine(at, sum, own);
  }
  [[gnu::noinline]] void combine(std::uint64_t at, void* sum, const typename Leaf::own_sum& right) {
    failed_.watch(at, [&] { leaf_.combine(sum, right.get()); });
  }

  /// A box may have more points than 64 bits can count. All points beyond have the same place.
  static std::uint64_t add(std::uint64_t at, std::uint64_t more) noexcept {
    return __builtin_add_overflow(at, more, &at) ? ~std::uint64_t{0} : at;
  }

  /// In a run that an analysis watches there are no thieves. A range that would be worth a steal
  /// then begins as on a thief; otherwise a skewed loop would seem to have the long leaves of a
  /// single worker.
  bool would_be_stolen(const Range& range, const pace& here) const noexcept {
    return is_watched_ && range.size() / 2 >= leaves_of_a_steal * longest_leaf(here);
  }
  // About 30 us, of which the short leaves at the beginning take 1
  static constexpr std::uint64_t leaves_of_a_steal = 4;

  std::uint64_t longest_leaf(const pace& here) const noexcept {
    return (std::max)(how_.grain != 0 ? how_.grain : here.grain.items(), bracket_);
  }

  void run_leaf(const Range& range, std::uint64_t at, pace& here, void* sum) {
    failed_.check(at);
    if constexpr (requires { leaf_.log2_chunks(); }) {
      if (leaf_.log2_chunks() != 0 && how_.grain == 0 && !how_.is_deterministic)
        return run_in_chunks(range, at, here, sum);
    }
    failed_.watch(
        at, [&] { how_.is_deterministic ? run_brackets(range, sum) : leaf_.run(range, sum); });
    if (how_.grain == 0) observe(range.size(), here);
  }

  /// The rest of such a leaf was expensive, so it is a loop of its own, with leaves of one item
  /// again.
  void run_in_chunks(Range left, std::uint64_t at, pace& here, void* sum) {
    const std::uint64_t count = left.size();
    patience until(count, leaf_.log2_chunks(), here.now, failed_, at);
    failed_.watch(at,
                  [&] { until.walk(left, [&](auto from, auto to) { leaf_.run(from, to, sum); }); });
    observe(count - left.size(), here);
    if (left.size() == 0) [[likely]]
      return;
    begin(left, add(at, count - left.size()), sum);
    here.now = base::ticks();
  }

  static void observe(std::uint64_t ran, pace& here) {
    const std::uint64_t begin = std::exchange(here.now, base::ticks());
    here.grain.observe(ran, here.now - begin, base::ticks_per_us());
  }

  void run_brackets(const Range& range, void* sum) {
    if (range.size() <= bracket_) return leaf_.run(range, sum);
    run_brackets(range.left(), sum);
    typename Leaf::own_sum own = leaf_.own();
    run_brackets(range.right(), own.make());
    if (own.is_made()) leaf_.combine(sum, own.get());
  }

  const settings& how_;
  const bool is_watched_ = sched::is_watched();
  /// Leaves are no shorter than this, and if the result is deterministic no longer.
  std::uint64_t bracket_ = 1;
  Leaf& leaf_;
  failure failed_;
};

}  // namespace filch::algo
