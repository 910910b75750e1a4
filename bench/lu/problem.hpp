#pragma once
// Splits a matrix into a lower and an upper triangle, in place and without exchanging rows; blocks
// are halved recursively. The benchmark of the Cilk suite.
#include <bench/matmul/problem.hpp>

#include <cmath>

namespace bench::lu {

using matmul::add_multiple, matmul::operand, matmul::output, matmul::parameters,
    matmul::times_vector, matmul::whole;

/// Two blocks of this side and the one that they change fit the first-level cache of anything.
inline constexpr std::size_t plain_side = 32;

/// Random values with so much on the diagonal that no row need be exchanged.
inline std::vector<double> input(const parameters& p) {
  std::vector<double> values = matmul::input(p, 0);
  for (std::size_t i = 0; i < p.n; ++i) values[i * p.n + i] = 8 * static_cast<double>(p.n);
  return values;
}

/// Takes a * b from c; the quarters of c are independent.
template <class Both>
void subtract_product(operand a, operand b, output c, const Both& both) {
  const std::size_t m = c.rows / 2, n = c.columns / 2;
  if (c.rows > plain_side && c.rows >= c.columns) {
    return both(
        [&] { subtract_product(a.rows_from(0, m), b, c.rows_from(0, m), both); },
        [&] { subtract_product(a.rows_from(m, c.rows - m), b, c.rows_from(m, c.rows - m), both); });
  }
  if (c.columns > plain_side) {
    return both([&] { subtract_product(a, b.columns_from(0, n), c.columns_from(0, n), both); },
                [&] {
                  subtract_product(a, b.columns_from(n, c.columns - n),
                                   c.columns_from(n, c.columns - n), both);
                });
  }
  for (std::size_t i = 0; i < c.rows; ++i) {
    for (std::size_t k = 0; k < a.columns; ++k)
      add_multiple(c.row(i), -a.row(i)[k], b.row(k), c.columns);
  }
}

/// Solves L x = b in place for every column of b: L is the triangle below the diagonal, with ones
/// on it.
template <class Both>
void solve_lower(operand l, output b, const Both& both) {
  if (b.columns > plain_side) {
    const std::size_t half = b.columns / 2;
    return both([&] { solve_lower(l, b.columns_from(0, half), both); },
                [&] { solve_lower(l, b.columns_from(half, b.columns - half), both); });
  }
  for (std::size_t i = 0; i < b.rows; ++i) {
    for (std::size_t k = 0; k < i; ++k) add_multiple(b.row(i), -l.row(i)[k], b.row(k), b.columns);
  }
}

/// Divides `row[k]` by the pivot's, and takes so much of the pivot from what lies behind it as
/// would make it zero: it keeps the factor.
inline void eliminate(double* row, const double* pivot, std::size_t k, std::size_t count) noexcept {
  row[k] /= pivot[k];
  add_multiple(row + k + 1, -row[k], pivot + k + 1, count - k - 1);
}

/// Solves x U = b in place for every row of b: U is the triangle from the diagonal up.
template <class Both>
void solve_upper(operand u, output b, const Both& both) {
  if (b.rows > plain_side) {
    const std::size_t half = b.rows / 2;
    return both([&] { solve_upper(u, b.rows_from(0, half), both); },
                [&] { solve_upper(u, b.rows_from(half, b.rows - half), both); });
  }
  for (std::size_t i = 0; i < b.rows; ++i) {
    for (std::size_t k = 0; k < b.columns; ++k) eliminate(b.row(i), u.row(k), k, b.columns);
  }
}

inline void split_plainly(output a) noexcept {
  for (std::size_t k = 0; k < a.rows; ++k) {
    for (std::size_t i = k + 1; i < a.rows; ++i) eliminate(a.row(i), a.row(k), k, a.columns);
  }
}

/// Cost: work O(n^3), span O(n^2).
template <class Both>
void split(output a, const Both& both) {
  if (a.rows <= plain_side) return split_plainly(a);
  const std::size_t half = a.rows / 2, rest = a.rows - half;
  const output upper = a.rows_from(0, half), lower = a.rows_from(half, rest);
  const output a00 = upper.columns_from(0, half), a01 = upper.columns_from(half, rest);
  const output a10 = lower.columns_from(0, half), a11 = lower.columns_from(half, rest);
  split(a00, both);
  both([&] { solve_lower(a00, a01, both); }, [&] { solve_upper(a00, a10, both); });
  subtract_product(a10, a01, a11, both);
  split(a11, both);
}

/// Says whether the triangles in `a` multiply to something else than the input; empty when they do
/// not. Cost: O(n^2).
inline std::string check(const parameters& p, operand a) {
  const std::vector<double> given = input(p), x(p.n, 1.0);
  const std::vector<double> expected = times_vector(whole(given, p.n), x);
  std::vector<double> upper(p.n);
  for (std::size_t i = 0; i < p.n; ++i) {
    for (std::size_t j = i; j < p.n; ++j) upper[i] += a.row(i)[j] * x[j];
  }
  for (std::size_t i = 0; i < p.n; ++i) {
    double product = upper[i];
    for (std::size_t j = 0; j < i; ++j) product += a.row(i)[j] * upper[j];
    if (!(std::abs(product - expected[i]) <= 1e-9 * std::abs(expected[i])))
      return "row " + std::to_string(i) + " of the product is wrong";
  }
  return {};
}

}  // namespace bench::lu
