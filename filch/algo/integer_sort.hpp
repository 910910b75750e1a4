#pragma once
#include <filch/algo/algorithm.hpp>
#include <filch/algo/braces.hpp>
#include <filch/algo/sorting/radix_sort.hpp>

namespace filch::inline v0_2 {
namespace algo {

struct integer_sort_fn : algorithm<integer_sort_fn> {
  template <std::random_access_iterator It, class Proj = std::identity>
  requires std::permutable<It>
  static It run(const settings& how, It first, std::uint64_t count, Proj proj = {}) {
    check_writable<It>();
    constexpr bool has_integers =
        std::integral<std::remove_cvref_t<std::indirect_result_t<Proj&, It>>>;
    static_assert(has_integers,
                  "filch: integer_sort sorts by integers, the elements or what a projection makes "
                  "of them; sort and stable_sort sort anything else");
    if constexpr (has_integers) {
      const auto from = sorting::plain_iterator(first);
      const auto key_of = [&proj](auto&& element) {
        return sorting::as_unsigned(std::invoke(proj, element));
      };
      if (count > 1) sort(how, from, count, key_of);
    }
    return first + static_cast<std::iter_difference_t<It>>(count);
  }

 private:
  template <class It, class KeyOf>
  static void sort(const settings& how, It first, std::uint64_t count, const KeyOf& key_of) {
    if (count <= sorting::few<It>) {
      const auto less = [&](auto&& a, auto&& b) { return key_of(a) < key_of(b); };
      return sorting::sort_few<sorting::ties::kept>(first, count, less);
    }
    sorting::buffer<It> room(first, count);
    sorting::radix_sort<It, decltype(key_of)>(how, key_of, first, room.begin()).sort(count);
  }
};

}  // namespace algo

/// Sorts a range by integers of at most 64 bits, signed or not: the elements, or what `proj` makes
/// of them. Equal elements keep their order.
///
/// `proj` is called a few times for each element, and must return the same each time.
///
/// Cost: work O(n min(b, log n)) for keys that differ in b bits, span O(n / P + log n) for each
/// digit of 8 bits; two or three passes for up to 2^24 random keys. One allocation for n elements,
/// and at most 8 KiB for each worker.
/// Blocks, threads, proxies: as `sort`.
/// Throws: `std::bad_alloc`, what `proj` or moving an element throws, and `stopped`. The range then
/// holds all its elements in some order, except one that a throwing move had in hand.
/// Source: Knuth, TAOCP 3, 5.2.5, from the highest digit on; chunks counted apart as in Zagha and
/// Blelloch, "Radix sort for vector multiprocessors", 1991.
inline constexpr algo::projecting<algo::integer_sort_fn> integer_sort;

}  // namespace filch
