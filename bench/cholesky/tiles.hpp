#pragma once
#include <cstddef>

namespace bench::cholesky {

inline constexpr std::size_t side = 128;
inline constexpr std::size_t elements_of_a_tile = side * side;

// What is done with tiles, which lie in memory column by column. All contenders link the same
// compiled functions. Textbooks call them potrf, trsm, syrk and gemm.

/// Splits a symmetric tile, of which the lower triangle is read, into that triangle.
void split_diagonal(double* a) noexcept;
/// Solves x * transpose(l) = a in place: `l` is a lower triangle.
void solve(double* a, const double* l) noexcept;
/// Takes a * transpose(a) from the lower triangle of `c`.
void update_diagonal(double* c, const double* a) noexcept;
/// Takes a * transpose(b) from `c`.
void update(double* c, const double* a, const double* b) noexcept;

}  // namespace bench::cholesky
