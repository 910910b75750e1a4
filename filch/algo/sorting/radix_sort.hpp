#pragma once
#include <filch/algo/sorting/buffer.hpp>
#include <filch/algo/sorting/merge_runs.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

namespace filch::inline v0_2::algo::sorting {

/// An integer as an unsigned one with the same order.
template <std::integral K>
constexpr std::uint64_t as_unsigned(K key) noexcept {
  static_assert(sizeof(K) <= sizeof(std::uint64_t));
  constexpr auto sign = std::uint64_t{1} << 63;
  return std::is_signed_v<K> ? static_cast<std::uint64_t>(static_cast<std::int64_t>(key)) ^ sign
                             : static_cast<std::uint64_t>(key);
}

/// The bits of a key by which elements are distributed.
struct digit {
  unsigned shift, bits;

  std::uint64_t of(std::uint64_t key) const noexcept {
    return (key >> shift) & ((std::uint64_t{1} << bits) - 1);
  }
  unsigned values() const noexcept { return 1u << bits; }
  /// The highest bits in which `count` keys differ, as many as leave about 8 elements for each
  /// value. `differing` is not 0.
  static digit for_keys(std::uint64_t differing, std::uint64_t count) noexcept {
    const auto width = static_cast<unsigned>(std::bit_width(differing));
    const unsigned bits = (std::min)({8u, static_cast<unsigned>(std::bit_width(count)) - 3, width});
    return {width - bits, bits};
  }
};

/// Sorts by integers that `key_of` makes of elements, from their highest digits on. Stable.
///
/// A node finds its elements in the range or in the buffer, distributes them by one digit to the
/// other place, and leaves a node for each value of the digit. However a node ends, it delivers all
/// its elements to the range. Bits that all keys of a node share cost only a pass of reading.
///
/// Cost: work O(n min(b, log n)) for keys of b bits, span O(n / P + log n) a level. For many
/// elements a table of 2 KiB for each of 4 P chunks.
template <class It, class KeyOf>
class radix_sort {
 public:
  using value_type = std::iter_value_t<It>;

  radix_sort(const settings& how, const KeyOf& key_of, It range, value_type* buffer)
      : how_{how}, key_of_{key_of}, range_{range}, buffer_{buffer} {}

  void sort(std::uint64_t count) { sort({0, count, is_plain<It>}); }

 private:
  static constexpr std::uint64_t least_chunk = 1u << 15;
  static constexpr std::uint64_t stop_is_checked_from = 4096;
  /// For each value of a digit first its count, then the place of its first element.
  using table = std::array<std::uint64_t, 257>;

  struct node {
    std::uint64_t from, count;
    bool is_in_range;
  };
  run<It> in_range(const node& of) const {
    return {range_ + static_cast<std::iter_difference_t<It>>(of.from), of.count};
  }
  run<value_type*> in_buffer(const node& of) const { return {buffer_ + of.from, of.count}; }

  /// Calls `f(where the elements are, the other place)`.
  template <class F>
  decltype(auto) with_places(const node& here, F&& f) const {
    return here.is_in_range ? f(in_range(here), in_buffer(here))
                            : f(in_buffer(here), in_range(here));
  }

  void deliver(const node& here) const {
    if (!here.is_in_range) transfer_run<by_moving>(in_buffer(here), in_range(here).first);
  }

  void sort(const node& here) {
    node now = here;
    table starts;
    digit by{};
    FILCH_TRY {
      if (here.count >= stop_is_checked_from) how_.check_stop();
      failed_.check(here.from);
      failed_.watch(here.from, [&] {
        if (here.count <= few<It>) {
          sort_leaf(here);
        } else if (const std::uint64_t differing = differing_bits(here); differing != 0) {
          by = digit::for_keys(differing, here.count);
          with_places(here,
                      [&](auto from, auto to) { distribute(from, to.first, by, starts, now); });
        }
      });
    }
    FILCH_CATCH_ALL {
      deliver(now);
      FILCH_RETHROW;
    }
    // After the lowest digit a range has only equal keys. Long ranges are still brought home in
    // parallel.
    if (by.bits == 0 || (by.shift == 0 && here.count < 2 * least_chunk)) return deliver(now);
    sort_ranges(now, starts, 0, by.values());
  }

  /// Sorts the elements with the values [first, last) of the digit by which `all` was distributed.
  /// If one range throws, all others still deliver their elements.
  void sort_ranges(const node& all, const table& starts, unsigned first, unsigned last) {
    if (starts[first] == starts[last]) return;
    if (last - first == 1)
      return sort({all.from + starts[first], starts[last] - starts[first], all.is_in_range});
    const unsigned middle = first + (last - first) / 2;
    join_both(
        how_, [&, first, middle] { sort_ranges(all, starts, first, middle); },
        [&, middle, last] { sort_ranges(all, starts, middle, last); });
  }

