#pragma once
// S, the one total order of all sequentially consistent operations, as far as it is decided.
// README.md, "The memory".
#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace filch::inline v0_2::testing {

/// A partial order of the sequentially consistent operations so far, transitively closed. A total
/// order agrees with it as long as it has no cycle; callers that add to it check that first.
class order_of_all {
 public:
  static constexpr unsigned max_threads = 5;
  /// For each thread the number of its operations that come before something: a prefix, since a
  /// thread's operations are in order.
  using beginnings = std::array<std::uint16_t, max_threads>;
  /// For each thread the first of its operations that comes behind something, counted from 1; all
  /// later ones do, too. 0: none.
  using endings = std::array<std::uint16_t, max_threads>;

  void restart();
  /// Adds an operation of `by`, behind `before`. Returns its number in the thread.
  std::uint16_t append(unsigned by, const beginnings& before);
  /// Whether `before` cannot come before `behind`, because it comes behind it already.
  bool contradicts(const beginnings& before, const endings& behind) const;
  /// Puts `before` before `behind`.
  void put(const beginnings& before, const endings& behind);
  std::uint64_t hash(std::uint64_t start) const;

  static void merge(beginnings& into, const beginnings& other) {
    for (unsigned i = 0; i < max_threads; ++i) into[i] = std::max(into[i], other[i]);
  }
  static void merge_endings(endings& into, const endings& other) {
    // None counts as behind all
    const auto as_last = [](std::uint16_t ending) {
      return static_cast<std::uint16_t>(ending - 1);
    };
    for (unsigned i = 0; i < max_threads; ++i)
      into[i] = static_cast<std::uint16_t>(std::min(as_last(into[i]), as_last(other[i])) + 1);
  }

 private:
  beginnings closed(const beginnings& some) const;

  std::array<std::vector<beginnings>, max_threads> before_;  ///< Of each operation.
};

}  // namespace filch::testing
