#pragma once
// Counts the ways to put n queens on an n by n board so that none attacks another.
#include <array>
#include <cstdint>
#include <string>

namespace bench::nqueens {

inline constexpr int largest_n = 18;

struct parameters {
  int n = 13;
};

/// The row of the queen in each column filled so far. As in Cilk's benchmark, and so in that of all
/// peers, the board is copied for each row that is tried, and checked afterwards. (Checking first
/// makes the serial program a third faster.)
struct board {
  std::array<std::int8_t, largest_n> rows{};
  int columns = 0;

  /// Whether the queen in the last column is under no attack from those before.
  bool is_safe() const noexcept {
    const int last = columns - 1;
    const int row = rows[static_cast<std::size_t>(last)];
    for (int i = 0; i < last; ++i) {
      const int distance = last - i;
      const int other = rows[static_cast<std::size_t>(i)];
      if (other == row || other == row - distance || other == row + distance) return false;
    }
    return true;
  }

  board with(int row) const noexcept {
    board next = *this;
    next.rows[static_cast<std::size_t>(next.columns++)] = static_cast<std::int8_t>(row);
    return next;
  }
};

/// The first safe row of the next column that is not above `row`, or n.
inline int find_safe(int n, const board& placed, int row) {
  while (row < n && !placed.with(row).is_safe()) ++row;
  return row;
}

/// Counts the solutions that begin with `placed`.
inline std::uint64_t serial(int n, const board& placed) {
  if (placed.columns == n) return 1;
  std::uint64_t solutions = 0;
  for (int row = 0; row < n; ++row) {
    const board next = placed.with(row);
    if (next.is_safe()) solutions += serial(n, next);
  }
  return solutions;
}

inline std::uint64_t serial(const parameters& p) { return serial(p.n, board{}); }

/// Solutions for n = 0 to 18. Source: OEIS A000170.
inline constexpr std::array<std::uint64_t, largest_n + 1> published = {
    1,   1,    0,     0,     2,      10,      4,        40,       92,       352,
    724, 2680, 14200, 73712, 365596, 2279184, 14772512, 95815104, 666090624};

/// Says what is wrong with `solutions`; empty when nothing.
inline std::string check(const parameters& p, std::uint64_t solutions) {
  const std::uint64_t expected = published[static_cast<std::size_t>(p.n)];
  if (solutions == expected) return {};
  return std::to_string(p.n) + " queens: counted " + std::to_string(solutions) +
         ", published are " + std::to_string(expected);
}

}  // namespace bench::nqueens
