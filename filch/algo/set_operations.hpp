#pragma once
// The union, intersection and differences of two sorted ranges.
#include <filch/algo/braces.hpp>
#include <filch/algo/output.hpp>
#include <filch/algo/plain_memory.hpp>
#include <filch/algo/single_pass_scan.hpp>

#include <functional>

namespace filch::inline v0_2 {
namespace algo {

/// Counts what is written to it, and drops it.
struct counting_output {
  using difference_type = std::ptrdiff_t;
  struct anything {
    template <class T>
    const anything& operator=(T&&) const noexcept {
      return *this;
    }
  };

  std::uint64_t count = 0;

  anything operator*() const noexcept { return {}; }
  counting_output& operator++() noexcept {
    ++count;
    return *this;
  }
  counting_output& operator++(int) noexcept { return ++*this; }
};

/// Two sorted ranges as one sequence that can be cut anywhere without separating equal elements.
template <class I1, class I2, class Comp, class Proj1, class Proj2>
struct sorted_pair {
  I1 first1;
  std::uint64_t count1;
  I2 first2;
  std::uint64_t count2;
  Comp& comp;
  Proj1& proj1;
  Proj2& proj2;

  struct place {
    std::uint64_t in1, in2;
  };

  std::uint64_t size() const noexcept { return count1 + count2; }

  /// Returns a cut near the place behind the first `offset` elements of both merged: before all
  /// elements that are equal to the next one.
  place cut(std::uint64_t offset) const {
    if (offset == size()) return {count1, count2};
    const std::uint64_t in1 = taken_from_1(offset), in2 = offset - in1;
    if (in2 == count2 || (in1 != count1 && !std::invoke(comp, at2(in2), at1(in1))))
      return before(in1, in2, at1(in1));
    return before(in1, in2, at2(in2));
  }

  /// Runs `operation` of `std::ranges` on the elements between two cuts.
  template <class Operation, class Out>
  Out apply(Operation operation, std::uint64_t from, std::uint64_t to, Out out) const {
    const place begin = cut(from), end = cut(to);
    return operation(advance(first1, begin.in1), advance(first1, end.in1),
                     advance(first2, begin.in2), advance(first2, end.in2), std::move(out),
                     std::ref(comp), std::ref(proj1), std::ref(proj2))
        .out;
  }

 private:
  decltype(auto) at1(std::uint64_t i) const { return invoke_at(proj1, advance(first1, i)); }
  decltype(auto) at2(std::uint64_t i) const { return invoke_at(proj2, advance(first2, i)); }

