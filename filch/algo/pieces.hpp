#pragma once
// What every algorithm stands on: a loop over offsets, whose leaves do the work.
#include <filch/algo/split_loop.hpp>

#include <concepts>
#include <functional>
#include <iterator>
#include <variant>
#include <vector>

namespace filch::algo {

/// Whether what it refers to lies in one word with other elements.
template <class Reference>
inline constexpr bool shares_words = std::same_as<Reference, std::vector<bool>::reference>;

template <class It>
inline constexpr bool shares_words<iterator_range<It>> = shares_words<std::iter_reference_t<It>>;

/// `f` of the elements at these places. Where they are made on the way, as those of a zip, a reference into one would outlive it: so that is a value instead.
template <class F, class... Its>
constexpr decltype(auto) invoke_at(F& f, const Its&... at) {
  using result = std::invoke_result_t<F&, std::iter_reference_t<Its>...>;
  if constexpr (std::is_reference_v<result> && !(std::is_reference_v<std::iter_reference_t<Its>> && ...) &&
                std::constructible_from<std::remove_cvref_t<result>, result>) {
    return std::remove_cvref_t<result>(std::invoke(f, *at...));
  } else {
    return std::invoke(f, *at...);
  }
}

/// Stops the compiler where a body is handed what several threads must not write.
template <class... References>
constexpr void check_references() {
  static_assert(
      !(shares_words<References> || ...),
      "filch: the bits of a std::vector<bool> share words, which several threads must not write; take a vector<char>, "
      "or to read them a constant one");
}
/// The same where an algorithm writes.
template <class... Written>
constexpr void check_writable() {
  check_references<std::iter_reference_t<Written>...>();
}

/// Runs `f` where `how` says: on its pool, else on the caller's, and from outside every pool on the default one.
/// Throws: what `f` throws; `stopped`, instead of calling it. So each algorithm asks once, however little it has to do.
template <class F>
decltype(auto) run_in(const settings& how, F&& f) {
  how.check_stop();
  if (how.pool != nullptr && !how.pool->is_current()) return how.pool->run(std::forward<F>(f));
  if (how.pool == nullptr && sched::is_outside()) return sched::lasting_pool_here().run(std::forward<F>(f));
  return f();
}

/// Folds `leaf(part)` over parts that cover `whole`, which is not empty, with `combine(left, right)`, which keeps their order.
/// The caller is inside `run_in`. Cost, blocking, exceptions: as `split_loop`, `join`.
template <divisible Part, class Leaf, class Combine>
auto fold_parts(const settings& how, const Part& whole, Leaf&& leaf, Combine&& combine) {
  return split_loop<Part, std::remove_reference_t<Leaf>, std::remove_reference_t<Combine>>(how, leaf, combine).run(whole);
}
/// A leaf that gives nothing, as one of a fold. No lambda: a generic one with constraints has a name that g++ 12's library cannot write out, and sites are shown by name.
template <class Leaf>
struct giving_nothing {
  Leaf& leaf;

  template <class Part, class... Until>
  requires std::invocable<Leaf&, Part&, Until&...> std::monostate operator()(Part& part, Until&... until) const {
    leaf(part, until...);
    return {};
  }
};

/// Calls `leaf(part)` on parts that cover `whole`, if it is not empty.
template <divisible Part, class Leaf>
void for_parts(const settings& how, const Part& whole, Leaf&& leaf) {
  if (whole.size() == 0) return;
  fold_parts(how, whole, giving_nothing<std::remove_reference_t<Leaf>>{leaf},
             [](std::monostate, std::monostate) { return std::monostate{}; });
}

/// The same along a line: `leaf(from, to)` on pieces that cover [first, first + count).
template <loop_index I, class Leaf, class Combine>
auto fold_pieces(const settings& how, I first, std::uint64_t count, Leaf&& leaf, Combine&& combine) {
  return fold_parts(how, stretch<I>{first, count}, [&leaf](const stretch<I>& part) { return leaf(part.first, part.last()); }, combine);
}
template <class Leaf, class Combine>
auto fold_pieces(const settings& how, std::uint64_t count, Leaf&& leaf, Combine&& combine) {
  return fold_pieces(how, std::uint64_t{0}, count, leaf, combine);
}
template <loop_index I, class Leaf>
void for_pieces(const settings& how, I first, std::uint64_t count, Leaf&& leaf) {
  for_parts(how, stretch<I>{first, count}, [&leaf](const stretch<I>& part) { leaf(part.first, part.last()); });
}
template <class Leaf>
void for_pieces(const settings& how, std::uint64_t count, Leaf&& leaf) {
  for_pieces(how, std::uint64_t{0}, count, leaf);
}

/// The same for what goes from element to element: `step(from, to)` is called once or more often in a leaf, which so ends where dear elements begin.
template <loop_index I, class Step>
void for_steps(const settings& how, I first, std::uint64_t count, Step&& step) {
  for_parts(how, stretch<I>{first, count}, steps<I, std::remove_reference_t<Step>>{step});
}
template <class Step>
void for_steps(const settings& how, std::uint64_t count, Step&& step) {
  for_steps(how, std::uint64_t{0}, count, step);
}
/// And as a fold: `begin(at)` makes the value of one element, `add(value, from, to)` adds others to it.
template <loop_index I, class Begin, class Add, class Combine>
auto fold_steps(const settings& how, I first, std::uint64_t count, Begin&& begin, Add&& add, Combine&& combine) {
  const folding_steps<I, std::remove_reference_t<Begin>, std::remove_reference_t<Add>> leaf{begin, add};
  return fold_parts(how, stretch<I>{first, count}, leaf, combine);
}

}  // namespace filch::algo
