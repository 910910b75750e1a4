#pragma once
// Splits a symmetric matrix into a lower triangle and its transpose (Cholesky), in place, by tiles:
// some thousand steps, each of which waits for up to three others. The example by which task graphs
// are compared, as in Buttari, Langou, Kurzak and Dongarra, "A class of parallel tiled linear
// algebra algorithms for multicore architectures", Parallel Computing 2009.
#include <bench/cholesky/tiles.hpp>
#include <filch/base/rng.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace bench::cholesky {

struct parameters {
  std::size_t n = 4096;  ///< A multiple of the side of a tile.
};

/// The lower triangle, tile by tile.
class matrix {
 public:
  explicit matrix(std::size_t tiles_a_side)
      : values_(tiles_a_side * (tiles_a_side + 1) / 2 * elements_of_a_tile) {}
  static std::size_t number(std::size_t row, std::size_t column) noexcept {
    return row * (row + 1) / 2 + column;
  }
  double* tile(std::size_t number) noexcept { return values_.data() + number * elements_of_a_tile; }
  /// Of the lower triangle.
  double& at(std::size_t i, std::size_t j) noexcept {
    return tile(number(i / side, j / side))[j % side * side + i % side];
  }

 private:
  std::vector<double> values_;
};

/// Random values from -1 to 1, with so much on the diagonal that the matrix is positive definite.
inline double input_at(std::size_t i, std::size_t j, std::size_t n) noexcept {
  if (i == j) return static_cast<double>(n);
  filch::base::split_mix64 random{std::max(i, j) * n + std::min(i, j)};
  return static_cast<double>(random() >> 11) * 0x1p-52 - 1;
}

inline matrix input(const parameters& p) {
  matrix made{p.n / side};
  for (std::size_t j = 0; j != p.n; ++j)
    for (std::size_t i = j / side * side; i != p.n; ++i) made.at(i, j) = input_at(i, j, p.n);
  return made;
}

/// What is done with one tile. It comes after the last step that wrote each of its tiles.
struct step {
  enum class kind { split_diagonal, solve, update_diagonal, update };
  kind what;
  std::size_t target;       ///< Read and written.
  std::size_t left, right;  ///< Read, if `reads` says so.
  int reads;                ///< How many of these.
};

inline void run(const step& of, matrix& in) noexcept {
  double* const target = in.tile(of.target);
  switch (of.what) {
    case step::kind::split_diagonal: return split_diagonal(target);
    case step::kind::solve: return solve(target, in.tile(of.left));
    case step::kind::update_diagonal: return update_diagonal(target, in.tile(of.left));
    case step::kind::update: return update(target, in.tile(of.left), in.tile(of.right));
  }
}

/// All steps in the order of the serial program.
inline std::vector<step> steps(std::size_t tiles_a_side) {
  using enum step::kind;
  std::vector<step> all;
  for (std::size_t k = 0; k != tiles_a_side; ++k) {
    const std::size_t pivot = matrix::number(k, k);
    all.push_back({split_diagonal, pivot, 0, 0, 0});
    for (std::size_t i = k + 1; i != tiles_a_side; ++i)
      all.push_back({solve, matrix::number(i, k), pivot, 0, 1});
    for (std::size_t i = k + 1; i != tiles_a_side; ++i) {
      for (std::size_t j = k + 1; j != i; ++j)
        all.push_back(
            {update, matrix::number(i, j), matrix::number(i, k), matrix::number(j, k), 2});
      all.push_back({update_diagonal, matrix::number(i, i), matrix::number(i, k), 0, 1});
    }
  }
  return all;
}

/// Says whether the triangle times its transpose is something else than the input; empty when it is
/// not. Cost: O(n^2): compares both times a vector. Source: Freivalds, 1977.
inline std::string check(const parameters& p, matrix& a) {
  filch::base::split_mix64 random{p.n};
  std::vector<double> x(p.n), upper(p.n), product(p.n), expected(p.n);
  for (double& each : x) each = static_cast<double>(random() >> 11) * 0x1p-53 + 1;
  for (std::size_t j = 0; j != p.n; ++j) {
    for (std::size_t i = j; i != p.n; ++i) upper[j] += a.at(i, j) * x[i];
    for (std::size_t i = j; i != p.n; ++i) product[i] += a.at(i, j) * upper[j];
    expected[j] += input_at(j, j, p.n) * x[j];
    for (std::size_t i = j + 1; i != p.n; ++i) {
      const double value = input_at(i, j, p.n);
      expected[i] += value * x[j];
      expected[j] += value * x[i];
    }
  }
  for (std::size_t i = 0; i != p.n; ++i)
    if (!(std::abs(product[i] - expected[i]) <= 1e-9 * static_cast<double>(p.n)))
      return "row " + std::to_string(i) + " of the product is wrong";
  return {};
}

}  // namespace bench::cholesky
