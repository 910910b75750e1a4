#pragma once
#include <filch/algo/chunks.hpp>

#include <ranges>

namespace filch::inline v0_2 {
namespace algo {

/// One leaf of a loop: calls the body for each element of a chunk, or for the whole chunk if the
/// body takes one.
template <class F, loop_index I>
[[gnu::always_inline]] inline void run_chunk(F& body, I first, I last) {
  if constexpr (!std::integral<I>) check_writable<I>();
  if constexpr (element_body<F, I>) {
    for (; first != last; ++first) {
      if constexpr (std::integral<I>) {
        body(first);
      } else {
        body(*first);
      }
    }
  } else {
    constexpr bool wants_reference = std::integral<I> && std::invocable<F&, I&>;
    static_assert(!wants_reference,
                  "filch: an index is a value: the body of a loop takes it as [](auto i), not as "
                  "[](auto& i)");
    static_assert(wants_reference || chunk_body<F, I>,
                  "filch: the body of parallel_for takes an element (index or reference) or a "
                  "chunk with begin() and end()");
    if constexpr (chunk_body<F, I>) body(make_chunk(first, last));
  }
}

/// A leaf of a loop over `I`.
template <loop_index I, class F>
struct loop_chunk {
  F& body;
  void operator()(I first, I last) const { run_chunk(body, first, last); }
};

/// `how` is null or `{}` if there are no options.
template <loop_index I, class F>
void loop_over(const settings* how, I first, std::uint64_t count, F& body) {
  const loop_chunk<I, F> leaf{body};
  loop_anywhere(how, count, loop_leaf{leaf, first}.body(element_body<F, I>));
}
template <loop_index I, class F>
void loop_over(const settings& how, I first, std::uint64_t count, F& body) {
  loop_over(&how, first, count, body);
}

template <class I, class End, class F>
void loop_between(const settings& how, I first, End last, F& body) {
  if constexpr (check_ends<I, End>()) {
    const auto all = loop_range_between(first, last);
    loop_over(how, all.first, all.count, body);
  }
}
template <class R, class F>
void loop_over_range(const settings& how, R& range, F& body) {
  if constexpr (check_range<R>()) {
    loop_over(how, std::ranges::begin(range), static_cast<std::uint64_t>(std::ranges::size(range)),
              body);
  }
}

}  // namespace algo

/// Calls `body` for every index or element of [first, last), possibly in parallel. An empty or
/// inverted range does nothing.
///
/// Two integer types count in their common type: `parallel_for(0, vector.size(), body)` in
/// `std::size_t`. `body` takes one index (integers), one element (iterators), or a chunk with
/// `begin()` and `end()`: `index_range<I>` or `iterator_range<I>`. A lambda that takes `auto` gets
/// elements, and does not compile if only a chunk would do: a compiler asks for its return type,
/// and compiles its body, before filch can choose. Constrain it,
/// `[](std::ranges::range auto chunk) {...}`, or call `for_each_chunk`.
///
/// Cost: work W, span O(log n) joins plus the longest body; about 20 ns per leaf, where leaves grow
/// until they take microseconds. Space: O(log n) stack; no allocation.
/// Blocks: as `join`: runs only parts of this loop, so a lock may be held.
/// Throws: of the exceptions that bodies throw, the one of the lowest chunk. Chunks behind it do
/// not begin any more; those before it have finished. `std::invalid_argument`, if one end is below
/// 0, the other has an unsigned type, and the range is not empty.
/// Threads: any; from outside every pool it runs in `default_pool`, on the calling thread and its
/// workers.
template <class I, class End, class F>
requires(!algo::settings_like<I>) void parallel_for(I first, End last, F&& body) {
  algo::loop_between({}, first, last, body);
}

/// As above, over the elements of a sized random-access range.
template <class R, class F>
requires(!algo::divisible<std::remove_cvref_t<R>>) void parallel_for(R&& range, F&& body) {
  algo::loop_over_range({}, range, body);
}

/// As above, with options (`with`). Also throws `stopped`.
template <class I, class End, class F>
void parallel_for(const algo::settings& how, I first, End last, F&& body) {
  algo::loop_between(how, first, last, body);
}
template <class R, class F>
requires(!algo::divisible<std::remove_cvref_t<R>>) void parallel_for(const algo::settings& how,
                                                                     R&& range, F&& body) {
  algo::loop_over_range(how, range, body);
}

}  // namespace filch
