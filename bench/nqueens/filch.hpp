#pragma once
#include <bench/declared_work.hpp>
#include <bench/nqueens/problem.hpp>
#include <filch/filch.hpp>

namespace bench::nqueens {

// A function of its own, as it is where it stands in a program's own file: where it may be inlined,
// gcc copies it into both of its callers, which costs a tenth of the whole.
[[gnu::noinline]] static std::uint64_t on_filch(int n, const board& placed);

/// Counts what follows from the safe rows of the next column that are not above `row`, which is
/// one: from it here, from the rest possibly elsewhere. The last of them is a call, as there is
/// nothing left to fork.
inline std::uint64_t try_rows(int n, const board& placed, int row) {
  const board next = placed.with(row);
  const int after = find_safe(n, placed, row + 1);
  if (after == n) return on_filch(n, next);
  const auto [here, elsewhere] =
      filch::join([&] { return on_filch(n, next); },
                  [n, &placed, after] { return try_rows(n, placed, after); });
  return here + elsewhere;
}

static std::uint64_t on_filch(int n, const board& placed) {
  declare_work();
  if (placed.columns == n) return 1;
  const int row = find_safe(n, placed, 0);
  return row == n ? 0 : try_rows(n, placed, row);
}

inline std::uint64_t on_filch(const parameters& p) { return on_filch(p.n, board{}); }

}  // namespace bench::nqueens
