#pragma once
// Multiplies square matrices with seven products of halves instead of eight. Source: Strassen,
// Numerische Mathematik 1969.
#include <bench/matmul/problem.hpp>

#include <array>

namespace bench::strassen {

using matmul::check, matmul::input, matmul::operand, matmul::output, matmul::parameters,
    matmul::whole;

/// Below this the sums cost more than the eighth product.
inline constexpr std::size_t plain_side = 64;

/// Whether a side can be halved down to the plain one.
constexpr bool is_fitting(std::size_t n) noexcept {
  while (n > plain_side && n % 2 == 0) n /= 2;
  return n > 0 && n <= plain_side;
}

inline constexpr const char* size_rule = "--size is the side: a power of two times at most 64";

template <class Block>
Block quarter(Block whole, std::size_t row, std::size_t column) noexcept {
  const std::size_t half = whole.rows / 2;
  return whole.rows_from(row * half, half).columns_from(column * half, half);
}

/// Adds `sign` times `from` to `to`.
inline void add(output to, operand from, double sign) noexcept {
  for (std::size_t i = 0; i < to.rows; ++i)
    matmul::add_multiple(to.row(i), sign, from.row(i), to.columns);
}

/// A quarter, or a quarter and another with a sign, by row and column.
struct term {
  int row, column, other_row = 0, other_column = 0, sign = 0;
};

struct seventh {
  term a, b;
};

/// The seven products, and with which sign each goes into the quarters (0,0), (0,1), (1,0) and
/// (1,1) of the result.
inline constexpr std::array<seventh, 7> products{{{{0, 0, 1, 1, 1}, {0, 0, 1, 1, 1}},
                                                  {{1, 0, 1, 1, 1}, {0, 0}},
                                                  {{0, 0}, {0, 1, 1, 1, -1}},
                                                  {{1, 1}, {1, 0, 0, 0, -1}},
                                                  {{0, 0, 0, 1, 1}, {1, 1}},
                                                  {{1, 0, 0, 0, -1}, {0, 0, 0, 1, 1}},
                                                  {{0, 1, 1, 1, -1}, {1, 0, 1, 1, 1}}}};
inline constexpr std::array<std::array<int, 7>, 4> signs{
    {{1, 0, 0, 1, -1, 0, 1}, {0, 0, 1, 0, 1, 0, 0}, {0, 1, 0, 1, 0, 0, 0}, {1, -1, 1, 0, 0, 1, 0}}};

template <class Both>
void add_fast_product(operand a, operand b, output c, const Both& both);

/// The quarter itself, or the sum of two in `place`, which is empty.
inline operand evaluate(operand all, const term& t, std::vector<double>& place) {
  const operand first =
      quarter(all, static_cast<std::size_t>(t.row), static_cast<std::size_t>(t.column));
  if (t.sign == 0) return first;
  place.resize(first.rows * first.rows);
  const output sum = whole(place, first.rows);
  add(sum, first, 1);
  add(sum,
      quarter(all, static_cast<std::size_t>(t.other_row), static_cast<std::size_t>(t.other_column)),
      t.sign);
  return sum;
}

/// Works out the products [first, last): each into a matrix of its own.
template <class Both>
void multiply(operand a, operand b, std::array<std::vector<double>, 7>& results, std::size_t first,
              std::size_t last, const Both& both) {
  if (last - first > 1) {
    const std::size_t middle = first + (last - first) / 2;
    both([&] { multiply(a, b, results, first, middle, both); },
         [&] { multiply(a, b, results, middle, last, both); });
    return;
  }
  const std::size_t half = a.rows / 2;
  std::vector<double> left, right;
  results[first].resize(half * half);
  add_fast_product(evaluate(a, products[first].a, left), evaluate(b, products[first].b, right),
                   whole(results[first], half), both);
}

/// Adds a * b to c. Cost: work O(n^2.81), span O(n^2) for the sums.
template <class Both>
void add_fast_product(operand a, operand b, output c, const Both& both) {
  if (a.rows <= plain_side) return matmul::add_product_plainly(a, b, c);
  std::array<std::vector<double>, 7> results;
  multiply(a, b, results, 0, results.size(), both);
  const auto sum_up = [&](std::size_t which) {
    for (std::size_t k = 0; k != results.size(); ++k) {
      if (signs[which][k] != 0)
        add(quarter(c, which / 2, which % 2), whole(std::as_const(results[k]), a.rows / 2),
            signs[which][k]);
    }
  };
  both([&] { both([&] { sum_up(0); }, [&] { sum_up(1); }); },
       [&] { both([&] { sum_up(2); }, [&] { sum_up(3); }); });
}

}  // namespace bench::strassen
