#pragma once
// What the four programs of `from_bodies.cpp` and of `from/onetbb_bodies.cpp` share, and how each
// is held against what it must give.
#include <array>
#include <cstddef>
#include <cstdio>
#include <vector>

using matrix = std::vector<double>;  // by rows
using digit_counts = std::array<long, 10>;

/// The programs of one runtime.
struct body_programs {
  matrix (*transposed)(const matrix&, std::size_t rows, std::size_t columns);
  double (*spread)(const std::vector<double>&);
  long (*sum)(const std::vector<long>&);
  digit_counts (*last_digits)(const std::vector<int>&);
};

/// Runs each, prints which are right, and returns the exit code: 0 if all are.
inline int run(const body_programs& of) {
  constexpr std::size_t rows = 30, columns = 50;
  matrix square(rows * columns);
  for (std::size_t i = 0; i != square.size(); ++i) square[i] = static_cast<double>(i);
  const matrix turned = of.transposed(square, rows, columns);
  const bool is_box_right = turned[rows] == 1 && of.transposed(turned, columns, rows) == square;
  const bool is_body_right = of.spread(square) == static_cast<double>(square.size() - 1);
  const bool is_group_right = of.sum(std::vector<long>(1'000, 2)) == 2'000;
  std::vector<int> numbers(10'000);
  for (std::size_t i = 0; i != numbers.size(); ++i) numbers[i] = static_cast<int>(i);
  digit_counts each_thousand{};
  each_thousand.fill(1'000);
  const bool is_local_right = of.last_digits(numbers) == each_thousand;
  std::printf("box %d, body %d, group %d, locals %d\n", is_box_right, is_body_right, is_group_right,
              is_local_right);
  return is_box_right && is_body_right && is_group_right && is_local_right ? 0 : 1;
}
