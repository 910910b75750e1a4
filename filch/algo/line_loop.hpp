#pragma once
// Loops and folds over a line. Everything but the leaves is one function, compiled in the library.
// A call site adds only the function that runs a leaf.
#include <filch/algo/settings.hpp>
#include <filch/algo/sub_range.hpp>

#include <cstddef>
#include <cstdint>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>

namespace filch::inline v0_2::algo {

/// How the library handles values of a fold, whose type only the call site knows. A place holds one
/// value or none.
struct fold_place {
  std::size_t size;
  std::size_t alignment;
  void (*make)(void* place);     ///< Makes an empty place.
  void (*destroy)(void* place);  ///< Null if nothing needs to be done.
  /// Combines both values into `left`. Either may be missing.
  void (*combine)(const void* leaf, void* left, void* right);
};

/// What a loop calls, with its type erased.
struct loop_body {
  /// Does a chunk. In a fold it adds the chunk to the value at `sum`, or begins that value.
  void (*run)(const void* leaf, std::uint64_t from, std::uint64_t to, void* sum);
  /// `run_stolen_half` under a name of its own: recordings know the loop by this function.
  void (*run_stolen)(void* half);
  const void* leaf;
  const fold_place* place;  ///< Null if the loop has no values.
  /// A leaf runs in 2^`log2_chunks` chunks; 0: in one.
  std::uint32_t log2_chunks;
};

/// Steps of a leaf over single elements, about 100 ns each. A thief that asks waits no longer than
/// that.
inline constexpr std::uint32_t log2_element_chunks = 5;

/// Calls `body` on chunks that cover [0, count). Call inside `run_in`. A fold adds them to the
/// value at `sum`, which may be missing. Cost, blocking, exceptions: as `split_loop`.
FILCH_EXPORT void loop_here(const settings& how, std::uint64_t count, const loop_body& body,
                            void* sum = nullptr);
/// The same, and enters `run_in` itself; without options if `how` is null.
FILCH_EXPORT void loop_anywhere(const settings* how, std::uint64_t count, const loop_body& body,
                                void* sum = nullptr);
FILCH_EXPORT void run_stolen_half(void* half) noexcept;

/// Calls `Leaf(from, to)` with positions relative to `first`.
template <loop_index I, class Leaf>
struct loop_leaf {
  Leaf& leaf;
  I first;

  loop_body body(bool has_short_chunks) const noexcept {
    return {&run, &run_stolen, this, nullptr, has_short_chunks ? log2_element_chunks : 0};
  }

 private:
  static void run(const void* self, std::uint64_t from, std::uint64_t to, void*) {
    const loop_leaf& mine = *static_cast<const loop_leaf*>(self);
    mine.leaf(algo::advance(mine.first, from), algo::advance(mine.first, to));
  }
  static void run_stolen(void* half) { run_stolen_half(half); }
};
template <class I, class Leaf>
loop_leaf(Leaf&, I) -> loop_leaf<I, Leaf>;

/// Adds `value()` to `sum`, which may be missing.
template <class T, class Combine, class Value>
void add_value(std::optional<T>& sum, Combine& combine, Value&& value) {
  if (!sum) return static_cast<void>(sum.emplace(value()));
  T both = combine(*std::move(sum), value());
  sum.emplace(std::move(both));
}

/// A fold to a `T`: `Add(sum, from, to)` adds a chunk to a `std::optional<T>`,
/// `Combine(left, right)` combines the values of two neighboring chunks. `T` need not be
/// assignable.
template <class T, loop_index I, class Add, class Combine>
struct fold_leaf {
  Add& add;
  Combine& combine;
  I first;

  loop_body body(std::uint32_t log2_chunks) const noexcept {
    return {&run, &run_stolen, this, &place, log2_chunks};
  }

 private:
  using sum_type = std::optional<T>;

  static void run(const void* self, std::uint64_t from, std::uint64_t to, void* sum) {
    const fold_leaf& mine = *static_cast<const fold_leaf*>(self);
    auto& to_sum = *static_cast<sum_type*>(sum);
    mine.add(to_sum, algo::advance(mine.first, from), algo::advance(mine.first, to));
  }
  static void run_stolen(void* half) { run_stolen_half(half); }
  static void meet(const void* self, void* left, void* right) {
    auto &before = *static_cast<sum_type*>(left), &behind = *static_cast<sum_type*>(right);
    if (!behind) return;
    const auto value = [&]() -> T&& { return *std::move(behind); };
    add_value(before, static_cast<const fold_leaf*>(self)->combine, value);
  }
  static void make(void* at) { ::new (at) sum_type; }
  static void destroy(void* at) { static_cast<sum_type*>(at)->~sum_type(); }

  static constexpr fold_place place{sizeof(sum_type), alignof(sum_type), &make,
                                    std::is_trivially_destructible_v<T> ? nullptr : &destroy,
                                    &meet};
};

}  // namespace filch::algo
