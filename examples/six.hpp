#pragma once
// What the six programs of `from_six.cpp` and of `from/*.cpp` share, and how each is held against
// what it must give.
#include <cstdio>
#include <istream>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

struct node {
  long value = 0;
  std::unique_ptr<node> left, right;
};

inline std::string reversed(const std::string& line) { return {line.rbegin(), line.rend()}; }

inline bool is_prime(long n) {
  for (long divisor = 2; divisor * divisor <= n; ++divisor) {
    if (n % divisor == 0) return false;
  }
  return n > 1;
}

inline constexpr long earlier_prime = 1'000'003, later_prime = 7;

inline std::vector<long> numbers_without_prime() { return std::vector<long>(100'000, 4); }

inline std::vector<long> numbers_with_two_primes() {
  std::vector<long> numbers = numbers_without_prime();
  numbers[70'000] = earlier_prime;
  numbers[90'000] = later_prime;
  return numbers;
}

inline bool is_one_of_the_primes(std::optional<long> found) {
  return found == earlier_prime || found == later_prime;
}

inline std::unique_ptr<node> full_tree(int levels) {
  if (levels == 0) return nullptr;
  return std::unique_ptr<node>(new node{1, full_tree(levels - 1), full_tree(levels - 1)});
}

/// The programs of one runtime. The searches differ too much for one type: each judges itself.
struct six_programs {
  void (*add_scaled)(double, const std::vector<double>&, std::vector<double>&);
  double (*length)(const std::vector<double>&);
  long (*sum)(const node*);
  bool (*parse_all)(const std::vector<std::string>&, std::vector<int>&);
  std::vector<std::string> (*reverse_lines)(std::istream&);
  bool (*is_stop_right)();
};

/// Runs each, prints which are right, and returns the exit code: 0 if all are.
inline int run(const six_programs& of) {
  std::vector<double> x(10'000, 2), y(10'000, 1);
  of.add_scaled(3, x, y);
  const bool is_loop_right = y == std::vector<double>(10'000, 7);
  const bool is_length_right = of.length(std::vector<double>(10'000, 3)) == 300;
  const bool is_sum_right = of.sum(full_tree(12).get()) == 4'095;

  std::vector<int> numbers(3);
  const bool is_group_right = !of.parse_all({"1", "two", "3"}, numbers) &&
                              of.parse_all({"4", "5", "6"}, numbers) &&
                              numbers == std::vector<int>{4, 5, 6};
  std::istringstream text("ab\ncd\nef\n");
  const bool is_pipeline_right =
      of.reverse_lines(text) == std::vector<std::string>{"ba", "dc", "fe"};
  const bool is_stop_right = of.is_stop_right();
  std::printf("loop %d, reduction %d, fork-join %d, group %d, pipeline %d, stop %d\n",
              is_loop_right, is_length_right, is_sum_right, is_group_right, is_pipeline_right,
              is_stop_right);
  const bool is_right = is_loop_right && is_length_right && is_sum_right && is_group_right &&
                        is_pipeline_right && is_stop_right;
  return is_right ? 0 : 1;
}
