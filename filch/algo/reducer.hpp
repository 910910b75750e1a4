#pragma once
#include <filch/algo/algorithm.hpp>
#include <filch/algo/parallel_for.hpp>

#include <utility>

namespace filch::inline v0_2 {
namespace algo {

/// The identity of an operation that has one; otherwise a default value.
template <class Op, class T>
concept with_identity = requires(const Op& op) {
  { op.identity() } -> std::convertible_to<T>;
};

}  // namespace algo

/// A value that loops add to in parallel. The result is as if they had run one element after the
/// other.
///
/// A body gets an element and a view: a `T` of its own, which begins as `op.identity()` or else as
/// `T()`. Views meet by `op(left, right)` in the order of the elements. So `op` must be associative
/// and need not be commutative: appending to a string or a list is fine. For more than one value,
/// let `T` be a tuple.
///
///     reducer<std::string, std::plus<>> text;
///     text.over(words, [](const std::string& word, std::string& view) { view += word; });
///
/// Cost: `over` has work W, and one identity and one `op` for the whole and for each range that
/// another thread took; with `deterministic` for each leaf. Span O(log n) of `op` plus a leaf.
/// Space: a view for each such range.
/// Blocks: as `parallel_for`.
/// Threads: one loop at a time; no two threads share a view.
/// Throws: what the lowest chunk threw, or `op`; `stopped`. If anything but the last `op` threw,
/// the value is as it was before the loop.
/// Source: Frigo, Halpern, Leiserson and Lewin-Berlin, "Reducers and Other Cilk++ Hyperobjects",
/// SPAA 2009. We differ: a reducer belongs to the loop that it is passed to, so no thread has to
/// look it up.
template <class T, class Op>
class reducer {
 public:
  /// Begins with `op.identity()`, or else with `T()`.
  explicit reducer(Op op = {}) : op_(std::move(op)), value_(identity()) {}
  /// Begins with `start`.
  reducer(T start, Op op) : op_(std::move(op)), value_(std::move(start)) {}

  /// The start and what loops have added to it.
  T& value() noexcept { return value_; }
  const T& value() const noexcept { return value_; }

  /// Calls `body(element, view)` for every element of `range`, or `body(index, view)`, possibly in
  /// parallel.
  template <class R, class F>
  void over(const algo::settings& how, R&& range, F&& body) {
    if constexpr (algo::check_range<R>())
      add(how, std::ranges::begin(range), algo::count_of(range), body);
  }
  template <class R, class F>
  void over(R&& range, F&& body) {
    over(algo::settings{}, range, body);
  }
  template <class I, class End, class F>
  void over(const algo::settings& how, I first, End last, F&& body) {
    if constexpr (algo::check_ends<I, End>()) {
      const auto all = algo::loop_range_between(first, last);
      add(how, all.first, all.count, body);
    }
  }
  template <class I, class End, class F>
  requires(!algo::settings_like<I>) void over(I first, End last, F&& body) {
    over(algo::settings{}, first, last, body);
  }

 private:
  T identity() const {
    if constexpr (algo::with_identity<Op, T>) {
      return op_.identity();
    } else {
      return T();
    }
  }

  template <class I, class F>
  void add(const algo::settings& how, I first, std::uint64_t items, F& body) {
    const auto leaf = [&](std::optional<T>& view, I from, I to) {
      if (!view) view.emplace(identity());
      const auto each = [&](auto&& element) {
        body(std::forward<decltype(element)>(element), *view);
      };
      algo::run_chunk(each, from, to);
    };
    const auto meet = [this](T left, T right) -> T {
      return op_(std::move(left), std::move(right));
    };
    std::optional<T> added;
    // May throw, while the value is still where it was
    algo::fold_anywhere(how, first, items, 0, added, leaf, meet);
    if (added) value_ = meet(std::move(value_), *std::move(added));
  }

  Op op_;
  T value_;
};

}  // namespace filch