  /// How many of the first `offset` elements of both merged come from the first range; of equal
  /// elements its own come first.
  std::uint64_t taken_from_1(std::uint64_t offset) const {
    std::uint64_t low = offset > count2 ? offset - count2 : 0, high = (std::min)(offset, count1);
    while (low != high) {
      const std::uint64_t middle = low + (high - low) / 2;
      if (std::invoke(comp, at2(offset - middle - 1), at1(middle))) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  template <class Key>
  place before(std::uint64_t in1, std::uint64_t in2, const Key& key) const {
    const auto lowest1 = std::ranges::lower_bound(first1, advance(first1, in1), key, std::ref(comp),
                                                  std::ref(proj1));
    const auto lowest2 = std::ranges::lower_bound(first2, advance(first2, in2), key, std::ref(comp),
                                                  std::ref(proj2));
    return {count_of(first1, lowest1), count_of(first2, lowest2)};
  }
};

/// The carry is how many elements have been written.
template <class Pair, class Operation, class Out>
struct set_kernel {
  using carry = std::uint64_t;
  using aggregate = std::uint64_t;

  const Pair& both;
  Operation operation;
  Out out;

  std::uint64_t through(std::uint64_t from, std::uint64_t to, std::uint64_t written) {
    return count_of(out, both.apply(operation, from, to, advance(out, written)));
  }
  std::uint64_t ahead(std::uint64_t from, std::uint64_t to) {
    return both.apply(operation, from, to, counting_output{}).count;
  }
  std::uint64_t past(std::uint64_t written, std::uint64_t more) { return written + more; }
  void behind(std::uint64_t from, std::uint64_t to, std::uint64_t written, std::uint64_t) {
    through(from, to, written);
  }
};

/// `Operation` is that of `std::ranges`, which does each chunk. `HasIn2`: its result says where it
/// stopped in the second range.
template <class Operation, bool HasIn2>
struct set_operation_fn : writer_of_two<set_operation_fn<Operation, HasIn2>> {
  template <class I1, class I2, std::random_access_iterator Out, class Comp = std::ranges::less,
            class Proj1 = std::identity, class Proj2 = std::identity>
  static auto run(const settings& how, I1 first1, std::uint64_t count1, I2 first2,
                  std::uint64_t count2, Out out, Comp comp = {}, Proj1 proj1 = {},
                  Proj2 proj2 = {}) {
    check_writable<Out>();
    using pair = sorted_pair<I1, I2, Comp, Proj1, Proj2>;
    const pair both{first1, count1, first2, count2, comp, proj1, proj2};
    set_kernel<pair, Operation, Out> kernel{both, {}, out};
    // For a few numbers cutting would cost more than the operation.
    constexpr bool is_plain = plainly_ordered<I1, Comp, Proj1> && plainly_ordered<I2, Comp, Proj2>;
    constexpr std::uint64_t few = 4096;
    const std::uint64_t written =
        is_plain && both.size() <= few
            ? kernel.through(0, both.size(), 0)
            : single_pass_scan<decltype(kernel)>(how, kernel).run(0, both.size(), 0);
    const Out end = advance(out, written);
    if constexpr (HasIn2) {
      return std::ranges::in_in_out_result<I1, I2, Out>{advance(first1, count1),
                                                        advance(first2, count2), end};
    } else {
      return std::ranges::in_out_result<I1, Out>{advance(first1, count1), end};
    }
  }
  template <class I1, class I2, class Out, class Comp = std::ranges::less,
            class Proj1 = std::identity, class Proj2 = std::identity>
  static auto run_two_within(const settings& how, I1 first1, std::uint64_t count1, I2 first2,
                             std::uint64_t count2, Out out, std::uint64_t room, Comp comp = {},
                             Proj1 proj1 = {}, Proj2 proj2 = {}) {
    if (room < count1 + count2) {
      using pair = sorted_pair<I1, I2, Comp, Proj1, Proj2>;
      const pair both{first1, count1, first2, count2, comp, proj1, proj2};
      set_kernel<pair, Operation, counting_output> kernel{both, {}, {}};
      const std::uint64_t needed = fold_chunks(
          how, both.size(),
          [&](std::uint64_t from, std::uint64_t to) { return kernel.ahead(from, to); },
          std::plus<>{});
      if (needed > room) throw_output_too_short();
    }
    return run(how, first1, count1, first2, count2, out, std::move(comp), std::move(proj1),
               std::move(proj2));
  }
};

}  // namespace algo

/// `set_union([how,] range1, range2, out[, comp, proj1, proj2])`, or with first and last of both:
/// writes the elements that are in one of two sorted ranges or in both. Equal elements occur as
/// often as in the range that has more of them, those of the first range before the others. Returns
/// all ends.
///
/// `out` is random-access and must not overlap an input.
///
/// Cost: work n, span O(n / P + P) for P workers. One worker does one pass; chunks that others do
/// ahead are compared twice, the second time in their cache. Chunks never separate equal elements,
/// so one worker does a whole run of them. No memory except a record for each chunk ahead.
/// Throws: what comparisons, projections and assignments throw; `out` then holds old or new values.
/// `std::length_error`, if `out` is a range that is too short: nothing is then written.
/// `std::bad_alloc`, `stopped`.
/// Source: Green, Odeh and Birk, "Merge Path", 2014, for where to cut. We differ: a cut moves back
/// to the first of equal elements.
inline constexpr algo::comparing<algo::set_operation_fn<decltype(std::ranges::set_union), true>>
    set_union;
/// Writes the elements that are in both ranges, as often as in the range that has fewer, from the
/// first one. Otherwise as `set_union`.
inline constexpr algo::comparing<
    algo::set_operation_fn<decltype(std::ranges::set_intersection), true>>
    set_intersection;
/// Writes the elements of the first range that are not in the second; of equal ones the surplus of
/// the first. Otherwise as `set_union`; returns the ends of `in` and `out`.
inline constexpr algo::comparing<
    algo::set_operation_fn<decltype(std::ranges::set_difference), false>>
    set_difference;
/// Writes the elements that are in one range only; of equal ones the surplus of either. Otherwise
/// as `set_union`.
inline constexpr algo::comparing<
    algo::set_operation_fn<decltype(std::ranges::set_symmetric_difference), true>>
    set_symmetric_difference;

}  // namespace filch
