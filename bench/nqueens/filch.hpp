#pragma once
#include <bench/nqueens/problem.hpp>
#include <filch/filch.hpp>

namespace bench::nqueens {

inline std::uint64_t on_filch(int n, const board& placed);

/// Counts what follows from the rows `row` to n - 1 of the next column: from the first safe one here, from the rest possibly elsewhere.
inline std::uint64_t try_rows(int n, const board& placed, int row) {
  for (; row < n; ++row) {
    const board next = placed.with(row);
    if (!next.is_safe()) continue;
    const auto [here, elsewhere] = filch::join([&] { return on_filch(n, next); }, [n, &placed, row] { return try_rows(n, placed, row + 1); });
    return here + elsewhere;
  }
  return 0;
}

inline std::uint64_t on_filch(int n, const board& placed) { return placed.columns == n ? 1 : try_rows(n, placed, 0); }

inline std::uint64_t on_filch(const parameters& p) { return on_filch(p.n, board{}); }

}  // namespace bench::nqueens
