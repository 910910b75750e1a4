#pragma once
#include <filch/algo/algorithm.hpp>
#include <filch/algo/failure.hpp>
#include <filch/base/rng.hpp>
#include <filch/fork/join.hpp>

namespace filch::inline v0_2 {
namespace algo {

/// Shuffles the halves and then riffles them, in place.
///
/// Source: Bacher, Bodini, Hollender and Lumbroso, "MergeShuffle: a very fast, parallel random
/// permutation algorithm", 2015. We differ: each node has its own stream of random numbers, so that
/// the permutation depends only on count and seed.
template <class It>
class merge_shuffle {
 public:
  merge_shuffle(const settings& how, It first, std::uint64_t seed)
      : how_{how}, first_{first}, seed_{seed} {}

  void shuffle(std::uint64_t from, std::uint64_t to) {
    failed_.watch(from, [&] { shuffle_watched(from, to); });
  }

 private:
  // So few that they fit in the cache
  static constexpr std::uint64_t least_merged = 1u << 14;

  void shuffle_watched(std::uint64_t from, std::uint64_t to) {
    how_.check_stop();
    failed_.check(from);
    // No two nodes have the same begin and length. The seed is mixed in between, so that similar
    // seeds do not share streams.
    base::split_mix64 random{base::split_mix64{base::split_mix64{seed_}() + from}() ^ (to - from)};
    if (to - from <= least_merged) return insert_at_random(from, from, to, random);
    const std::uint64_t middle = from + (to - from) / 2;
    join_within(
        how_, [this, from, middle] { shuffle(from, middle); },
        [this, middle, to] { shuffle(middle, to); });
    riffle(from, middle, to, random);
  }

  It at(std::uint64_t index) const {
    return first_ + static_cast<std::iter_difference_t<It>>(index);
  }
  void swap(std::uint64_t a, std::uint64_t b) const {
    if (a != b) std::ranges::iter_swap(at(a), at(b));
  }

  /// Gives each of [done, to) a random place between `from` and itself.
  /// Source: Fisher and Yates, 1938; Durstenfeld, CACM 1964.
  void insert_at_random(std::uint64_t from, std::uint64_t done, std::uint64_t to,
                        base::split_mix64& random) const {
    for (; done < to; ++done) swap(done, from + below(random, done - from + 1));
  }

  /// Mixes two shuffled halves by coin tosses until one of them is used up. About sqrt(n) of n
  /// elements are then left of the other, and are inserted. Everything is swapped, so the range has
  /// all its elements whenever a stop ends it.
  void riffle(std::uint64_t from, std::uint64_t middle, std::uint64_t to,
              base::split_mix64& random) const {
    std::uint64_t done = from, right = middle;
    for (std::uint64_t coins = random(), tossed = 0;; ++done) {
      if (tossed == 64) {
        how_.check_stop();
        coins = random();
        tossed = 0;
      }
      if ((coins >> tossed++) & 1) {
        if (right == to) break;
        swap(done, right++);
      } else if (done == right) {
        break;
      }
    }
    insert_at_random(from, done, to, random);
  }

  __extension__ using wide = unsigned __int128;
  /// Returns a uniform number below `bound`. Source: Lemire, "Fast random integer generation in an
  /// interval", 2019.
  static std::uint64_t below(base::split_mix64& random, std::uint64_t bound) {
    for (;;) {
      const auto product = static_cast<wide>(random()) * bound;
      const auto low = static_cast<std::uint64_t>(product);
      if (low >= bound || low >= -bound % bound) return static_cast<std::uint64_t>(product >> 64);
    }
  }

  const settings& how_;
  It first_;
  std::uint64_t seed_;
  failure failed_;
};

struct random_shuffle_fn : algorithm<random_shuffle_fn> {
  template <std::random_access_iterator It, std::integral Seed>
  requires std::permutable<It>
  static It run(const settings& how, It first, std::uint64_t count, Seed seed) {
    check_writable<It>();
    merge_shuffle<It>(how, first, static_cast<std::uint64_t>(seed)).shuffle(0, count);
    return first + static_cast<std::iter_difference_t<It>>(count);
  }
};

}  // namespace algo

/// Brings the elements of a range into a random order, and returns the end. The order depends only
/// on their number and on `seed`: it is the same for any number of workers.
///
/// Cost: work O(n log n) with a small factor; span O(n), because halves are riffled serially; O(log
/// n) stack, no allocation.
/// Blocks, threads: as `sort`.
/// Throws: what swapping throws, and `stopped`. The range then holds all its elements in some
/// order, except one that a throwing swap had in hand.
/// Source: Bacher et al., MergeShuffle, 2015. All orders are equally likely as far as SplitMix64
/// allows, which has 2^64 states: do not gamble with it.
inline constexpr algo::explained<algo::random_shuffle_fn> random_shuffle;

}  // namespace filch
