#pragma once
#include <bench/nqueens/problem.hpp>
#include <filch/filch.hpp>

#include <bit>

namespace bench::nqueens {

inline std::uint64_t on_filch(int n, const board& placed);

/// Counts what follows from each of `rows`, a set of bits: the first of them here, the rest possibly elsewhere.
inline std::uint64_t try_rows(int n, const board& placed, std::uint32_t rows) {
  const int row = std::countr_zero(rows);
  const std::uint32_t others = rows & (rows - 1);
  if (others == 0) return on_filch(n, placed.with(row));
  const auto [here, elsewhere] =
      filch::join([&] { return on_filch(n, placed.with(row)); }, [&] { return try_rows(n, placed, others); });
  return here + elsewhere;
}

/// Forks only where there is a choice: rows that are under attack cost a check, not a fork.
inline std::uint64_t on_filch(int n, const board& placed) {
  if (placed.columns == n) return 1;
  std::uint32_t rows = 0;
  for (int row = 0; row < n; ++row) rows |= static_cast<std::uint32_t>(placed.can_add(row)) << row;
  return rows == 0 ? 0 : try_rows(n, placed, rows);
}

inline std::uint64_t on_filch(const parameters& p) { return on_filch(p.n, board{}); }

}  // namespace bench::nqueens
