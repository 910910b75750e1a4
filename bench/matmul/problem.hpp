#pragma once
// Multiplies square matrices by halving the longest side until the blocks fit any cache.
// Source: Frigo, Leiserson, Prokop and Ramachandran, FOCS 1999.
#include <bench/ways.hpp>
#include <filch/base/rng.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace bench::matmul {

struct parameters {
  std::size_t n = 1024;
  std::uint64_t seed = 1;
};

/// A block of a matrix in row order.
template <class Element>
struct block {
  Element* data;
  std::size_t rows, columns, stride;

  Element* row(std::size_t i) const noexcept { return data + i * stride; }
  block rows_from(std::size_t first, std::size_t count) const noexcept {
    return {row(first), count, columns, stride};
  }
  block columns_from(std::size_t first, std::size_t count) const noexcept {
    return {data + first, rows, count, stride};
  }
  operator block<const Element>() const noexcept { return {data, rows, columns, stride}; }
};

using output = block<double>;
using operand = block<const double>;

/// Small whole numbers: every product and sum is exact, so results are compared without tolerance.
inline std::vector<double> input(const parameters& p, std::uint64_t which) {
  filch::base::split_mix64 random{p.seed * 2 + which};
  std::vector<double> values(p.n * p.n);
  std::ranges::generate(values, [&] { return static_cast<double>(random() % 9) - 4; });
  return values;
}

inline operand whole(const std::vector<double>& values, std::size_t n) noexcept {
  return {values.data(), n, n, n};
}
inline output whole(std::vector<double>& values, std::size_t n) noexcept {
  return {values.data(), n, n, n};
}

/// Adds `factor` times `from` to `to`. The rows share no element, as Rust's references say by
/// themselves.
inline void add_multiple(double* __restrict to, double factor, const double* __restrict from,
                         std::size_t count) noexcept {
  for (std::size_t j = 0; j < count; ++j) to[j] += factor * from[j];
}

inline void add_product_plainly(operand a, operand b, output c) noexcept {
  for (std::size_t i = 0; i < a.rows; ++i) {
    for (std::size_t k = 0; k < a.columns; ++k)
      add_multiple(c.row(i), a.row(i)[k], b.row(k), b.columns);
  }
}

/// Three blocks of this side fit the first-level cache of anything.
inline constexpr std::size_t plain_side = 32;

/// Adds a * b to c. Cost: work O(n^3), span O(n): only the halves of the inner side wait for each
/// other.
template <class Both>
void add_product(operand a, operand b, output c, const Both& both) {
  const std::size_t m = a.rows, k = a.columns, n = b.columns;
  if (std::max({m, k, n}) <= plain_side) return add_product_plainly(a, b, c);
  if (m >= k && m >= n) {
    both([&] { add_product(a.rows_from(0, m / 2), b, c.rows_from(0, m / 2), both); },
         [&] {
           add_product(a.rows_from(m / 2, m - m / 2), b, c.rows_from(m / 2, m - m / 2), both);
         });
  } else if (n >= k) {
    both([&] { add_product(a, b.columns_from(0, n / 2), c.columns_from(0, n / 2), both); },
         [&] {
           add_product(a, b.columns_from(n / 2, n - n / 2), c.columns_from(n / 2, n - n / 2), both);
         });
  } else {
    add_product(a.columns_from(0, k / 2), b.rows_from(0, k / 2), c, both);
    add_product(a.columns_from(k / 2, k - k / 2), b.rows_from(k / 2, k - k / 2), c, both);
  }
}

inline void serial(operand a, operand b, output c) { add_product(a, b, c, in_order{}); }

inline std::vector<double> times_vector(operand a, const std::vector<double>& x) {
  std::vector<double> product(a.rows);
  for (std::size_t i = 0; i < a.rows; ++i) {
    for (std::size_t j = 0; j < a.columns; ++j) product[i] += a.row(i)[j] * x[j];
  }
  return product;
}

/// Says whether c is not a * b; empty when it is. A wrong product passes with a chance of one in
/// 65,536.
///
/// Cost: O(n^2): compares c x with a (b x) for a random x. Source: Freivalds, 1977.
inline std::string check(const parameters& p, operand a, operand b, operand c) {
  filch::base::split_mix64 random{p.seed ^ 0x5eed};
  std::vector<double> x(p.n);
  std::ranges::generate(x, [&] { return static_cast<double>(random() % 65536); });
  const std::vector<double> right = times_vector(a, times_vector(b, x)), left = times_vector(c, x);
  const auto wrong = std::ranges::mismatch(left, right);
  if (wrong.in1 == left.end()) return {};
  return "row " + std::to_string(wrong.in1 - left.begin()) + " of the product is wrong";
}

}  // namespace bench::matmul
