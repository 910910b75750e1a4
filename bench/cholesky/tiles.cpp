#include <bench/cholesky/tiles.hpp>

#include <cmath>

namespace bench::cholesky {
namespace {

using column = double* __restrict;
using column_read = const double* __restrict;

/// Takes four columns of `a`, times the numbers of rows `j` and `j + 1` of `b` there, from two
/// columns of a tile, from row `first` on. Eight products for each two numbers that are written.
void take_four_columns(column c0, column c1, column_read a, column_read b, std::size_t first) {
  const double b00 = b[0], b10 = b[side], b20 = b[2 * side], b30 = b[3 * side];
  const double b01 = b[1], b11 = b[side + 1], b21 = b[2 * side + 1], b31 = b[3 * side + 1];
  for (std::size_t i = first; i < side; ++i) {
    const double a0 = a[i], a1 = a[side + i], a2 = a[2 * side + i], a3 = a[3 * side + i];
    c0[i] -= a0 * b00 + a1 * b10 + a2 * b20 + a3 * b30;
    c1[i] -= a0 * b01 + a1 * b11 + a2 * b21 + a3 * b31;
  }
}

/// Takes the product of `a` and row `j` of the transposed `b` from columns `j` and `j + 1` of `c`.
void update_two_columns(double* c, const double* a, const double* b, std::size_t j,
                        std::size_t first) {
  for (std::size_t k = 0; k < side; k += 4)
    take_four_columns(c + j * side, c + (j + 1) * side, a + k * side, b + k * side + j, first);
}

/// Takes `factor` times `from` from `to`.
void take_multiple(column to, column_read from, double factor, std::size_t first) {
  for (std::size_t i = first; i < side; ++i) to[i] -= factor * from[i];
}

void divide(column values, double by, std::size_t first) {
  const double factor = 1 / by;
  for (std::size_t i = first; i < side; ++i) values[i] *= factor;
}

}  // namespace

void split_diagonal(double* a) noexcept {
  for (std::size_t k = 0; k < side; ++k) {
    double* const pivot = a + k * side;
    divide(pivot, std::sqrt(pivot[k]), k);
    for (std::size_t j = k + 1; j < side; ++j) take_multiple(a + j * side, pivot, pivot[j], j);
  }
}

void solve(double* a, const double* l) noexcept {
  for (std::size_t k = 0; k < side; ++k) {
    double* const solved = a + k * side;
    divide(solved, l[k * side + k], 0);
    for (std::size_t j = k + 1; j < side; ++j)
      take_multiple(a + j * side, solved, l[k * side + j], 0);
  }
}

void update_diagonal(double* c, const double* a) noexcept {
  for (std::size_t j = 0; j < side; j += 2) update_two_columns(c, a, a, j, j);
}

void update(double* c, const double* a, const double* b) noexcept {
  for (std::size_t j = 0; j < side; j += 2) update_two_columns(c, a, b, j, 0);
}

}  // namespace bench::cholesky