  void sort_leaf(const node& here) {
    const auto less = [this](auto&& a, auto&& b) { return key_of_(a) < key_of_(b); };
    with_places(here,
                [&](auto place, auto) { sort_few<ties::kept>(place.first, place.count, less); });
  }

  /// The bits in which some keys differ from the first one.
  std::uint64_t differing_bits(const node& here) const {
    return with_places(here, [&](auto place, auto) {
      const std::uint64_t first = key_of_(*place.first);
      const auto in_chunk = [&](std::uint64_t from, std::uint64_t to) {
        std::uint64_t differing = 0;
        for (; from != to; ++from) differing |= key_of_(*place.at(from)) ^ first;
        return differing;
      };
      if (here.count < least_chunk) return in_chunk(0, here.count);
      return fold_chunks(how_, here.count, in_chunk,
                         [](std::uint64_t a, std::uint64_t b) { return a | b; });
    });
  }

  /// Moves elements to `to` in the order of their digits; those with one value keep their order.
  /// `starts` receives where each value begins, and `now` where the elements are. If counting
  /// throws, they are still in `from`; if moving throws, all are in `to`.
  template <class From, class To>
  void distribute(const run<From>& from, To to, digit by, table& starts, node& now) const {
    if (from.count < 2 * least_chunk) {
      starts.fill(0);
      count_digits(from, by, starts);
      turn_to_starts(&starts, 1, by);
      now.is_in_range = !now.is_in_range;
      return scatter(from, to, by, starts, starts.data() + 1);
    }
    const std::uint64_t chunks = std::min<std::uint64_t>(
        4 * sched::lasting_pool_here().concurrency(), from.count / least_chunk);
    std::vector<table> begins(chunks);
    const auto chunk = [&](std::uint64_t i) {
      const std::uint64_t begin = from.count / chunks * i,
                          end = i + 1 == chunks ? from.count : from.count / chunks * (i + 1);
      return run<From>{from.at(begin), end - begin};
    };
    settings each;
    each.grain = 1;
    each.stop = how_.stop;
    each.shared = how_.limit();
    for_chunks(each, chunks,
               [&](std::uint64_t i, std::uint64_t) { count_digits(chunk(i), by, begins[i]); });
    turn_to_starts(begins.data(), chunks, by);
    starts = begins[0];
    now.is_in_range = !now.is_in_range;
    each.stop = {};  // without a chunk its elements would be nowhere
    for_every_chunk(each, chunks, [&](std::uint64_t i, std::uint64_t) {
      scatter(chunk(i), to, by, begins[i],
              i + 1 == chunks ? begins[0].data() + 1 : begins[i + 1].data());
    });
  }

  template <class From>
  void count_digits(const run<From>& from, digit by, table& counts) const {
    for (From at = from.first, end = from.end(); at != end; ++at) ++counts[by.of(key_of_(*at))];
  }
  /// Turns the counts of each value in each chunk into places. The places of a chunk end where
  /// those of the next one begin; those of the last chunk end where the next value begins.
  static void turn_to_starts(table* chunks, std::uint64_t chunk_count, digit by) {
    std::uint64_t start = 0;
    for (unsigned value = 0; value != by.values(); ++value) {
      for (std::uint64_t i = 0; i != chunk_count; ++i)
        start += std::exchange(chunks[i][value], start);
    }
    chunks[0][by.values()] = start;
  }
  /// Moves a chunk to its places, `next[value]` to `ends[value]` for each value. After an exception
  /// the remaining elements take the remaining places.
  template <class From, class To>
  void scatter(const run<From>& from, To to, digit by, table next,
               const std::uint64_t* ends) const {
    const auto transfer = [to](From at, std::uint64_t& place) {
      by_moving::transfer(at, to + static_cast<std::iter_difference_t<To>>(place));
      ++place;
    };
    From at = from.first;
    FILCH_TRY {
      for (const From end = from.end(); at != end; ++at) transfer(at, next[by.of(key_of_(*at))]);
    }
    FILCH_CATCH_ALL {
      for (unsigned value = 0; value != by.values(); ++value) {
        for (; next[value] != ends[value]; ++at) transfer(at, next[value]);
      }
      FILCH_RETHROW;
    }
  }

  const settings& how_;
  const KeyOf& key_of_;
  It range_;
  value_type* buffer_;
  failure failed_;
};

}  // namespace filch::algo::sorting
