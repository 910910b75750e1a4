#pragma once
#include <filch/algo/algorithm.hpp>
#include <filch/algo/failure.hpp>
#include <filch/base/rng.hpp>
#include <filch/fork/join.hpp>

namespace filch {
namespace algo {

/// Shuffles halves by themselves and then riffles them, in place.
///
/// Source: Bacher, Bodini, Hollender and Lumbroso, "MergeShuffle: a very fast, parallel random
/// permutation algorithm", 2015. Where we differ: each node
///         has a stream of random numbers of its own, so that the permutation depends on nothing
///         but count and seed.
template <class It>
class merge_shuffle {
 public:
  merge_shuffle(const settings& how, It first, std::uint64_t seed)
      : how_{how}, first_{first}, seed_{seed} {}

  void shuffle(std::uint64_t from, std::uint64_t to) {
    failed_.watch(from, [&] { shuffle_watched(from, to); });
  }

 private:
  // So few that they are found in the cache wherever they are
  static constexpr std::uint64_t least_merged = 1u << 14;

  void shuffle_watched(std::uint64_t from, std::uint64_t to) {
    how_.check_stop();
    failed_.check(from);
    // Of all nodes none has the same begin and length; the seed is mixed in between, so that near
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

  /// Gives each of [done, to) a random place among those from `from` on to itself. Source: Fisher
  /// and Yates, 1938; Durstenfeld, CACM 1964.
  void insert_at_random(std::uint64_t from, std::uint64_t done, std::uint64_t to,
                        base::split_mix64& random) const {
    for (; done < to; ++done) swap(done, from + below(random, done - from + 1));
  }

  /// Mixes two shuffled halves by tosses of a coin until one of them is used up; what is left of
  /// the other, of n elements about the root of n, is inserted. All that by swaps: the range has
  /// its elements whenever a stop ends it.
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
  /// Uniform below `bound`. Source: Lemire, "Fast random integer generation in an interval", 2019.
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

/// Brings the elements of a range into a random order, which depends on their number and `seed`
/// alone: it is the same for any number of workers. Returns the end.
///
/// Cost: work O(n log n), with a small factor; span O(n), because halves are riffled serially;
/// O(log n) stack, nothing allocated. Blocks, threads: as `sort`.
/// Throws: what swapping throws, and `stopped`. The range then holds all its elements in some
/// order, but one that a swap which threw had in hand.
/// Source: Bacher et al., MergeShuffle, 2015. All orders are equally likely as far as SplitMix64
/// goes, which has 2^64 states: do not gamble with it.
inline constexpr algo::explained<algo::random_shuffle_fn> random_shuffle;

}  // namespace filch
