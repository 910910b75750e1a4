#pragma once
// The base of every algorithm: a loop over offsets, whose leaves do the work.
#include <filch/algo/line_loop.hpp>
#include <filch/algo/split_loop.hpp>

#include <concepts>
#include <functional>
#include <iterator>
#include <vector>

namespace filch::inline v0_2::algo {

/// Whether the reference leads into a word that holds other elements too.
template <class Reference>
inline constexpr bool shares_words = std::same_as<Reference, std::vector<bool>::reference>;

template <class It>
inline constexpr bool shares_words<iterator_range<It>> = shares_words<std::iter_reference_t<It>>;

/// Calls `f` with the elements at these places. If elements are temporaries, such as those of a
/// zip, a reference into one would dangle, so the result is a value instead.
template <class F, class... Its>
constexpr decltype(auto) invoke_at(F& f, const Its&... at) {
  using result = std::invoke_result_t<F&, std::iter_reference_t<Its>...>;
  if constexpr (std::is_reference_v<result> &&
                !(std::is_reference_v<std::iter_reference_t<Its>> && ...) &&
                std::constructible_from<std::remove_cvref_t<result>, result>) {
    return std::remove_cvref_t<result>(std::invoke(f, *at...));
  } else {
    return std::invoke(f, *at...);
  }
}

/// Stops the compiler if a body gets elements that several threads must not write.
template <class... References>
constexpr void check_references() {
  static_assert(!(shares_words<References> || ...),
                "filch: the bits of a std::vector<bool> share words, which several threads must "
                "not write; take a vector<char>, "
                "or to read them a constant one");
}
/// The same for elements that an algorithm writes.
template <class... Written>
constexpr void check_writable() {
  check_references<std::iter_reference_t<Written>...>();
}

/// Runs `f` where `how` says: on its pool, else on the caller's, and from outside every pool on the
/// default one.
/// Throws: what `f` throws; `stopped`, before calling it. So each algorithm checks once, however
/// little it has to do.
template <class F>
decltype(auto) run_in(const settings& how, F&& f) {
  how.check_stop();
  const caller_place here(how.limit());
  if (how.pool != nullptr && !how.pool->is_current()) return how.pool->run(std::forward<F>(f));
  if (how.pool == nullptr && sched::is_outside())
    return sched::lasting_pool_here().run(std::forward<F>(f));
  return f();
}

/// A leaf of a loop over a box, which returns nothing.
template <class Leaf>
struct box_leaf {
  struct own_sum {
    static constexpr bool is_made() noexcept { return false; }
    static constexpr void* get() noexcept { return nullptr; }
    static constexpr void* make() noexcept { return nullptr; }
  };
  Leaf& leaf;

  static constexpr own_sum own() noexcept { return {}; }
  template <class Chunk>
  void run(const Chunk& chunk, void*) const {
    leaf(chunk);
  }
  static constexpr void combine(void*, void*) noexcept {}
};

/// Calls `leaf(chunk)` on chunks that cover `whole`, if it is not empty. Call inside `run_in`.
/// Cost, blocking, exceptions: as `split_loop`, `join`.
template <divisible Range, class Leaf>
void for_chunks_of(const settings& how, const Range& whole, Leaf&& leaf) {
  if (whole.size() == 0) return;
  const box_leaf<std::remove_reference_t<Leaf>> runs{leaf};
  split_loop<Range, decltype(runs)>(how, runs).run(whole, nullptr);
}

/// Folds [first, first + count) chunk by chunk into `sum`, which may be missing.
/// `add(sum, from, to)` adds a chunk, `combine(left, right)` combines the values of neighbors. For
/// `log2_chunks` see `loop_body`.
template <class T, loop_index I, class Add, class Combine>
void fold_here(const settings& how, I first, std::uint64_t count, std::uint32_t log2_chunks,
               std::optional<T>& sum, Add& add, Combine& combine) {
  const fold_leaf<T, I, Add, Combine> leaf{add, combine, first};
  loop_here(how, count, leaf.body(log2_chunks), &sum);
}
/// The same, and enters `run_in` itself.
template <class T, loop_index I, class Add, class Combine>
void fold_anywhere(const settings& how, I first, std::uint64_t count, std::uint32_t log2_chunks,
                   std::optional<T>& sum, Add& add, Combine& combine) {
  const fold_leaf<T, I, Add, Combine> leaf{add, combine, first};
  loop_anywhere(&how, count, leaf.body(log2_chunks), &sum);
}

/// Folds `leaf(from, to)` of chunks that cover [first, first + count), which is not empty.
template <loop_index I, class Leaf, class Combine>
auto fold_chunks(const settings& how, I first, std::uint64_t count, Leaf&& leaf,
                 Combine&& combine) {
  std::optional<std::remove_cvref_t<std::invoke_result_t<Leaf&, I, I>>> sum;
  const auto add = [&](auto& to, I from, I last) {
    add_value(to, combine, [&] { return leaf(from, last); });
  };
  fold_here(how, first, count, 0, sum, add, combine);
  return *std::move(sum);
}
template <class Leaf, class Combine>
auto fold_chunks(const settings& how, std::uint64_t count, Leaf&& leaf, Combine&& combine) {
  return fold_chunks(how, std::uint64_t{0}, count, leaf, combine);
}
/// The same for a loop that returns nothing.
template <loop_index I, class Leaf>
void for_chunks(const settings& how, I first, std::uint64_t count, Leaf&& leaf) {
  loop_here(how, count, loop_leaf{leaf, first}.body(false));
}
template <class Leaf>
void for_chunks(const settings& how, std::uint64_t count, Leaf&& leaf) {
  for_chunks(how, std::uint64_t{0}, count, leaf);
}

/// The same for kernels over single elements. They are called with chunks of about 100 ns, so that
/// a leaf can end where expensive elements begin.
template <loop_index I, class Leaf>
void for_short_chunks(const settings& how, I first, std::uint64_t count, Leaf&& leaf) {
  loop_here(how, count, loop_leaf{leaf, first}.body(true));
}
template <class Leaf>
void for_short_chunks(const settings& how, std::uint64_t count, Leaf&& leaf) {
  for_short_chunks(how, std::uint64_t{0}, count, leaf);
}
/// The same as the leaf of a fold: `begin(at)` makes the value of one element,
/// `add(value, from, to)` adds others to it.
template <class T, loop_index I, class Begin, class Add>
struct element_fold {
  Begin& begin;
  Add& add;

  void operator()(std::optional<T>& sum, I from, I to) const {
    if (!sum) {
      sum.emplace(begin(from));
      from = algo::advance(from, 1);
      if (from == to) return;
    }
    if constexpr (std::is_trivially_copyable_v<T> && sizeof(T) <= 2 * sizeof(void*)) {
      T value = *sum;  // a local copy: the compiler sees that `begin` and `add` do not write to it
      add(value, from, to);
      sum.emplace(value);
    } else {
      add(*sum, from, to);
    }
  }
};

}  // namespace filch::algo
